/* SPDX-License-Identifier: MIT */
/*
 * validate - read contents again, those that had their turn longest ago first, and compare them
 * with their hashes.
 */
#ifndef SCAN_VALIDATE_H
#define SCAN_VALIDATE_H

#include "scan/stats.h"

/** What was found of a file. */
enum validate_verdict {
	VALIDATE_UNREAD,       /* its turn has not come */
	VALIDATE_FINE,         /* its bytes have the hash of its row */
	VALIDATE_CHANGED,      /* its signature is another one, or a writer has it open */
	VALIDATE_GONE,
	VALIDATE_OFFLINE,      /* its volume is not there */
	VALIDATE_UNREADABLE,
	VALIDATE_CORRUPT,      /* other bytes under the same signature */
	VALIDATE_VERDICTS
};

/** The word for a verdict. */
const char *validate_verdict_name(enum validate_verdict verdict);

/** A file and what was found.  Borrowed for the call. */
struct validate_told {
	enum validate_verdict verdict;
	const char *path;          /* absolute */
	const char *why;           /* or NULL */
	const char *const *good;   /* of a corrupt file: copies that have its old bytes, sorted */
	size_t n_good;
	int64_t n_unread;          /* ... and names that were not read before a stop */
};

/** Called for each file whose turn came, in the thread that called validate_run. */
typedef void validate_told_fn(void *arg, const struct validate_told *told);

/** What to validate, and for how long. */
struct validate_options {
	const char *const *paths;  /* absolute: the files at and below; none: the whole index */
	size_t n_paths;
	int threads;               /* 0: as a scan reads */
	int64_t max_bytes;         /* sum of sizes, but at least one file; 0: no limit */
	int64_t max_time_ns;       /* 0: no limit */
	bool trust_cache;          /* read from memory what it has; else from the disk */
	bool wait;                 /* at the beginning, for a process that validates or writes */
	validate_told_fn *told;
	void *arg;
};

/** What came of it. */
struct validate_report {
	struct stats_report run;
	int64_t n[VALIDATE_VERDICTS];           /* files; names of one inode count as one */
	int64_t fine_bytes;
	int64_t unhashed, unhashed_bytes;       /* names that have no hash */
	int64_t left, left_bytes;               /* whose turn has not come */
};

/**
 * Read the files that have a hash in the order of their last turn, and remember what was found.
 * No hash of the index changes.  Copies of a corrupt file are read as well, wherever they are and
 * beyond the limits: a copy is called good only after that.
 *
 * The index at path is locked only now and then, to write: others may write to it meanwhile, but
 * for another validate.
 *
 * Returns 0 with *report, or -1: ERR_INTERRUPTED, with the report of what was done by then.
 */
int validate_run(const char *path, const struct validate_options *opts, const struct stats_hooks *hooks,
                 struct validate_report *report, struct err *err);

#endif
