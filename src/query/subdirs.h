/* SPDX-License-Identifier: MIT */
/* subdirs - the subdirectories of a directory in the index, and the tops below it. */
#ifndef QUERY_SUBDIRS_H
#define QUERY_SUBDIRS_H

struct db;

/** A directory of the index (id 0: not of the index, only on the way to a top). */
struct subdir {
	int64_t id;
	char *name;        /* owned; in a list of tops the absolute path */
};

/** A list of them.  Zero it, then subdirs_release(). */
struct subdirs {
	struct subdir *v;
	size_t n, cap;
};

/** Free the list. */
void subdirs_release(struct subdirs *s);

/** Append the subdirectories whose parent is the directory dir.  Returns 0 or -1 with *err. */
int subdirs_load(struct subdirs *s, struct db *db, int64_t dir, struct err *err);

/**
 * Load the tops at and below an absolute path into an empty list, in order.  A top is a
 * directory without a parent in the index, as that of a root which was scanned by itself;
 * the one with the id but is left out.  Returns 0 or -1 with *err.
 */
int subdirs_load_tops(struct subdirs *tops, struct db *db, const char *path, int64_t but, struct err *err);

/** The first top below path (after NULL), or the next one after another; NULL at the end. */
const struct subdir *subdirs_next_top(const struct subdirs *tops, const char *path, const struct subdir *after);

/** Append for each top below path the directory in path that leads to it, or is it. */
void subdirs_add_tops(struct subdirs *s, const struct subdirs *tops, const char *path);

/** Sort by the bytes of names, each name once, rather with an id than without. */
void subdirs_sort(struct subdirs *s);
/** Whether a sorted list has the name. */
bool subdirs_has(const struct subdirs *s, const char *name);

#endif
