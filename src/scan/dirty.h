/* SPDX-License-Identifier: MIT */
/*
 * dirty - what a scan looks at that does not look at everything: directories of the index, and
 * names in them.  All else is taken from the index as it is.
 */
#ifndef SCAN_DIRTY_H
#define SCAN_DIRTY_H

#include "scan/dirmap.h"

struct db;
struct roots;

/** A path of a list of what changed. */
struct dirty_path {
	const char *path;   /* absolute and normalised, as it is written */
	const char *real;   /* where links above its own name lead; NULL: to the same */
};

/** A name to look at, in a directory with LOOK_NAMES. */
struct dirty_name {
	int64_t dir;
	const char *name;   /* in the arena */
	size_t len;
	bool known;         /* the index has it: as a file, or as a directory to enter */
};

/** Zero it, mark what is dirty, dirty_seal(), read by any thread, dirty_release(). */
struct dirty {
	VEC(struct dirty_name) names;  /* sealed: by directory and name, each once */
	struct arena arena;
	int64_t n_outside;             /* paths that lie below no root */
	char *outside;                 /* owned: the first of these, or NULL */
};

/**
 * Mark what lies at a path, and below it: a directory of the index, a name in one, or the first
 * part of the path that the index does not have; of both its forms.  A path is counted if neither
 * is below a root.  Returns 0 or -1.
 */
int dirty_add(struct dirty *t, struct dirmap *map, const struct roots *roots, struct db *db, const struct dirty_path *path,
              struct err *err);
/** Let at least so much of a directory be looked at, and let the walk come to it. */
void dirty_dir(struct dirty *t, struct dirmap *map, struct dirmap_dir *d, enum look look);
/** Sort the names, after the last mark. */
void dirty_seal(struct dirty *t);
/** The names to look at in a directory, in the order of their bytes; *n may become 0. */
const struct dirty_name *dirty_names(const struct dirty *t, int64_t dir, size_t *n);
/** Free what it owns. */
void dirty_release(struct dirty *t);

#endif
