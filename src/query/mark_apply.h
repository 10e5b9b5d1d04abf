/* SPDX-License-Identifier: MIT */
/* mark_apply - mark files at and below paths: to keep, or to drop where their content survives. */
#ifndef QUERY_MARK_APPLY_H
#define QUERY_MARK_APPLY_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "query/answer.h"

struct err;
struct index;

/** What came of it. */
struct mark_apply_totals {
	int64_t n_marked;    /* now */
	int64_t n_already;   /* had that mark */
	int64_t n_refused;
};

/** Called for a file that may not be dropped, with the reason.  Returns 0 to go on. */
typedef int mark_apply_fn(void *arg, const char *path, const char *why);

/** A file that got its mark.  Borrowed for the call. */
struct mark_apply_marked {
	const char *path;
	enum mark_decision decision;
	bool already;        /* it had that mark */
	const char *stays;   /* to be dropped: a name of another inode of its content that is not */
	int64_t n_stay;      /* ... and how many such inodes there are */
};
/** Called for a file that got its mark.  Returns 0 to go on, another value to stop. */
typedef int mark_apply_marked_fn(void *arg, const struct mark_apply_marked *m);

/** Callbacks for single files; both must be set. */
struct mark_apply_told {
	mark_apply_fn *refused;
	mark_apply_marked_fn *marked;
	bool all;                   /* call marked for all files, not for paths alone */
	void *arg;
};

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
 * Returns 0 with *totals, what a function of told returned, or -1.
 */
int mark_apply(struct index *ix, const char *const *paths, size_t n, enum mark_decision decision,
           const struct mark_apply_told *told, struct mark_apply_totals *totals, struct err *err);

#endif
