/* SPDX-License-Identifier: MIT */
/* archived - archives beside files: what only they have, and which hold nothing else. */
#ifndef TREES_ARCHIVED_H
#define TREES_ARCHIVED_H

#include "query/list.h"
#include "trees/at_risk.h"

/** What is asked. */
struct archived_query {
	const char *const *dirs;     /* absolute: only archives below; none: all */
	size_t n_dirs;
	int64_t min_size;            /* bytes; smaller members, or archives, are left out */
	struct state_query copies;   /* which files count; exclude holds for archives, too */
	/** Archives that could go are asked about. */
	bool could_go;
	const char *const *protect;  /* ... but these, and what lies below */
	size_t n_protect;
	bool hidden;                 /* ... hidden ones, and in hidden directories, too */
	const char *const *wholes;   /* ... but those in wholes (struct wholes.more) */
	size_t n_wholes;
	bool inside;                 /* ... those, too */
};

/**
 * Find the members of archives that are there whose content no file has, in the archives that
 * scan --archives has opened.  A file that is a copy of a member was looked at.  file, or NULL, is
 * called for each such member, in the order of archives; fn, or NULL, for archives with some, as
 * TREE_IN_ARCHIVE, most bytes first: a content counts once in each archive, and once in
 * totals->bytes; members that were not read count each.  Those in a member that is an archive are
 * asked about where that has no copy, and have no bytes: they are among that one's.
 *
 * With could_go fn is called for each archive that has members, and none but such as files have, as
 * TREE_ARCHIVE, the largest first, but not for one that is a member of another of these, which
 * relies on it; totals->unproven counts those of which that is not known.
 *
 * gap is called for, and totals->gaps counts, archives that were not opened, have changed or
 * can't be looked at, members that are not judged, and directories that can't be read.
 *
 * Returns 0, what a function returned, or -1.
 */
int archived_each(struct index *ix, const struct archived_query *q, at_risk_fn *fn, list_fn *file, list_gap_fn *gap, void *arg,
                  struct tree_totals *totals, struct err *err);

#endif
