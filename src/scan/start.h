/* SPDX-License-Identifier: MIT */
/* start - the start points of a scan: from these directories no tree is walked twice. */
#ifndef SCAN_START_H
#define SCAN_START_H

#include "index/inode.h"
#include "scan/visit_state.h"

struct dirmap;
struct roots;
struct rules;
struct volumes;

/** A directory to start at. */
struct start {
	char *path;                  /* owned; absolute */
	int64_t parent, id;          /* in the index; 0: none, not known */
	struct governing governing;  /* borrowed from roots, or from the options of the scan */
	bool make_root;              /* it becomes a root */
	bool is_part;                /* a part of a root, whose options govern it */
	bool roots_below;            /* the path of a root lies below */
	bool covered;                /* another disk is mounted there: no walk goes in */
	int64_t met;                 /* directory of the index that the walk met; 0: none yet */
};

/** A directory above a start point that the index did not have: the map has it now. */
struct start_way {
	int64_t id, parent;
	struct inode inode;
	char *name;  /* owned */
};

/** = { .force_purge = ... }, start_choose() it, start_release() it. */
struct starts {
	bool force_purge;                                     /* enter another disk, too */
	struct start *v;
	size_t n, cap;
	struct pathset paths;                                 /* of start points */
	struct visit_inner inner;                             /* new roots reached from others */
	struct { struct start_way *v; size_t n, cap; } ways;  /* outer ones first */
	struct rules *fresh;                                  /* owned: of roots without options */
};

/**
 * Choose where to start for the absolute paths (none: all roots that are
 * there, by root_place_look()).  rules are the options given for this scan, or NULL; fresh, or
 * NULL, those of roots that are new otherwise.
 *
 * A path below another one is walked from there, unless the options that hold on the way leave it
 * out.  A root gets the new options wherever it is walked from.  A path below a root, without
 * options of its own, is a part of that root; with options it becomes a root of its own, also
 * where it is walked from another one.  scan/moved_dir says which directory a path is.
 *
 * Returns 0, or -1: ERR_NO_PATH when a path does not exist or is no
 * directory, ERR_USAGE when there is no root.
 */
int start_choose(struct starts *t, struct roots *roots, struct dirmap *map, struct volumes *volumes,
                const char *const *paths, size_t n_paths, const struct rules *rules, const struct rules *fresh, struct err *err);

/** Drop the start points whose directories have nothing to look at: scan/dirty. */
void start_keep_dirty(struct starts *t, const struct dirmap *map);

/** Whether a path is that of a start point, or lies below one. */
bool start_lead_to(const struct starts *t, const char *path);

/** Whether the absolute path is a directory: returns 0, or -1 with ERR_NO_PATH or ERR_SYS. */
int start_check(const char *path, struct err *err);

/** Free what it owns. */
void start_release(struct starts *t);

#endif
