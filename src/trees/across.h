/* SPDX-License-Identifier: MIT */
/* across - sides of two indexes: what neither of these proves. */
#ifndef TREES_ACROSS_H
#define TREES_ACROSS_H

struct tree_files;

/**
 * Prepare two loaded sides for a comparison, unless both are of this index.
 *
 *  - A file that both sides have is no copy of itself: it becomes PRESENCE_EXCLUDED in both, and is
 *    told as reached by another path.
 *  - Files without hash that may have the content of one of the other side are read, each inode
 *    once, for nothing proves that they differ.  What can't be read stays unproven, and is told.
 *
 * Returns 0, or -1: ERR_INTERRUPTED, ERR_BAD_INDEX, ERR_DB.
 */
int across_settle(struct tree_files *left, struct tree_files *right, struct err *err);

#endif
