/* SPDX-License-Identifier: MIT */
/* newcomers - files that came into directories after all else in these was marked keep. */
#ifndef QUERY_NEWCOMERS_H
#define QUERY_NEWCOMERS_H

struct index;

/** Called for a directory, the highest one, with n files that came there or further down. */
typedef int newcomers_fn(void *arg, const char *dir, int64_t n);

/**
 * Find the directories below which files are marked keep, and all others have a later ctime than
 * the newest of these marks.  Returns 0, what fn returned, or -1.
 */
int newcomers_each(struct index *ix, newcomers_fn *fn, void *arg, struct err *err);

#endif
