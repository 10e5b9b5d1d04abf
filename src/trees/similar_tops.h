/* SPDX-License-Identifier: MIT */
/* similar_tops - which directories are worth comparing: pairs of tops with what they share. */
#ifndef TREES_SIMILAR_TOPS_H
#define TREES_SIMILAR_TOPS_H

struct dir_digest;

/**
 * A content in more directories than these is common: it makes no pairs by itself, but for
 * neighbours among these directories, and is counted in those that others make.
 */
#define SIMILAR_COMMON 8

/** Two directories, neither below the other; left has the lesser number. */
struct similar_top {
	uint32_t left, right;
	uint32_t first, n;       /* contents in both, not common: in similar_tops.contents */
};

/** Directories that hold the same, to be compared themselves. */
struct similar_equal {
	uint32_t top;            /* position of the pair of tops that they lie in */
	uint32_t left, right;
};

/** A name of a common content: its position in the map. */
struct similar_common {
	uint32_t dir, content, name;
};

/**
 * What is asked for, and the pairs that come of it.  Set h and dirs, zero the rest,
 * similar_tops_find() it, similar_tops_release() it.
 */
struct similar_tops {
	const struct dir_digest *h;
	const uint32_t *dirs;    /* one: a side there; several: between them; none: all */
	size_t n_dirs;
	const size_t *groups;    /* of dirs: pairs between the first group and others; or NULL */
	VEC(struct similar_top) all;
	uint32_t *order;         /* positions in all: those with the same left one together */
	uint32_t *contents;
	VEC(struct similar_equal) equals;      /* by top */
	VEC(struct similar_common) common;     /* by dir, content, name */
	uint8_t *is_common;                    /* by content */
	/* private */
	struct table by_pair;
};

/** Find all pairs of tops.  Returns 0, or -1: ERR_INTERRUPTED. */
int similar_tops_find(struct similar_tops *t, struct err *err);
/** Free what it owns. */
void similar_tops_release(struct similar_tops *t);

/**
 * The first operand that a directory lies in, the innermost one; n_dirs for none.
 */
size_t similar_tops_operand(const struct similar_tops *t, uint32_t dir);

#endif
