/* SPDX-License-Identifier: MIT */
/* marked - directories whose marks follow them to where they lie after the walk. */
#ifndef SCAN_MARKED_H
#define SCAN_MARKED_H

struct dirmap;
struct index;
struct mounts;

/** A directory that may lie elsewhere after the walk: its disk moved, or it was renamed. */
struct marked_place {
	int64_t dir, up;   /* its number, and that of its parent before the walk, or 0 */
	char *path, *to;   /* owned: where it lay, and lies now; to NULL: not known */
	bool begins;       /* a volume or a root begins there: it is known to be the same one */
};

/** Zero it, marked_load() it before the walk, marked_release() it. */
struct marked {
	VEC(struct marked_place) v;   /* by dir */
};

/** Note where volumes and roots begin and which directories lie above marks.  Returns 0 or -1. */
int marked_load(struct marked *m, struct index *ix, const struct dirmap *map, const struct mounts *mounts, struct err *err);
/**
 * Let marks follow the directories that were met elsewhere.  A directory that is known by its
 * inode alone may be another one: it must still hold a marked file.  Inside a transaction, after
 * the sweep.  Returns 0 or -1.
 */
int marked_follow(struct marked *m, struct index *ix, const struct dirmap *map, struct err *err);
/** Free what it owns. */
void marked_release(struct marked *m);

#endif
