/* SPDX-License-Identifier: MIT */
/* sized - the names of a size in an index by their heads, kept for the files that ask next. */
#ifndef QUERY_SIZED_H
#define QUERY_SIZED_H

#include "index/file.h"
#include "index/presence.h"

struct index;
struct indexes;
struct indexes_other;
struct sized_list;

/** = { .here = ..., .where = ... }; sized_release() it. */
struct sized {
	struct presence_view *here;    /* of this index */
	struct presence_where where;   /* where names count */
	/* private */
	VEC(struct sized_list *) lists;
	struct table by_size;
	size_t total;            /* names in all of them, and some for each */
};

/** An iteration, on the caller's stack. */
struct sized_names {
	/* private */
	const struct sized_list *list;
	size_t at[2], end[2];    /* two ranges of it */
	struct indexes_other *of;
	const struct file_row *self;
};

/**
 * Begin with the names of self's size in an index (of is NULL for this one) that were read whole,
 * or that were not, without those that another head tells from self.  The names are loaded by the
 * first that asks for them.  self is borrowed.
 *
 * Returns 0, or -1: ERR_BAD_INDEX, ERR_DB, ERR_INTERRUPTED.
 */
int sized_begin(struct sized *s, struct indexes_other *of, bool read, const struct file_row *self, struct sized_names *names,
                struct err *err);

/** The next name as its index has it, or NULL behind the last.  Valid until sized_trim. */
const struct file_row *sized_next(struct sized_names *names);

/** A name that was looked at; its row is taken. */
struct sized_found {
	struct file_row row;
	enum presence presence;
	const char *path;        /* valid until another one of its index is looked at */
};

/**
 * Go on to the next name that may have the content of self, which is at path: it counts, it is not
 * gone, and it is not self, by another name, mount or index.  Returns 1, 0 or -1.
 */
int sized_find(struct sized *s, struct sized_names *names, const char *path, struct sized_found *found, struct err *err);

/**
 * Whether an index but of has such a name, for nothing tells it apart from self, a row of of that
 * was taken.  Returns 1, 0 or -1.
 */
int sized_elsewhere(struct sized *s, const struct indexes *with, const struct indexes_other *of, const struct file_row *self,
                    const char *path, struct err *err);

/** Forget all, if it is much: no iteration is under way. */
void sized_trim(struct sized *s);

/** Free what it owns; it may be used again. */
void sized_release(struct sized *s);

#endif
