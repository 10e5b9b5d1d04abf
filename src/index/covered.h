/* SPDX-License-Identifier: MIT */
/* covered - directories of the index over which something else is mounted now, or from which their volume is gone. */
#ifndef INDEX_COVERED_H
#define INDEX_COVERED_H

struct db;
struct dirmap;
struct err;
struct roots;
struct tops;

/**
 * Before a walk of tops: mark as covered every root and every mount point of
 * the map, at or below one of them, that is another volume now, not empty,
 * with none of the names that the index has directly in it.  What is found
 * there says nothing about these.  Where a name is left, it is the same tree:
 * the keys of some volumes change with the device.
 *
 * Returns 0 or -1.
 */
int covered_mark(struct dirmap *map, struct db *db, const struct roots *roots, const struct tops *tops, struct err *err);

#endif
