/* SPDX-License-Identifier: MIT */
/* believe - private to the room: which records can come one after the other, and what they say. */
#ifndef ARCHIVE_BELIEVE_H
#define ARCHIVE_BELIEVE_H

#include "archive/packed.h"
#include "archive/record.h"

/** What was said so far.  Zero it but for nested; believe_release() it. */
struct believe {
	bool nested;             /* members of members may come */
	/* Private: the member whose own members come, if any does. */
	bool is_within;
	int64_t within_number;
	struct buf within;       /* its name */
	struct buf joined;       /* the same, a mark, and the name of a member */
	int64_t number;          /* of the next member */
};

/** Whether a record is one that unpack can write, before its name is read. */
bool believe_sound(const struct record *r);

/** What a record is. */
enum believed {
	BELIEVED_NOT,        /* it can't stand here, or have that name: nothing more is believed */
	BELIEVED_NOTHING,    /* it says nothing of a member */
	BELIEVED_MEMBER,
	BELIEVED_END
};

/**
 * Take a sound record with its name, which ends with a NUL behind r->name_len bytes.  Of a member
 * *m is set, with a name that lasts as long as name, and until the next call.
 */
enum believed believe_next(struct believe *b, const struct record *r, const char *name, struct packed *m);

void believe_release(struct believe *b);

#endif
