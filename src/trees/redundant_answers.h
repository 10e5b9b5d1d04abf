/* SPDX-License-Identifier: MIT */
/* redundant_answers - what is said of directories of which it is known which go. */
#ifndef TREES_REDUNDANT_ANSWERS_H
#define TREES_REDUNDANT_ANSWERS_H

#include "trees/stat_results.h"
#include "trees/tree_answer.h"

struct dir_sum;
struct removal;

/** A directory to be answered for. */
struct redundant_answers_entry {
	uint32_t dir;
	enum tree_state state;
	uint32_t pair;           /* DIRTREE_NONE; then of one that goes: what stays for it alone */
};

/** What is known.  Everything is borrowed for the call. */
struct redundant_answers {
	struct removal *removal; /* what goes */
	struct stat_results *looks;  /* those of removal */
	const struct dir_sum *sums;  /* by directory */
	const bool *mounted;     /* by directory: something is mounted there */
	struct redundant_answers_entry *v;   /* in the order of the answers */
	size_t n;
};

/** Called for each.  Returns 0 to go on, another value to stop. */
typedef int redundant_answers_fn(void *arg, const struct tree_answer *a);

/**
 * Deliver the answers: where the contents of each lie besides, and which directories lean on
 * which.  gap, or NULL, is called for what was not judged in one that is not proven, and for copies
 * that nobody could look at.  All is added to *totals.  Returns 0, what fn returned, or -1:
 * ERR_INTERRUPTED.
 */
int redundant_answers_each(const struct redundant_answers *q, redundant_answers_fn *fn, stat_results_gap_fn *gap, void *arg,
                           struct tree_totals *totals, struct err *err);

#endif
