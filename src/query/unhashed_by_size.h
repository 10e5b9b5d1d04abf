/* SPDX-License-Identifier: MIT */
/*
 * unhashed_by_size - the names of a size in an index by their heads, kept for the files that ask
 * next.
 */
#ifndef QUERY_UNHASHED_BY_SIZE_H
#define QUERY_UNHASHED_BY_SIZE_H

#include "index/file.h"
#include "index/presence.h"

struct index;
struct indexes;
struct indexes_other;
struct unhashed_by_size_list;

/** = { .here = ..., .where = ... }; unhashed_by_size_release() it. */
struct unhashed_by_size {
	struct presence_view *here;    /* of this index */
	struct presence_where where;   /* where names count */
	/* private */
	VEC(struct unhashed_by_size_list *) lists;
	struct table by_size;
	size_t total;            /* names in all of them, and some for each */
};

/** An iteration, on the caller's stack. */
struct unhashed_by_size_names {
	/* private */
	const struct unhashed_by_size_list *list;
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
int unhashed_by_size_begin(struct unhashed_by_size *s, struct indexes_other *of, bool read, const struct file_row *self, struct unhashed_by_size_names *names,
                struct err *err);

/**
 * The next name as its index has it, or NULL behind the last.  Valid until unhashed_by_size_trim.
 */
const struct file_row *unhashed_by_size_next(struct unhashed_by_size_names *names);

/** A name that was looked at; its row is taken. */
struct unhashed_by_size_found {
	struct file_row row;
	enum presence presence;
	const char *path;        /* valid until another one of its index is looked at */
};

/**
 * Go on to the next name that may have the content of self, which is at path: it counts, it is not
 * gone, and it is not self, by another name, mount or index.  Returns 1, 0 or -1.
 */
int unhashed_by_size_find(struct unhashed_by_size *s, struct unhashed_by_size_names *names, const char *path, struct unhashed_by_size_found *found, struct err *err);

/**
 * Whether another index than of has a name that may equal self, a taken row of of.  Returns 1, 0
 * or -1.
 */
int unhashed_by_size_elsewhere(struct unhashed_by_size *s, const struct indexes *with, const struct indexes_other *of, const struct file_row *self,
                    const char *path, struct err *err);

/** Free all lists if they are large.  No iteration may be under way. */
void unhashed_by_size_trim(struct unhashed_by_size *s);

/** Free what it owns; it may be used again. */
void unhashed_by_size_release(struct unhashed_by_size *s);

#endif
