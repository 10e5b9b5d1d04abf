/* SPDX-License-Identifier: MIT */
/* missing_mount - a disk that is not mounted keeps its rows; the table is in missing_mount.c. */
#ifndef SCAN_MISSING_MOUNT_H
#define SCAN_MISSING_MOUNT_H

struct db;
struct dirmap;
struct dirmap_dir;
struct drawer;
struct index;
struct inode;
struct listing;
struct starts;
struct stats;
struct volumes;

/** Roots, and directories on another volume than what they lie in.  Zero it, vec_release() it. */
struct mount_points {
	size_t *v;                /* positions in the map, which may grow */
	size_t n, cap;
};

/** Find them, after root_place_join(), and set has_dirs of the map's directories. */
void mount_points_find(struct mount_points *m, struct dirmap *map);

/**
 * Let each volume that is still where the index has it keep its number, so that another one with
 * the same key, a copy of its disk, gets its own.  Call it before any device is asked for its
 * number.
 */
void mount_points_recognize(const struct mount_points *m, const struct dirmap *map, struct volumes *volumes);

/**
 * Before a walk of starts: mark as covered every mount point, at or below one of them, of the index
 * or of this moment, where another volume is now that is not empty and has none of the names
 * that the index has in it.
 * Files found there prove nothing about the indexed ones.  Where one of the names is left it is the
 * same tree: the keys of some volumes change with the device.
 *
 * Returns 0 or -1.
 */
int missing_mount_mark_covered(const struct mount_points *m, const struct dirmap *map, struct db *db, const struct starts *starts,
                               struct err *err);

/**
 * Whether volume is certainly another one than that of d, of which the index has something: it is
 * mounted over it.  no_files is the digest of a directory without files.  Any thread.
 */
bool missing_mount_is_covered(const struct dirmap_dir *d, struct volumes *volumes, int64_t volume, const uint8_t *no_files);

/** Whether inode lies at the mount point d of the index, whose volume is not there.  Any thread. */
bool missing_mount_is_bare(const struct dirmap *map, const struct dirmap_dir *d, struct inode inode);

/**
 * Whether the rows of a listed directory stay although it is empty, or covered, because its volume
 * is rather missing than cleared; counts tells so.  Returns 1, 0 or -1.
 */
int missing_mount_keeps(struct index *ix, const struct listing *l, struct stats *counts, struct err *err);

/**
 * Whether the directory d, which the walk did not find in parent, was a mount point that went with
 * its disk; counts tells so: its rows stay.
 */
bool missing_mount_point_gone(const struct dirmap *map, struct volumes *volumes, const struct drawer *drawer, const struct dirmap_dir *d,
                              const struct dirmap_dir *parent, struct stats *counts);

#endif
