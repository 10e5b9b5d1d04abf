/* SPDX-License-Identifier: MIT */
/*
 * changed - what file systems know to have changed since the last scan of a root: a scan then looks
 * at nothing else.
 */
#ifndef SCAN_CHANGED_H
#define SCAN_CHANGED_H

#include "scan/dirmap.h"
#include "sys/fs.h"

struct dirty;
struct index;
struct mount_points;
struct roots;
struct starts;
struct volumes;

/** What a volume had before this scan looked at it. */
struct changed_picture {
	int64_t volume;
	struct buf picture;
};

/** What is known of a volume since the scan of a root. */
struct changed_since {
	int64_t scan, volume;
	bool all;
};

/** Set what is borrowed; changed_mark() or not, changed_keep(), changed_release(). */
struct changed {
	struct index *ix;
	struct dirmap *map;
	const struct roots *roots;
	struct volumes *volumes;
	const struct starts *starts;
	const struct mount_points *points;
	struct dirty *dirty;
	struct fs_time window;
	bool use;                              /* else only take pictures, for the next scan */
	/* Private. */
	VEC(struct changed_picture) pictures;
	VEC(struct changed_since) since;
	struct buf mounts;                     /* each ended by a NUL */
	uint8_t *seen;                         /* bits: directories that were looked at as a head */
};

/**
 * Before the walk: take pictures of the volumes at and below the start points, and mark in dirty
 * what changed since the last scan of each root.  Where that is not known, all is marked; so are
 * directories that are mounted, were, or are not what the index has there.
 *
 * Returns 1: look only at what is marked; 0: look at everything; -1: *err.
 */
int changed_mark(struct changed *c, struct err *err);
/**
 * Keep the pictures with a scan if it was whole: nothing that it should have looked at was away.
 * Drop those of scans that are no root's last one.  Inside a transaction.  Returns 0 or -1.
 */
int changed_keep(struct changed *c, int64_t scan, bool whole, struct err *err);
/** Drop all pictures: rows went of which the disk knows nothing.  Inside a transaction. */
int changed_forget(struct index *ix, struct err *err);
/** Free what it owns. */
void changed_release(struct changed *c);

#endif
