/* SPDX-License-Identifier: MIT */
/* joined - several indexes as one in memory, for questions that go through all rows at once. */
#ifndef QUERY_JOINED_H
#define QUERY_JOINED_H

#include "query/sets_groups.h"

struct index;

/** A directory of the joined index that lies in no other of its index. */
struct joined_top {
	int64_t id;
	size_t of;               /* the number of its index; 0: this one */
};

/** Zero it, joined_open() it, joined_close() it. */
struct joined {
	struct index *ix;        /* owned; to be read */
	VEC(struct joined_top) tops; /* in the order of indexes */
	VEC(int64_t) last;       /* by number of an index: the greatest id of its directories */
};

/**
 * Join this index and those of q->with.  A directory that several of them have is that of the
 * first.  Files without a hash that may be copies of another index's are read (sets_unread); of q
 * with, exclude, no_check and gap count.  gap is called for what can't be read, and for a directory
 * of another disk, which is left out because an index before has one at its path.  Takes some 200
 * bytes of memory a file, and its name.
 *
 * Returns 0, or -1: ERR_INTERRUPTED, ERR_BAD_INDEX, ERR_DB.
 */
int joined_open(struct joined *j, struct index *ix, const struct sets_query *q, struct err *err);

/** The number of the index that has a directory of the joined one. */
size_t joined_of(const struct joined *j, int64_t dir);

/** Free what it owns. */
void joined_close(struct joined *j);

#endif
