/* SPDX-License-Identifier: MIT */
/* merge - the part of a scan that writes: a directory's listing against its rows, and what vanished. */
#ifndef INDEX_MERGE_H
#define INDEX_MERGE_H

#include <stdbool.h>
#include <stdint.h>

#include "base/vec.h"
#include "index/file.h"

struct dirmap;
struct err;
struct index;
struct listing;
struct plan;
struct roots;
struct tally;
struct tally_hooks;
struct volumes;

/** A directory that is new or has a new place; the map learns of it when the walk is over. */
struct merge_place {
	int64_t id, parent, volume, inode;
	char *name;            /* owned */
	size_t name_len;
};

/** Zero it, set the borrowed fields, merge_release() it. */
struct merge {
	struct index *ix;
	struct dirmap *map;
	struct volumes *volumes;
	const struct roots *roots;
	struct tally *counts;
	const struct tally_hooks *hooks;
	struct plan *plan;
	bool rehash;
	bool force_purge;

	VEC(struct merge_place) places;
	VEC(struct file_row) rows; /* of one directory */
	VEC(int64_t) aside;      /* directories whose place another one took */
	VEC(int64_t) unread;     /* directories that were not read to their end */
	bool wrote;              /* the index differs from before */
};

/** Free what it owns. */
void merge_release(struct merge *m);

/** Write what a listing says.  Inside a transaction.  Takes parts of l, which the caller still frees. */
int merge_listing(struct merge *m, struct listing *l, struct err *err);

/**
 * After the walk: teach the map the new places, and drop every directory that
 * was not met although its parent was read to the end.  Inside a transaction.
 */
int merge_finish(struct merge *m, struct err *err);

#endif
