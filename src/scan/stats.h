/* SPDX-License-Identifier: MIT */
/* stats - counters of what a scan or a refresh has done so far, and the hooks that are told. */
#ifndef SCAN_STATS_H
#define SCAN_STATS_H

#include "index/rules.h"

struct db;
struct stall;

/** Errors are counted by errno below this; others, and FILE_CHANGING, at 0. */
#define STATS_ERRNOS 140

struct stats_hooks;

/**
 * What a scan did so far.  Any thread may count, so every number is atomic; only the thread
 * that called scan_run may call the hooks.
 */
struct stats {
	const struct stats_hooks *hooks;               /* borrowed; NULL: problems are counted */
	_Atomic int64_t dirs, files, bytes;            /* met; apparent sizes, links once a name */
	_Atomic int64_t linked;                        /* of these files, with several links */
	_Atomic int64_t reused, added, changed, gone;  /* rows */
	_Atomic int64_t left_out;                      /* rows that new options leave out */
	_Atomic int64_t to_read, to_read_bytes;        /* planned, in the read phase */
	_Atomic int64_t hash_all, hash_all_bytes;      /* of these, only for --hash-all */
	_Atomic int64_t hash_sizes, hash_sizes_bytes;  /* ... and only for --hash-sizes */
	_Atomic bool to_read_grows;                    /* heads read now may call for whole files */
	_Atomic int64_t done, done_bytes;              /* of those, counted as planned */
	_Atomic int64_t read, read_bytes;              /* inodes and bytes read in all */
	_Atomic int64_t read_racy;                     /* inodes read again for being racy */
	_Atomic int64_t verified, verified_bytes;      /* files compared, and bytes of all sides */
	_Atomic int64_t archives, archives_partly;     /* opened; of these, those read in part */
	_Atomic int64_t members, members_read;         /* of archives; read */
	_Atomic int64_t members_bytes;                 /* of those that were read */
	_Atomic int64_t collisions;                    /* files with equal hashes and other bytes */
	_Atomic int64_t skipped[SKIP_COUNT];
	_Atomic int64_t errors[STATS_ERRNOS];
	_Atomic int64_t kept_offline;                  /* directories on missing volumes */
	_Atomic int64_t outside;                       /* paths of a list that lie below no root */
};

/**
 * What a scan is doing, for progress; or acts: their files and bytes count as to_read, or with
 * STATS_COUNT files alone.
 */
enum stats_phase { STATS_WALK, STATS_READ, STATS_VERIFY, STATS_FINISH, STATS_ACT, STATS_COUNT };

/** How a scan tells what happens; both are called in the thread that called scan_run. */
struct stats_hooks {
	void *arg;
	/** About ten times a second. */
	void (*tick)(void *arg, enum stats_phase phase, const struct stats *counts);
	/** A path that could not be covered, or is waited for, and why. */
	void (*problem)(void *arg, const char *path, const char *why);
};

/** How a scan ended. */
struct stats_report {
	struct stats counts;
	int64_t id;               /* in the journal */
	int64_t sets, redundant;  /* of the whole index, now; -1 when not counted */
	int64_t elapsed_ns;
	int64_t n_errors;         /* paths that could not be covered */
	int64_t n_left;           /* of these: unread files not proven to be gone */
	int64_t n_corrupt;        /* files with another content under an unchanged signature */
	bool out_of_time;         /* its time ended it before all was read */
	int reached;              /* percent: that these are settled has ended it; 0: it has not */
	bool by_changes;          /* file systems knew what changed: only this was looked at, ... */
	int64_t looked_files, looked_dirs;   /* ... and counts.files and dirs are of all */
};

/**
 * The counter of errors with this errno; FILE_CHANGING and errnos beyond STATS_ERRNOS share one.
 */
_Atomic int64_t *stats_error(struct stats *s, int error);

/**
 * A path could not be covered, or something is wrong with it: count it, and tell the hooks why.
 * counter is one of s, or NULL where another thread has counted it.
 */
void stats_problem(struct stats *s, _Atomic int64_t *counter, const char *path, const char *why);
/** Tell the hooks what the scan is doing; call it about ten times a second. */
void stats_tick(const struct stats *s, enum stats_phase phase);

/** Set a report to nothing counted yet. */
void stats_begin(struct stats_report *report, const struct stats_hooks *hooks, int64_t id);
/** Sum up n_errors from the counters, n_left and n_corrupt. */
void stats_sum_errors(struct stats_report *report);
/**
 * Note the end of the run in the journal, with its counts: finished, interrupted or out of time, or
 * failed.  failure is NULL after success.  Returns 0 or -1.
 */
int stats_journal(const struct stats_report *report, struct db *db, const struct err *failure, struct err *err);

/** A watch over threads that wait for file systems; as stall_new. */
struct stall *stats_watch(void);
/** Tell the hooks of each file that has kept a thread waiting for 30 seconds, once. */
void stats_look(struct stats *s, struct stall *watch);

#endif
