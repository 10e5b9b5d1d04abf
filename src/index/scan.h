/* SPDX-License-Identifier: MIT */
/* scan - bring the index up to date with the file system. */
#ifndef INDEX_SCAN_H
#define INDEX_SCAN_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "index/rules.h"

struct err;
struct index;

/** Errors are counted by errno below this; others, and FILE_CHANGING, at 0. */
#define SCAN_ERRNOS 140

/** What a scan did so far.  Threads count in it, so every number is atomic. */
struct scan_counts {
	_Atomic int64_t dirs, files, bytes;          /* met; bytes are apparent sizes, links once each name */
	_Atomic int64_t reused, added, changed, gone; /* rows */
	_Atomic int64_t to_read, to_read_bytes;      /* planned, in the reading phase */
	_Atomic int64_t done, done_bytes;            /* of those */
	_Atomic int64_t read, read_bytes;            /* inodes and bytes read in all */
	_Atomic int64_t verified;                    /* files compared byte by byte */
	_Atomic int64_t collisions;                  /* files with equal hashes whose bytes differ */
	_Atomic int64_t skipped[SKIP_COUNT];
	_Atomic int64_t errors[SCAN_ERRNOS];
	_Atomic int64_t kept_offline;                /* directories on volumes that are not there */
};

/** What a scan is doing, for progress. */
enum scan_phase { SCAN_WALK, SCAN_READ, SCAN_VERIFY, SCAN_FINISH };

/** How a scan tells what happens; called in the thread that called scan_run. */
struct scan_hooks {
	void *arg;
	/** About ten times a second. */
	void (*tick)(void *arg, enum scan_phase phase, const struct scan_counts *counts);
	/** A path that could not be covered, and why. */
	void (*problem)(void *arg, const char *path, const char *why);
};

/** What to scan, and how. */
struct scan_options {
	const char *const *paths;     /* absolute and resolved; none: all roots */
	size_t n_paths;
	const struct rules *rules;    /* options for these roots, or NULL: as stored */
	int threads;                  /* for walking; 0: one per core */
	int64_t racy_window_ns;
	int64_t max_time_ns;          /* stop reading then, as if interrupted; 0: never */
	bool rehash;                  /* trust no stored hash */
	bool verify;                  /* compare copies byte by byte */
	bool dry_run;                 /* change nothing: say what would be read */
	bool force_purge;             /* drop the rows of a root that suddenly is empty */
};

/** How a scan ended. */
struct scan_report {
	struct scan_counts counts;
	int64_t id;                   /* in the journal */
	int64_t sets, redundant;      /* of the whole index, now; -1 when not counted */
	int64_t elapsed_ns;
	int64_t n_errors;             /* paths that could not be covered */
	bool out_of_time;
};

/** The racy window unless another is asked for: above the 30 s after which Linux writes back what was stored through mmap. */
#define SCAN_RACY_WINDOW_NS 60000000000

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
int scan_run(struct index *ix, const struct scan_options *opts, const struct scan_hooks *hooks,
             struct scan_report *report, struct err *err);

#endif
