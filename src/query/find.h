/* SPDX-License-Identifier: MIT */
/* find - files and directories of the index by their names. */
#ifndef QUERY_FIND_H
#define QUERY_FIND_H

struct found_answer;
struct index;

/** What to find. */
struct find_query {
	/**
	 * A name, matched as a whole; with *, ? or [ also as a pattern of base/glob.
	 * With a slash in it, it is compared with the end of the path, by whole
	 * components; with one at its beginning, with the whole path; with one at its end, only
	 * with directories.
	 */
	const char *name;
	bool ignore_case;
	bool no_files, no_dirs;
	const char *const *dirs;    /* absolute: only at and below these; none: everywhere */
	size_t n_dirs;
	const char *const *exclude; /* absolute: not at and below these */
	size_t n_exclude;
};

/** Called for each file and directory found.  Returns 0 to go on, another value to stop. */
typedef int find_fn(void *arg, const struct found_answer *f);

/**
 * Deliver what has the name, as indexed: directory by directory, each with
 * its files before what is below it.
 *
 * Returns 0, what fn returned, or -1: ERR_USAGE for an empty name,
 * ERR_NO_PATH when one of dirs is no directory of the index, ERR_INTERRUPTED, ERR_DB, ...
 */
int find_each(struct index *ix, const struct find_query *q, find_fn *fn, void *arg, struct err *err);

#endif
