/* SPDX-License-Identifier: MIT */
/*
 * mounted_twice - one directory of the disk at two paths: a bind mount, a disk or a subvolume that
 * is mounted twice.
 *
 * It is walked and indexed once, where the index has it, or else where a walk meets it first (which
 * visit asks visit_state.dirs).
 */
#ifndef SCAN_MOUNTED_TWICE_H
#define SCAN_MOUNTED_TWICE_H

#include "index/inode.h"

struct dirmap;
struct dirmap_dir;

/** A directory of the disk, where a walk or a look has met it. */
struct dir_here {
	const char *start, *rel;   /* its path: that of the start point, and from there on */
	bool look;                 /* compare the path with those of roots */
	struct dirmap_dir *place;  /* what the index has at this place; NULL: nothing */
	uint64_t dev;
	struct inode inode;        /* volume 0: it can't be looked at */
};

/** Set path to its path. */
void dir_here_path(const struct dir_here *here, struct buf *path);

/** Whether it is d, and the path that the index has of d, another one, leads to it as well. */
bool mounted_twice_at_both(const struct dirmap *map, const struct dirmap_dir *d, const struct dir_here *here);

/**
 * Whether it belongs elsewhere: it is not the inode that the index has at this place, and another
 * path of the index leads to it as well.
 */
bool mounted_twice_is(const struct dirmap *map, const struct dir_here *here);

#endif
