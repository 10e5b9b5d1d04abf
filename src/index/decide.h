/* SPDX-License-Identifier: MIT */
/* decide - mark files at and below paths: to keep any that are indexed, to drop those whose content survives. */
#ifndef INDEX_DECIDE_H
#define INDEX_DECIDE_H

#include <stddef.h>
#include <stdint.h>

#include "index/answer.h"

struct err;
struct index;

/** What came of it. */
struct decide_totals {
	int64_t n_marked;    /* now */
	int64_t n_already;   /* had that mark */
	int64_t n_refused;
};

/** Called for a file that may not be dropped, with the reason.  Returns 0 to go on, another value to stop. */
typedef int decide_fn(void *arg, const char *path, const char *why);

/**
 * Mark all indexed files at and below n absolute paths, none of which lies
 * in another, as one batch in one transaction.  A newer decision replaces an older one.
 *
 * To be dropped, a file must be a dup; and another inode of its content must
 * be there with its signature by a name that is not marked to be dropped.
 * Of the files of one content, those that are marked to be kept come last,
 * otherwise they come in order of path: so the last one is refused where all
 * copies lie below the paths.
 *
 * Returns 0 with *totals, what refused returned, or -1.
 */
int decide(struct index *ix, const char *const *paths, size_t n, enum mark_decision decision, decide_fn *refused,
           void *arg, struct decide_totals *totals, struct err *err);

#endif
