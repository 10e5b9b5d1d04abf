/* SPDX-License-Identifier: MIT */
/* look_inside - the members of archives, of roots that ask for them: after all files are hashed. */
#ifndef SCAN_LOOK_INSIDE_H
#define SCAN_LOOK_INSIDE_H

#include "sys/fs.h"

struct dirmap;
struct index;
struct roots;
struct stats_report;

/** What a scan gives.  Zero what is private. */
struct look_inside {
	struct index *ix;
	const struct roots *roots;
	struct dirmap *map;          /* claimed: directories that this scan has met */
	struct stats_report *report;
	struct fs_time racy_window;
	bool rehash;                 /* open every archive again */
	int64_t deadline_ns;         /* monotonic; 0: none */
	/* Private. */
	struct look_inside_work *work;
	/** Out: sizes of members that files have which were not read whole, ascending; owned. */
	VEC(int64_t) sizes;
};

/**
 * Open the archives that the index does not know as they are now, or of which a member is owed:
 * it was not read, and a file has its size by now, or --hash-all holds.  Drop what archives held
 * that are gone.  In transactions of its own.  Returns 0, or -1 with *err (ERR_INTERRUPTED: what
 * was read is kept).
 */
int look_inside_run(struct look_inside *l, struct err *err);
void look_inside_release(struct look_inside *l);

#endif
