/* SPDX-License-Identifier: MIT */
/* offline_dirs - the directories of the index whose disk or root is missing now. */
#ifndef INDEX_OFFLINE_DIRS_H
#define INDEX_OFFLINE_DIRS_H

struct index;

/** Called for an absolute path.  Returns 0 to go on, another value to stop. */
typedef int offline_dirs_fn(void *arg, const char *path);

/**
 * Deliver the directories where volumes and roots begin in the index, if files there are offline
 * (index/presence).  All offline files are at or below one of these; one may come twice, or lie
 * below another.  Returns 0, what fn returned, or -1.
 */
int offline_dirs_each(struct index *ix, offline_dirs_fn *fn, void *arg, struct err *err);

#endif
