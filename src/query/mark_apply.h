/* SPDX-License-Identifier: MIT */
/* mark_apply - mark files at and below paths: to keep, or to drop where their content survives. */
#ifndef QUERY_MARK_APPLY_H
#define QUERY_MARK_APPLY_H

#include "index/gaps.h"
#include "query/choose.h"

struct index;

/** What came of it. */
struct mark_apply_totals {
	int64_t n_marked;    /* now */
	int64_t n_already;   /* had that mark */
	int64_t n_must;      /* copies marked keep besides, because keep demands their number */
	int64_t n_refused;
	int64_t batch;       /* mark_begin's: what one undo takes back */
	struct gaps gaps;    /* of the places where copies count, if they may matter */
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

/** Which files get which mark, and who is told; both functions must be set. */
struct mark_apply_query {
	const char *const *paths;   /* absolute, none in another: the files at and below */
	size_t n_paths;
	enum mark_decision decision;
	const struct keep *keep;    /* to drop: which copies stay */
	bool force;                 /* to drop also what is marked keep */
	mark_apply_fn *refused;
	mark_apply_marked_fn *marked;
	bool all;                   /* call marked for all files, not for paths alone */
	void *arg;
};

/**
 * Mark all indexed files at and below the paths, as one batch in one transaction.  A newer decision
 * replaces an older one, but drop replaces keep only with force.
 *
 * To be dropped, a file must be a dup; and keep_choose() must let it go, for which what is marked
 * drop counts as gone.
 *
 * Returns 0 with *totals, what a function of q returned, or -1.
 */
int mark_apply(struct index *ix, const struct mark_apply_query *q, struct mark_apply_totals *totals, struct err *err);

/**
 * Mark n files, each as its item says, as one batch in one transaction.  Of each content the
 * files to keep are marked before those to drop.  Otherwise as mark_apply; paths and decision of q
 * do not count.
 */
int mark_apply_items(struct index *ix, const struct mark_apply_query *q, const struct choose_item *items, size_t n,
                     struct mark_apply_totals *totals, struct err *err);

#endif
