/* SPDX-License-Identifier: MIT */
/*
 * moved_dir - which row of the index a directory is, wherever it has moved.
 *
 * A directory that was renamed is known by its inode: it keeps its row, and all that lies in it is
 * compared with the rows that are there.  So its hashes stay, and nothing is read.
 */
#ifndef SCAN_MOVED_DIR_H
#define SCAN_MOVED_DIR_H

struct dir_here;
struct dirmap;
struct dirmap_dir;
struct roots;

/**
 * Choose the row of the index that a directory is, and claim it for the calling thread.  Returns
 * it, or NULL when the directory is new.  *unclaimed: the row is of a mount point
 * whose volume is not here and may yet be met elsewhere; listing_settle claims it.
 *
 * A root is known by its path, or has moved (root_place).  For other directories the inode comes
 * first, then the place in the index.
 */
struct dirmap_dir *moved_dir_claim(const struct dirmap *map, const struct roots *roots, const struct dir_here *here,
                                   bool *unclaimed);

#endif
