/* SPDX-License-Identifier: MIT */
/*
 * similar_trash - files in trashes of the directories of pairs, whose content lies nowhere else.
 */
#ifndef TREES_SIMILAR_TRASH_H
#define TREES_SIMILAR_TRASH_H

struct dir_digest;
struct index;
struct similar_dirs;

/** Called for such a file; path is borrowed for the call. */
typedef void similar_trash_fn(void *arg, const char *path);

/**
 * Find the files in trashes that the digest leaves out, at and below dirs, but not at and below n
 * paths, of which no file outside of trashes has the content, by the index.  Returns 0 or -1.
 */
int similar_trash_each(const struct dir_digest *h, struct index *ix, const struct similar_dirs *dirs, const char *const *exclude,
                       size_t n, similar_trash_fn *fn, void *arg, struct err *err);

#endif
