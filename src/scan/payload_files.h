/* SPDX-License-Identifier: MIT */
/* payload_files - read pictures, sound and films of the index to hash them without their tags. */
#ifndef SCAN_PAYLOAD_FILES_H
#define SCAN_PAYLOAD_FILES_H

struct index;

/** Which files, and for how long. */
struct payload_files_options {
	int threads;               /* 0: some */
	int64_t racy_window_ns;    /* read this soon after a change: read again */
	int64_t max_time_ns;       /* 0: no limit */
	/** Called for each file that cannot be read, or has changed, with the reason; or NULL. */
	void (*problem)(void *arg, const char *path, const char *why);
	/** Called as files are done; or NULL. */
	void (*tick)(void *arg, int64_t done, int64_t all);
	void *arg;
};

/** What came of it.  Names of one inode count as one. */
struct payload_files_report {
	int64_t made;              /* files that have a payload now */
	int64_t none;              /* of no known format, or not whole */
	int64_t failed;            /* not as the index has them, or not readable */
	int64_t left;              /* for the next run */
};

/**
 * Read the files of an index, open for writing, whose names say that they may have a payload and
 * whose payload is not known.  Payloads that hold for no file any more are dropped.
 *
 * Returns 0 with *report, or -1: ERR_DB; ERR_INTERRUPTED, with the report of what was done by then.
 */
int payload_files_run(struct index *ix, const struct payload_files_options *opts, struct payload_files_report *report, struct err *err);

/** Count the files that a run would read.  Returns 0 or -1. */
int payload_files_lacking(struct index *ix, int64_t *n, struct err *err);

#endif
