/* SPDX-License-Identifier: MIT */
/* pairs - the files of two trees, each with the one that answers to it by path or by content. */
#ifndef TREES_PAIRS_H
#define TREES_PAIRS_H

#include "index/gaps.h"
#include "query/answer.h"
#include "query/list.h"

struct index;
struct indexes_other;
struct pairs;
struct tree_files;

/** What to compare. */
struct pairs_query {
	const char *left, *right;    /* absolute; both directories or both files */
	/** The indexes that have them; NULL: this one.  Equal paths are of different indexes. */
	const struct indexes_other *left_of, *right_of;
	const char *const *exclude;  /* absolute: as if these did not exist */
	size_t n_exclude;
	list_gap_fn *gap;            /* called for what could not be judged; or NULL */
	void *arg;
};

/** Called for each pair.  Returns 0 to go on, another value to stop. */
typedef int pairs_fn(void *arg, const struct pair_answer *p);

/**
 * Compare two trees: every file of both is looked at.  Where one lies in the other, the files of
 * the inner one are not of the outer.  Of two indexes, what has no hash is read.
 * What could not be judged is counted in *gaps.
 *
 * Returns 0 with owned *p, or -1: ERR_USAGE for a directory and a file, ERR_NO_PATH,
 * ERR_INTERRUPTED, ERR_BAD_INDEX, ERR_DB.
 */
int pairs_load(struct pairs **p, struct index *ix, const struct pairs_query *q, struct gaps *gaps, struct err *err);

/** What was found, in numbers.  Lives as long as p. */
const struct pairs_totals *pairs_totals(const struct pairs *p);

/** The files of a side, each with its class.  Live as long as p. */
const struct tree_files *pairs_side(const struct pairs *p, bool right);

/** Deliver the pairs of a class in the order of paths.  Returns 0, or what fn returned. */
int pairs_each(const struct pairs *p, enum pair_class class, pairs_fn *fn, void *arg);

/** Free.  Accepts NULL. */
void pairs_free(struct pairs *p);

#endif
