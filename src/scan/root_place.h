/* SPDX-License-Identifier: MIT */
/* root_place - where a root lies now, by path and inode: one rule for all phases of a scan. */
#ifndef SCAN_ROOT_PLACE_H
#define SCAN_ROOT_PLACE_H

#include "index/inode.h"

struct dirmap;
struct dirmap_dir;
struct index;
struct root;
struct roots;
struct volumes;

/** Tell the map which directories are roots. */
void root_place_join(struct roots *roots, const struct dirmap *map);

/** Before a scan, after root_place_join(): look where the path of each root leads. */
void root_place_look(struct roots *roots, const struct dirmap *map, struct volumes *volumes);

/** Whether a root has moved, given that its inode was met at another path. */
bool root_place_has_moved(const struct root *root, int64_t inode);

/** What has become of a root when the walk is over. */
enum root_place_end {
	ROOT_PLACE_MET,       /* it was met: at its path, or where it has moved */
	ROOT_PLACE_KEPT,      /* it was not: it keeps its path and its rows */
	ROOT_PLACE_ELSEWHERE  /* it goes: another root has its directory, or its path is lost */
};

/** Tell what became of a root, after merge_finish has brought the map up to date. */
enum root_place_end root_place_end(const struct dirmap *map, const struct root *root);

/**
 * Hang the directory d at a free place, name in parent.  Inside a transaction.  Returns 0 or -1.
 */
int root_place_hang_at(struct dirmap *map, struct index *ix, struct dirmap_dir *d, int64_t parent, const char *name, size_t len,
                  struct err *err);
/**
 * Hang the directory d, which is at path, on the directory above it; without parent where the
 * index has none there.  After vanished directories were dropped; inside a transaction.  Returns 0
 * or -1.
 */
int root_place_hang(struct dirmap *map, struct index *ix, struct dirmap_dir *d, const char *path, struct err *err);

#endif
