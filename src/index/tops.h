/* SPDX-License-Identifier: MIT */
/* tops - where a scan begins: the paths that were asked for become directories to walk, each tree once. */
#ifndef INDEX_TOPS_H
#define INDEX_TOPS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "index/visit.h"

struct dirmap;
struct err;
struct index;
struct roots;
struct rules;
struct volumes;

/** A directory to start at. */
struct top {
	char *path;                  /* owned; absolute */
	int64_t parent, id;          /* in the index; 0: none, not known */
	struct governing governing;  /* borrowed from roots, or from the options of the scan */
	bool make_root;              /* it becomes a root, or gets new options */
};

/** Zero it, tops_choose() it, tops_release() it. */
struct tops {
	struct top *v;
	size_t n, cap;
	struct { const char **v; size_t n, cap; } missing;  /* roots that are not there; borrowed from roots */
	struct rules *fresh;         /* owned: the options of roots that were given none */
};

/**
 * Choose where to start for the absolute paths (none: all roots).  rules are
 * the options given for this scan, or NULL.
 *
 * A path below another one is walked from there, unless that one's options
 * leave it out.  A path below a root, without options of its own, is a part
 * of that root; with options it becomes a root of its own.
 *
 * A root that is found at another path, on a volume mounted elsewhere, keeps
 * its options.  Of all roots, those that are not there are only listed in missing.
 *
 * Returns 0, or -1: ERR_NO_PATH when a path does not exist or is no
 * directory, ERR_USAGE when there is no root.
 */
int tops_choose(struct tops *t, struct index *ix, const struct roots *roots, const struct dirmap *map,
                struct volumes *volumes, const char *const *paths, size_t n_paths, const struct rules *rules,
                struct err *err);

/** Whether the absolute path is a directory: returns 0, or -1 with ERR_NO_PATH or ERR_SYS. */
int tops_check(const char *path, struct err *err);

/** Free what it owns. */
void tops_release(struct tops *t);

#endif
