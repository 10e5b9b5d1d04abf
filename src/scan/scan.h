/* SPDX-License-Identifier: MIT */
/* scan - bring the index up to date with the file system. */
#ifndef SCAN_SCAN_H
#define SCAN_SCAN_H

#include "index/rules.h"
#include "scan/stats.h"

struct dirty_path;
struct index;

/** What to scan, and how. */
struct scan_options {
	const char *const *paths;     /* absolute and resolved; none: all roots */
	size_t n_paths;
	const struct dirty_path *dirty;   /* with partial: look at these alone, ... */
	size_t n_dirty;
	bool partial;                 /* ... below all roots; paths and rules are unset */
	const struct rules *rules;    /* options for these roots, or NULL: as stored, */
	const struct rules *fresh;    /* ... and those of roots that are new; NULL: none */
	int threads;                  /* for walking; 0: three for two processors */
	int64_t history;          /* seconds to keep what changed, from now on; -1: as before */
	const int64_t *hash_sizes;    /* ascending: files of these sizes are read whole */
	size_t n_hash_sizes;
	int64_t racy_window_ns;       /* sys/racy_window; RACY_WINDOW_NS is the default */
	bool settles;                 /* content_reader.settles */
	int64_t max_time_ns;          /* stop reading then, as if interrupted; 0: never */
	int until;                    /* ... or with this percentage settled; 0: never */
	unsigned digests;             /* DIGEST_BIT()s: of all that is read whole; 0: none */
	bool uncounted;               /* do not count the sets where that takes longest */
	bool all;                     /* whatever file systems know of changes */
	bool rehash;                  /* trust no stored hash */
	bool from_disk;               /* read nothing from memory that is on a disk */
	bool verify;                  /* compare copies byte by byte */
	bool dry_run;                 /* change nothing: say what would be read */
	bool force_purge;             /* drop the rows of a root that is suddenly empty */
};

/**
 * Walk the roots, compare with the index, read what must be read so that
 * every claim of the index is proven, and write what changed.
 *
 * Interrupted (ERR_INTERRUPTED), it leaves the index consistent, with all
 * that was read so far.  Paths that can't be covered are told through hooks
 * and counted; their old rows stay.
 *
 * Returns 0 with *report, or -1: ERR_NO_PATH (a root does not exist), ERR_USAGE (no roots),
 * ERR_INTERRUPTED, ERR_DB, ERR_SYS; *report is then of what was done.
 */
int scan_run(struct index *ix, const struct scan_options *opts, const struct stats_hooks *hooks,
             struct stats_report *report, struct err *err);

#endif
