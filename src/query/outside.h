/* SPDX-License-Identifier: MIT */
/* outside - what is there and not in the index: which rule leaves it out, if any does. */
#ifndef QUERY_OUTSIDE_H
#define QUERY_OUTSIDE_H

#include "index/gaps.h"
#include "index/index.h"
#include "index/own_files.h"

struct file_answer;
struct fs_stat;
struct presence_view;

/** What decides; = { .view = ..., .paths = ... }, then outside_open().  It owns nothing. */
struct outside {
	struct presence_view *view;
	const char *const *paths;      /* absolute: all that the query is about, */
	size_t n_paths;
	const char *const *exclude;    /* but for what lies below these */
	size_t n_exclude;
	/* private */
	struct own_files own;
	enum skip whole;               /* the rule that leaves out the whole path in hand */
};

/** Take down which files are the index's own. */
void outside_open(struct outside *o);

/**
 * Begin with another path of the query.  st is what is there, NULL if the index has the path.
 * Returns 0 or -1 with *err.
 */
int outside_begin(struct outside *o, const char *path, const struct fs_stat *st, struct err *err);

/**
 * Fill *a, but for its members, for an entry at path that the index does not have: STATE_SKIPPED
 * with the rule by which a scan leaves it out, or STATE_UNKNOWN.  *gap becomes the gap that it
 * leaves: GAP_NONE for a directory that the query is about by another path.  The answer is
 * borrowed until the next.  Returns 0 or -1 with *err.
 */
int outside_answer(struct outside *o, const char *path, const struct fs_stat *st, struct file_answer *a, enum gap *gap,
                   struct err *err);

#endif
