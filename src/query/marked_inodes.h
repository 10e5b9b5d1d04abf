/* SPDX-License-Identifier: MIT */
/*
 * marked_inodes - inodes that disappear when marks are acted on: all their names are marked drop.
 */
#ifndef QUERY_MARKED_INODES_H
#define QUERY_MARKED_INODES_H

struct dirtree;
struct index;

/**
 * Called for such an inode: dir is the nearest directory of the tree that all its names are below;
 * within: all are directly in it.
 */
typedef void marked_inodes_fn(void *arg, uint32_t dir, bool within, int64_t size);

/**
 * Deliver them, as indexed, but for what is excluded from the tree.  A mark counts if its file
 * has the content that was marked.  Returns 0 or -1.
 */
int marked_inodes_each(struct index *ix, const struct dirtree *dirs, marked_inodes_fn *fn, void *arg, struct err *err);

#endif
