/* SPDX-License-Identifier: MIT */
/* list - the files at and below paths with their states: the index beside what is there now. */
#ifndef QUERY_LIST_H
#define QUERY_LIST_H

#include "query/answer.h"
#include "query/state.h"
#include "index/gaps.h"

struct dirtree;
struct index;

/** Called for each file.  Returns 0 to go on, another value to stop. */
typedef int list_fn(void *arg, const struct file_answer *a);

/** Called for a subdirectory, without its sums.  Returns as list_fn. */
typedef int list_dir_fn(void *arg, const struct subdir_answer *d);

/** Called for a file or directory that gaps counts as not judged; why is the reason in words. */
typedef void list_gap_fn(void *arg, const char *path, enum gap gap, bool dir, const char *why);

/** Called for a path that neither the index nor the file system has. */
typedef void list_missing_fn(void *arg, const char *path);

/** What is said of the files of the index where only gaps are counted. */
enum list_rows {
	LIST_ROWS_BY_NAME,   /* one that is there by its name is not looked at */
	LIST_ROWS_LOOKED_AT, /* one without its signature has changed */
	LIST_ROWS_COUNTED,   /* the same, and one that is gone was not judged: it was counted */
	LIST_ROWS_APART      /* nothing: the caller looks at them */
};

/** What to deliver. */
struct list_query {
	struct state_query copies;
	/** Count in lonely the files that are unique by this one, and not by copies; or NULL. */
	const struct state_query *fewer;
	const char *const *names; /* of base/glob: only files so named; none: all */
	size_t n_names;
	int64_t depth;          /* levels of directories below the path; 0: all */
	/**
	 * With the arg of fn: called for subdirectories that are not gone into.  NULL: those of
	 * the index are not delivered, those outside of it go to fn as files do.
	 */
	list_dir_fn *dir;
	bool outside;           /* deliver entries outside the index, and unreadable directories */
	bool online;            /* leave out what is offline */
	bool only_copies;       /* a link that can't be looked at is no gap, for it is no copy */
	bool look_up;           /* find copies of a path that is itself a file outside the index */
	/**
	 * Only count what could not be judged, outside of copies.exclude: nothing is delivered,
	 * and no copy looked for.
	 */
	bool gaps_only;
	enum list_rows rows;    /* for gaps_only */
	const struct dirtree *dirs;   /* for gaps_only: the tree, copies.exclude excluded */
	list_gap_fn *gap;             /* or NULL */
	void *gap_arg;                /* its arg; NULL: that of fn */
	list_missing_fn *missing; /* with the arg of fn: go on with the next path; NULL: fail */
};

/** How many files had which state. */
struct list_totals {
	int64_t n[STATE_COUNT];
	int64_t bytes[STATE_COUNT];
	struct gaps gaps;       /* what could not be judged */
	int64_t unread;         /* file_answer.unread */
	int64_t unseen;         /* file_answer.unseen */
	int64_t fleeting;       /* unique, but for copies that are not to be relied on */
	unsigned fleeting_why;  /* ... for these reasons: index/fleeting */
	int64_t lonely;         /* unique by list_query.fewer alone */
};

/**
 * Deliver the files at the absolute paths, one path after the other, a
 * directory's in order of names before its subdirectories.  A copy that many
 * files share is looked at once.  Adds to *totals all that were met, also those not delivered.
 *
 * Returns 0, what fn returned, or -1: ERR_NO_PATH when neither the index nor
 * the file system has a path (without missing), ERR_INTERRUPTED, ERR_DB, ...
 */
int list_each(struct index *ix, const char *const *paths, size_t n_paths, const struct list_query *q,
                list_fn *fn, void *arg, struct list_totals *totals, struct err *err);

/**
 * Count in *gaps what could not be judged at and below the absolute paths, and call gap, or NULL,
 * for it: whatever may hold content that the index has nowhere there.  Looks at every file.
 * Returns 0 or -1.
 */
int list_count_gaps(struct index *ix, const char *const *paths, size_t n_paths, list_gap_fn *gap, void *arg, struct gaps *gaps,
                    struct err *err);

/**
 * Call gap for what is there at and below the absolute path and not in the index, but for what
 * lies at and below exclude, and for directories that can't be read.  dirs is the tree, without
 * exclude.  Returns 0 or -1.
 */
int list_outside_of(struct index *ix, const struct dirtree *dirs, const char *path, const char *const *exclude, size_t n_exclude,
                    list_gap_fn *gap, void *arg, struct err *err);

/**
 * Call gap for what could not be judged at and below n directories of t, by their numbers, none
 * of which lies in another; what is excluded from t is left out.  A directory that is there by
 * another path as well is a gap.
 */
int list_gaps_of_dirs(struct index *ix, const struct dirtree *t, const uint32_t *tops, size_t n, enum list_rows rows,
                      list_gap_fn *gap, void *arg, struct err *err);

/** Whether the index has the absolute path or something below it.  Returns 1, 0 or -1. */
int list_knows(struct index *ix, const char *path, struct err *err);

#endif
