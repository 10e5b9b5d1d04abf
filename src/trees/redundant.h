/* SPDX-License-Identifier: MIT */
/* redundant - which directories could go as a whole, because all they hold lies elsewhere, too. */
#ifndef TREES_REDUNDANT_H
#define TREES_REDUNDANT_H

#include "sys/tick.h"
#include "trees/stat_results.h"
#include "trees/tree_answer.h"

struct index;

/** What is asked. */
struct redundant_query {
	const char *const *dirs;     /* absolute: only directories at and below these; none: all */
	size_t n_dirs;
	const char *const *exclude;  /* as if these did not exist; what holds one stays */
	size_t n_exclude;
	const char *const *in;       /* only names at and below these keep contents; none: all */
	size_t n_in;
	const char *const *protect;  /* never these (also files), or what is in or above them */
	size_t n_protect;
	int64_t copies;              /* inodes of a content that must stay; 0: one */
	bool per_volume;             /* one must stay on each volume that has one */
	int64_t min_size;            /* directories with less bytes are left alone */
	bool outside_links;          /* a link that no scan has met keeps its content, too */
	bool hidden;                 /* hidden directories may go like others */
	bool inside;                 /* ... and those in one that belongs together */
	const char *const *wholes;   /* index/wholes: what else makes such a directory */
	size_t n_wholes;
	tick_fn *tick;               /* for each name about to be looked at, with the call's arg */
};

/** Called for each directory, largest first.  Returns 0 to go on, another value to stop. */
typedef int redundant_fn(void *arg, const struct tree_answer *a);

/**
 * Find the highest directories all of whose contents have a name outside of them, that could go
 * together: whatever is in one of them is kept by a name in none of them, and by as many inodes
 * as q->copies and q->per_volume say.  Of those that lean on each other the one goes where
 * copies should rather not stay (place_rank_cmp_kind()), of equals the one that frees more,
 * then the larger one, then the deeper one; of one that must stay the subdirectories are tried.
 * Unless it is one of q->dirs, a directory does not go where all that would keep one of its
 * contents lies in places that are more spare (place_rank.spare), and that neither q->in nor
 * q->protect names.
 * A hidden directory is not tried by itself unless it is one of q->dirs or a root; nor is one in
 * a whole (index/wholes) that lies below one of q->dirs, or without these below a root.  Every name
 * that an answer leans on was looked at, and the directories were listed.  A file without
 * bytes, and a directory that holds no others, are not counted.  gap is called for what was not
 * judged in a directory that is not proven, or goes with one, and for copies that it could lean
 * on if they could be looked at.
 *
 * Last come up to five directories that could go but for a few files (trees/nearly), if
 * q->per_volume is not set.
 *
 * Each directory of q->dirs must be one of the index, or above one: ERR_USAGE else.
 * Returns 0 with *totals, what fn returned, or -1: ERR_INTERRUPTED, ERR_BAD_INDEX, ERR_DB, ...
 */
int redundant_each(struct index *ix, const struct redundant_query *q, redundant_fn *fn, stat_results_gap_fn *gap, void *arg,
                   struct tree_totals *totals, struct err *err);

#endif
