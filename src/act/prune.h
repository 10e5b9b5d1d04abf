/* SPDX-License-Identifier: MIT */
/* prune - remove directories that are empty after an act. */
#ifndef ACT_PRUNE_H
#define ACT_PRUNE_H

#include "index/wholes.h"

struct index;
struct keep;
struct roots;

/** Directories that lost a file; zero it, prune_release() it. */
struct prune {
	/* private */
	VEC(char *) dirs;
	struct arena memory;
};

/** Which directories may be removed. */
struct prune_query {
	const struct pathset *operands; /* what lies above these is kept; none: of any */
	bool empty;                     /* at and below operands also what was empty before */
	bool hidden;                    /* also what is hidden, and other users' directories */
	bool inside;                    /* also those in directories that belong together */
	const char *const *wholes;      /* index/wholes: what else makes such a directory */
	size_t n_wholes;
	const struct keep *keep;        /* what it protects was empty for good */
};

/** Called for a directory that was removed. */
typedef void prune_fn(void *arg, const char *path);

/** Note that the file at an absolute path is gone. */
void prune_add(struct prune *p, const char *path);
/**
 * Remove each directory that lost a file, and with q->empty those of the index that hold no file,
 * and the directories above, as far as they are empty now.  What was empty before stays in a
 * directory that belongs together and has files, in a backup, and where it is protected; where it
 * is hidden, unless nothing hidden beside it has a file; and where it is another user's.  Never a
 * root of the index, nor what lies above one of the operands.  The rows of what is removed go as
 * well.  Returns 0 or -1 with *err.
 */
int prune_run(struct prune *p, struct index *ix, const struct prune_query *q, prune_fn *fn, void *arg, struct err *err);
/**
 * Remove the directory at an absolute path if it is empty and no root, and its row.  Inside a
 * transaction.  Returns 1, 0: it is a root, not empty, or cannot be removed; or -1.
 */
int prune_one(struct index *ix, const struct roots *roots, const char *dir, struct err *err);
/** Free the memory. */
void prune_release(struct prune *p);

#endif
