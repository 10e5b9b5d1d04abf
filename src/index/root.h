/* SPDX-License-Identifier: MIT */
/* root - the directories that were given to scan, with their options. */
#ifndef INDEX_ROOT_H
#define INDEX_ROOT_H

#include <stddef.h>
#include <stdint.h>

#include "index/rules.h"

struct db;
struct err;

/** A root. */
struct root {
	int64_t id;
	int64_t dir;          /* its directory's id */
	char *path;           /* owned; absolute */
	struct rules rules;   /* owned */
	int64_t scan;         /* the last scan that finished here, or 0 */
};

/** All roots; zero it, root_load() it, root_release() it. */
struct roots {
	struct root *v;
	size_t n, cap;
};

/** Read all roots.  Returns 0 or -1. */
int roots_load(struct roots *roots, struct db *db, struct err *err);
/** Free what roots owns. */
void roots_release(struct roots *roots);

/** The innermost root that is path or above it, or NULL. */
const struct root *roots_above(const struct roots *roots, const char *path);
/** The root at the directory with this id, or NULL. */
const struct root *roots_at_dir(const struct roots *roots, int64_t dir);

/** Write a root's options, making it a root if it is none.  Inside a transaction. */
int root_put(struct db *db, int64_t dir, const struct rules *rules, struct err *err);
/** Note that a scan finished at a root.  Inside a transaction. */
int root_scanned(struct db *db, int64_t root, int64_t scan, struct err *err);

#endif
