/* SPDX-License-Identifier: MIT */
/* remounted - paths that are indexed where their disk was mounted before. */
#ifndef INDEX_REMOUNTED_H
#define INDEX_REMOUNTED_H

struct db;
struct remounted_place;

/** = { .db = db }, then remounted_release(). */
struct remounted {
	struct db *db;
	/* private */
	struct {
		struct remounted_place *v;   /* where volumes begin that are not there */
		size_t n, cap;
	} places;
	bool loaded;
	struct buf path, why;        /* of remounted_find: where it climbs, what it says */
};

/**
 * Find the path by which the index has the absolute path, if it lies on a file system that was
 * mounted elsewhere when it was scanned, and no longer is.
 *
 * Returns 1 with *why, a message that names that path and what to scan, valid until the next call;
 * 0; or -1 with *err.
 */
int remounted_find(struct remounted *m, const char *path, const char **why, struct err *err);
/** Free what was loaded. */
void remounted_release(struct remounted *m);

#endif
