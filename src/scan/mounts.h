/* SPDX-License-Identifier: MIT */
/* mounts - where the index knows roots and other volumes, and what lies there now. */
#ifndef SCAN_MOUNTS_H
#define SCAN_MOUNTS_H

struct db;
struct dirmap;
struct starts;
struct volumes;

/** The roots of a map, and its directories on another volume than what they lie in.  Zero it. */
struct mounts {
	size_t *v;                /* positions in the map, which may grow */
	size_t n, cap;
};

/** Find them, after root_place_join(), and set has_dirs of the map's directories. */
void mounts_find(struct mounts *m, struct dirmap *map);
/** Free the list. */
void mounts_release(struct mounts *m);

/**
 * Let each volume that is still where the index has it keep its number, so that another one with
 * the same key, a copy of its disk, gets its own.  Call it before any device is asked for its
 * number.
 */
void mounts_recognize(const struct mounts *m, const struct dirmap *map, struct volumes *volumes);

/**
 * Before a walk of starts: mark as covered every mount, at or below one of them, that is another
 * volume now, not empty, with none of the names that the index has directly in it.  Files
 * found there prove nothing about the indexed ones.  Where one of the names is left it is the same
 * tree: the keys of some volumes change with the device.
 *
 * Returns 0 or -1.
 */
int mounts_mark_covered(const struct mounts *m, const struct dirmap *map, struct db *db, const struct starts *starts,
                        struct err *err);

#endif
