/* SPDX-License-Identifier: MIT */
/* browse - the directories of the index on a whole screen: a person goes, looks and marks. */
#ifndef BROWSE_BROWSE_H
#define BROWSE_BROWSE_H

#include "browse/level.h"

struct cmd_call;

/** Where it begins, and how. */
struct browse_query {
	const char *path;       /* absolute; else the nearest directory above that the index has */
	enum level_sort sort;
	const char *note;       /* what the numbers leave out; or NULL */
};

/**
 * Show it until the person leaves.  Returns 0, or -1: ERR_USAGE without a fit terminal or in a
 * build without curses, ERR_INTERRUPTED, and what loading the sums fails with.
 */
int browse_run(const struct cmd_call *c, const struct browse_query *q, struct err *err);

#endif
