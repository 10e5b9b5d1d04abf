/* SPDX-License-Identifier: MIT */
/* moved - paths that are indexed where their disk was mounted before. */
#ifndef INDEX_MOVED_H
#define INDEX_MOVED_H

struct db;
struct moved_place;

/** = { .db = db }, then moved_release(). */
struct moved {
	struct db *db;
	/* private */
	struct {
		struct moved_place *v;   /* where volumes begin that are not there */
		size_t n, cap;
	} places;
	bool loaded;
	struct buf path, why;        /* of moved_find: where it climbs, what it says */
};

/**
 * Find the path by which the index has the absolute path, if it lies on a file system that was
 * mounted elsewhere when it was scanned, and no longer is.
 *
 * Returns 1 with *why, a message that names that path and what to scan, valid until the next call;
 * 0; or -1 with *err.
 */
int moved_find(struct moved *m, const char *path, const char **why, struct err *err);
/** Free what was loaded. */
void moved_release(struct moved *m);

#endif
