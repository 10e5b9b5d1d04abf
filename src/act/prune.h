/* SPDX-License-Identifier: MIT */
/* prune - remove directories that acts have left empty. */
#ifndef ACT_PRUNE_H
#define ACT_PRUNE_H

struct index;
struct roots;

/** Directories that lost a file; zero it, prune_release() it. */
struct prune {
	/* private */
	VEC(char *) dirs;
	struct arena memory;
};

/** Called for a directory that was removed. */
typedef void prune_fn(void *arg, const char *path);

/** Note that the file at an absolute path is gone. */
void prune_add(struct prune *p, const char *path);
/**
 * Remove each directory that lost a file, and those above it, as far as they are empty now.  Never
 * a root of the index, nor what lies above one of the operands.  The rows of what is removed go as
 * well.  Returns 0 or -1 with *err.
 */
int prune_run(struct prune *p, struct index *ix, const struct pathset *operands, prune_fn *fn, void *arg, struct err *err);
/**
 * Remove the directory at an absolute path if it is empty and no root, and its row.  Inside a
 * transaction.  Returns 1, 0: it is a root, not empty, or cannot be removed; or -1.
 */
int prune_one(struct index *ix, const struct roots *roots, const char *dir, struct err *err);
/** Free the memory. */
void prune_release(struct prune *p);

#endif
