/* SPDX-License-Identifier: MIT */
/* digest_files - read files of the index to compute digests that they lack. */
#ifndef SCAN_DIGEST_FILES_H
#define SCAN_DIGEST_FILES_H

#include "scan/stats.h"

struct index;

/** Which digests of which files, and for how long. */
struct digest_files_options {
	unsigned kinds;            /* DIGEST_BIT()s */
	const char *const *paths;  /* absolute: the files at and below; none: the whole index */
	size_t n_paths;
	const char *sizes_of;      /* only of sizes that were claimed under this name; or NULL */
	bool force;                /* also files that have them */
	int threads;               /* 0: as a scan reads */
	int64_t racy_window_ns;    /* read this soon after a change: read again */
	bool settles;              /* content_reader.settles */
	int64_t max_time_ns;       /* 0: no limit */
};

/** What came of it.  Files: names of one inode count as one. */
struct digest_files_report {
	struct stats_report run;
	int64_t made, made_bytes;
	int64_t had, had_bytes;    /* and were not read */
	int64_t changed;           /* not as the index has them, or were being written */
	int64_t gone, offline, unreadable;
	int64_t left, left_bytes;  /* for the next run */
};

/**
 * Compute and write the digests of the files of an index that is open for writing.  What can't be
 * read is told through hooks and counted.  Digests that hold for no file any more are dropped.
 *
 * Returns 0 with *report, or -1: ERR_USAGE (no library; nothing was imported as sizes_of), ERR_SYS,
 * ERR_DB; ERR_INTERRUPTED, with the report of what was done by then.
 */
int digest_files_run(struct index *ix, const struct digest_files_options *opts, const struct stats_hooks *hooks,
                     struct digest_files_report *report, struct err *err);

#endif
