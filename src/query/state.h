/* SPDX-License-Identifier: MIT */
/* state - the state of one file: its copies and links, and the proof that it has none. */
#ifndef QUERY_STATE_H
#define QUERY_STATE_H

#include <stdbool.h>
#include <stddef.h>

#include "base/arena.h"
#include "base/vec.h"
#include "index/presence.h"
#include "index/mark_effect.h"
#include "index/file.h"
#include "query/members.h"

/** How to look for copies. */
struct state_query {
	const char *const *exclude;  /* absolute: as if these did not exist */
	size_t n_exclude;
	const char *const *in;       /* absolute: only copies and links there; none: all */
	size_t n_in;
	bool links_are_copies;       /* another name of the inode is enough to be a dup */
	bool links_are_unique;       /* a file with links only is unique (dupd -I) */
	bool members;                /* deliver all members, not only the state */
	bool count;                  /* count all copies even so */
	/**
	 * Whether it is enough to know that a content has other names: of a file that is there
	 * with it unknown is said, without a reason, and no copy is looked for.  Or NULL.
	 */
	bool (*several)(void *arg, int64_t size, const uint8_t *hash);
	void *several_arg;
};

/**
 * Working memory for many files; = { .check = ..., .q = ... }, state_release() it.
 * The members of a content that many files have are looked at once.
 */
struct state {
	struct presence_view *check;
	const struct state_query *q;
	/* private */
	VEC(struct member) members;
	VEC(int64_t) volumes;
	struct arena paths;      /* of the members */
	struct mark_effect effect;
	struct members kept;
	struct countmap *inodes;     /* of the copies, where they may be many; else NULL */
};

void state_release(struct state *c);

/**
 * Find the state of the file at path, of which the index has this row.  kind
 * is what presence_row or presence_stat said of it.  *a is filled; its pointers are
 * valid until the next call.  Returns 0 or -1 with *err.
 */
int state_of_row(struct state *c, const struct file_row *row, enum presence presence, const char *path,
                  struct file_answer *a, struct err *err);

/**
 * Find the copies of a file that the index does not have, by its size, and
 * its content as far as the question needs it: the file is read only when the
 * index has its size, and an indexed file that was never read is read now (nothing is written).
 * Returns 0 or -1 with *err.
 */
int state_of_outside(struct state *c, const char *path, struct file_answer *a, struct err *err);

#endif
