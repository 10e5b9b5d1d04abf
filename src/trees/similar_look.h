/* SPDX-License-Identifier: MIT */
/* similar_look - whether directories still hold what the index says, by looking at all files. */
#ifndef TREES_SIMILAR_LOOK_H
#define TREES_SIMILAR_LOOK_H

#include "query/list.h"

struct dir_digest;
struct index;
struct similar_dirs;

/**
 * What was found.  Zero it, similar_look_note() what else is known, similar_look_load() it,
 * similar_look_release() it.
 */
struct similar_look {
	int64_t *unjudged;   /* by directory, from 0 up to it: what could not be judged before it */
	bool *gone;          /* by directory: it was asked for, and is not there any more */
};

/** Count what can't be judged at a path, which similar_look_load() does not list. */
void similar_look_note(struct similar_look *l, const struct dir_digest *h, const char *path, enum gap gap);

/**
 * Look at the directories: list them and all below them, but for what is excluded from the tree,
 * and look at all their files.  gap is called for what can't be judged: what is there and not in
 * the index, files that are gone or changed, what can't be read or is offline.
 *
 * Returns 0, or -1: ERR_INTERRUPTED, ERR_DB, ...
 */
int similar_look_load(struct similar_look *l, const struct dir_digest *h, struct index *ix, const struct similar_dirs *dirs,
                      const char *const *exclude, size_t n_exclude, list_gap_fn *gap, void *arg, struct err *err);

/** How much could not be judged at and below a directory; not looked at: by the index alone. */
int64_t similar_look_unjudged(const struct similar_look *l, const struct dir_digest *h, uint32_t dir);

/** Free what it owns. */
void similar_look_release(struct similar_look *l);

#endif
