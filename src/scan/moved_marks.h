/* SPDX-License-Identifier: MIT */
/* moved_marks - directories whose marks follow them to where they lie after the walk. */
#ifndef SCAN_MOVED_MARKS_H
#define SCAN_MOVED_MARKS_H

struct dirmap;
struct index;
struct mount_points;

/** A directory that may lie elsewhere after the walk: its disk moved, or it was renamed. */
struct moved_marks_place {
	int64_t dir, up;   /* its number (order_cmp_int64), and its parent before the walk, or 0 */
	char *path, *to;   /* owned: where it lay, and lies now; to NULL: not known */
	bool begins;       /* a volume or a root begins there: it is known to be the same one */
};

/** Zero it, moved_marks_load() it before the walk, moved_marks_release() it. */
struct moved_marks {
	VEC(struct moved_marks_place) v;   /* by dir */
};

/** Note where volumes and roots begin and which directories lie above marks.  Returns 0 or -1. */
int moved_marks_load(struct moved_marks *m, struct index *ix, const struct dirmap *map, const struct mount_points *points, struct err *err);
/**
 * Let marks follow the directories that were met elsewhere.  A directory that is known by its
 * inode alone may be another one: it must still hold a marked file.  Inside a transaction, after
 * the sweep.  Returns 0 or -1.
 */
int moved_marks_follow(struct moved_marks *m, struct index *ix, const struct dirmap *map, struct err *err);
/** Free what it owns. */
void moved_marks_release(struct moved_marks *m);

#endif
