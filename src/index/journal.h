/* SPDX-License-Identifier: MIT */
/* journal - the runs on the index: when, and with which outcome. */
#ifndef INDEX_JOURNAL_H
#define INDEX_JOURNAL_H

struct db;
struct index;

/** A past run. */
struct journal_entry {
	int64_t id;
	char command[16], state[16];
	int64_t started, finished;     /* seconds since 1970; finished 0: it did not */
	int64_t files, dirs, bytes, read, read_bytes, errors;
	bool partial;                  /* a scan of single paths: JOURNAL_PARTIAL */
};

/** The options of a scan that looked at single paths, and knows nothing of the rest. */
#define JOURNAL_PARTIAL "--dirty-from"

/**
 * Note the beginning, and mark runs that were killed.  In a
 * transaction of its own.  Returns 0 with *id, or -1.
 */
int journal_begin(struct db *db, const char *command, const char *options, int64_t *id, struct err *err);
/** The numbers of a run. */
struct journal_numbers {
	int64_t files, dirs, bytes;                /* met */
	int64_t added, changed, gone, reused;      /* rows */
	int64_t read, read_bytes;                  /* inodes, and bytes */
	int64_t skipped, errors;
	int64_t sets, redundant;                   /* of the whole index; -1: not counted */
};

/**
 * Note the end of run id: "finished", "interrupted" ...  In a
 * transaction of its own.  Returns 0 or -1.
 */
int journal_end(struct db *db, int64_t id, const struct journal_numbers *n, const char *state, struct err *err);
/**
 * The numbers of sets and redundant bytes as last counted.
 * Returns 1, 0 when rows have changed since, -1.
 */
int journal_totals(struct db *db, int64_t *sets, int64_t *redundant, struct err *err);
/** Drop the totals, because rows change.  Inside a transaction. */
int journal_forget_totals(struct db *db, struct err *err);
/**
 * The newest run, or with skip > 0 an earlier one; a dead run is "killed" even if the journal does
 * not say so yet.  Returns 1, 0 without a run, -1.
 */
int journal_recent(const struct index *ix, int skip, struct journal_entry *e, struct err *err);
/** About how many files the last run counted, for planning; INT64_MAX if unknown. */
int64_t journal_files(const struct index *ix);
/** The run with this number.  Returns as journal_recent. */
int journal_find(const struct index *ix, int64_t run, struct journal_entry *e, struct err *err);
/** The number of the last scan or refresh that finished; 0 without one. */
int journal_finished(const struct index *ix, int64_t *run, struct err *err);
/** The number of the last run that had ended by a time (seconds since 1970); 0 without one. */
int journal_ended(const struct index *ix, int64_t time, int64_t *run, struct err *err);

#endif
