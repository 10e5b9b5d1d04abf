/* SPDX-License-Identifier: MIT */
/* similar - which directories share content with each other, and how much of each. */
#ifndef TREES_SIMILAR_H
#define TREES_SIMILAR_H

#include "trees/dir_digest.h"
#include "trees/similar_match.h"

struct index;

/** What is asked. */
struct similar_query {
	const char *const *dirs;     /* one: pairs with a side there; several: between them */
	size_t n_dirs;
	const size_t *groups;        /* of dirs: only pairs between group 0 and others; or NULL */
	const char *const *exclude;  /* as if these did not exist */
	size_t n_exclude;
	int64_t min_share;           /* percent of one of the two: 1 to 100 */
	int64_t min_size;            /* bytes of shared contents, each once */
	bool by_name;                /* contents are the same only under the same name */
};

/** Pairs, most shared bytes first.  Zero it, similar_load() it, similar_release() it. */
struct similar {
	struct dir_digest h;
	struct similar_pairs pairs;
	/* private */
	struct similar_tops tops;
	uint32_t *dirs;
};

/**
 * Find the pairs as indexed; no file is looked at.  Each pair stands for those below it that say
 * no more, and for those of twins of its directories.  left lies in the first directory of q, or
 * in an earlier one than right, otherwise it comes first by path.  What q points to is borrowed
 * for this call.
 *
 * Returns 0, or -1: ERR_USAGE for a directory that the index does not have, ERR_INTERRUPTED,
 * ERR_BAD_INDEX, ERR_DB.
 */
int similar_load(struct similar *s, struct index *ix, const struct similar_query *q, struct err *err);
/** Free what it owns. */
void similar_release(struct similar *s);

/** Numbers of directories; release with vec_release(). */
struct similar_dirs {
	uint32_t *v;
	size_t n, cap;
};

/** Append the twins of a directory among those that were asked for: others than these two. */
void similar_twins(const struct similar *s, uint32_t dir, uint32_t other, struct similar_dirs *dirs);

#endif
