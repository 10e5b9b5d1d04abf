/* SPDX-License-Identifier: MIT */
/* at_risk - the files whose content has no other copy, summed up by directory. */
#ifndef TREES_AT_RISK_H
#define TREES_AT_RISK_H

#include "sys/fs.h"
#include "trees/stat_results.h"
#include "trees/tree_answer.h"

struct index;
struct policy;

/** What is asked. */
struct at_risk_query {
	const char *const *dirs;     /* absolute: only files below these; none: all */
	size_t n_dirs;
	const char *const *exclude;  /* as if these did not exist */
	size_t n_exclude;
	const char *const *in;       /* at risk is what has no copy at and below these */
	size_t n_in;
	bool in_backups;             /* in are backups: what lies in them is not asked about */
	int64_t min_size;            /* bytes; smaller files are left out */
	int64_t since;               /* only files changed since then, in seconds since 1970 */
	bool one_volume;             /* at risk is also what has copies on one disk only */
	bool reflinks;               /* ... or whose copies are all the same blocks of the disk */
	struct policy *policy;       /* at risk is what breaks a line of it instead; or NULL */
	bool online;                 /* what is offline is taken not to exist: it keeps nothing */
	bool files, trees;           /* deliver files; deliver directories, behind these */
	bool doubts;                 /* call gap for each file that could not be judged, too */
};

/** A file at risk.  Its strings are borrowed for the call. */
struct at_risk_file {
	const char *path;
	int64_t size, inode, nlink;
	struct fs_time mtime;
	const char *why;             /* with a policy: what it lacks; else NULL */
	int64_t copies;              /* then: other inodes that count */
};

/** Called for each directory, most bytes first.  Returns 0 to go on, another value to stop. */
typedef int at_risk_fn(void *arg, const struct tree_answer *a);
/** Called for each file, in the order of directories and names.  Returns the same. */
typedef int at_risk_file_fn(void *arg, const struct at_risk_file *f);

/**
 * Find the files that are there, and whose content no other inode has: every copy was looked
 * at, but one that is offline counts as it was at the last scan.  Delivered are the highest
 * directories all of whose files are at risk, as TREE_AT_RISK (with min_size or since the lowest
 * below these that hold the same), and of others those directly in them, as
 * TREE_FILES_AT_RISK.  totals->offline counts files that only copies on volumes which are not
 * there keep from being at risk, totals->inside those that only copies below the same q->dirs keep
 * (0 with q->in), totals->fleeting those at risk that have other copies, but none to rely on
 * (index/fleeting); what could not be judged is in totals->gaps, and gap is called
 * for it: what lies beside the files, and copies that can't be looked at or have changed.
 *
 * With a policy, of which the lines are there, at risk are the files that break one of them:
 * files where no line holds are left out, and the lines count theirs.
 *
 * Each of q->dirs must be a directory of the index, or above one: ERR_USAGE else.
 * Returns 0, what a function returned, or -1: ERR_INTERRUPTED, ERR_BAD_INDEX, ERR_DB, ...
 */
int at_risk_each(struct index *ix, const struct at_risk_query *q, at_risk_fn *fn, at_risk_file_fn *file, stat_results_gap_fn *gap,
                 void *arg, struct tree_totals *totals, struct err *err);

#endif
