/* SPDX-License-Identifier: MIT */
/* roots - the scanned directories with their options. */
#ifndef INDEX_ROOTS_H
#define INDEX_ROOTS_H

#include "index/rules.h"

struct db;

/** What the path of a root leads to now; start.h says what follows from it. */
enum root_path {
	ROOT_PATH_UNSEEN,
	ROOT_PATH_DIR,       /* a directory of the indexed volume, or its stat failed */
	ROOT_PATH_MOUNT,     /* a directory of another volume: its disk is missing or another */
	ROOT_PATH_NONE,      /* nothing, no directory, or a link on the way; root.error says why */
	ROOT_PATH_MOVED,     /* its disk is mounted elsewhere, where a walk begins */
	ROOT_PATH_LOST       /* no path in the index: a scan of an earlier version was cut off */
};

/** A root. */
struct root {
	int64_t id;
	int64_t dir;          /* its directory's id */
	char *path;           /* owned; absolute */
	struct rules rules;   /* owned */
	int64_t scan;         /* the last scan that finished here, or 0 */
	/* Of a scan. */
	enum root_path leads_to;
	int error;            /* errno, or 0: the path leads to something that is no directory */
	bool new_rules;       /* rules are those of this scan, not yet written */
	char *now;            /* owned: where a walk met it, or NULL; set by one thread */
};

/** All roots; zero it, roots_load() it, roots_release() it. */
struct roots {
	struct root *v;        /* in the order of their ids */
	size_t n, cap;
	struct pathset paths;  /* with positions in v */
};

/** Read all roots.  Returns 0 or -1. */
int roots_load(struct roots *roots, struct db *db, struct err *err);
/** Free what roots owns. */
void roots_release(struct roots *roots);

/** The innermost root that is path or above it, or NULL. */
const struct root *roots_above(const struct roots *roots, const char *path);
/**
 * The innermost root above the file at path, or NULL.  A root at path itself does not count: it is
 * a directory.
 */
const struct root *roots_of_file(const struct roots *roots, const char *path);
/** The root at exactly this path, or NULL. */
struct root *roots_at(const struct roots *roots, const char *path);

/** Write a root's options, making it a root if needed.  Inside a transaction. */
int root_put(struct db *db, int64_t dir, const struct rules *rules, struct err *err);
/** Options among the patterns of a root: the last position that root_put() replaces. */
enum { ROOT_OPTION_LAST = -2 };
/**
 * Keep a text with a root, at a position below ROOT_OPTION_LAST, as long as it is a root; drop it.
 * Inside a transaction.
 */
int root_put_option(struct db *db, int64_t root, int64_t position, const char *text, struct err *err);
int root_drop_option(struct db *db, int64_t root, int64_t position, struct err *err);
/** Note that a scan finished at a root.  Inside a transaction. */
int root_scanned(struct db *db, int64_t root, int64_t scan, struct err *err);
/** Make a directory an ordinary one; its rows stay.  Inside a transaction. */
int root_drop(struct db *db, int64_t dir, struct err *err);

#endif
