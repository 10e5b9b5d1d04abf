/* SPDX-License-Identifier: MIT */
/* level - what one directory holds, a line each: its subdirectories with their sums, its files. */
#ifndef BROWSE_LEVEL_H
#define BROWSE_LEVEL_H

#include "index/mark.h"
#include "index/rows.h"
#include "query/usage.h"

struct index;

/** What comes first; equal lines come by size, then as by LEVEL_NAME. */
enum level_sort {
	LEVEL_REDUNDANT,
	LEVEL_SIZE,
	LEVEL_MARKED,
	LEVEL_SHARE,
	LEVEL_NAME       /* subdirectories before files */
};

/** A subdirectory or a file. */
struct level_line {
	const char *name;        /* bytes as on disk */
	uint32_t dir;            /* a subdirectory's number; DIRTREE_NONE: a file */
	bool linked;             /* a file with other names */
	enum mark_decision mark; /* a file's, as decided */
	/** Of a file usage_file()'s. */
	struct usage_sum sum;
};

/** A directory.  It borrows nothing. */
struct level {
	char *path;              /* owned; absolute */
	struct usage_sum sum;
	size_t n;                /* lines: level_line() has them in order */
	/* private */
	VEC(struct level_line) lines;   /* subdirectories, then files, each by name */
	size_t n_dirs;
	VEC(struct order) order; /* positions in lines, in the order asked for */
	struct rows rows;        /* what the files' names point to */
	struct arena names;      /* ... and those of subdirectories */
};

/**
 * Load a directory by its number; u was loaded for files.
 * Returns 0 with an owned level for level_free, or -1.
 */
int level_load(struct level **level, struct index *ix, const struct usage *u, uint32_t dir, struct err *err);
/** Free.  Accepts NULL. */
void level_free(struct level *l);

/** The line at a place in order, less than n. */
const struct level_line *level_line(const struct level *l, size_t at);
/** Put the lines in order, or in the opposite one.  Costs 5 ms for 100,000. */
void level_order(struct level *l, enum level_sort sort, bool reverse);

/** The value that a line is sorted by, for its bar; of LEVEL_NAME the size. */
int64_t level_value(const struct level_line *line, enum level_sort sort);

/**
 * The next line behind from whose name has the text in it, small and capital letters alike;
 * behind the last line the first one is next.  SIZE_MAX: no line has it.
 */
size_t level_find(const struct level *l, const char *text, size_t from);
/** The line with a name, or SIZE_MAX. */
size_t level_named(const struct level *l, const char *name);

/** Append the absolute path of a line. */
void level_path(const struct level *l, size_t at, struct buf *path);

/** A file's mark, by its name. */
struct level_mark {
	const char *name;
	enum mark_decision mark;
};

/**
 * What marks became in a directory: some of its files', and the sums of its subdirectories.
 * Zero it, level_marks_release() it.
 */
struct level_marks {
	VEC(struct level_mark) files;
	VEC(int64_t) dirs;       /* marked bytes, in the order of names */
	int64_t marked;          /* ... of all of it */
	struct arena names;
};

/** Add a file's mark by the file's name. */
void level_marks_add(struct level_marks *m, const char *name, enum mark_decision mark);
/** Set the sums to those of a directory by its number. */
void level_marks_sum(struct level_marks *m, const struct usage *u, uint32_t dir);
/** Free what it owns. */
void level_marks_release(struct level_marks *m);
/** Set the marks of a level, which was loaded from the same sums; the order stays. */
void level_take_marks(struct level *l, const struct level_marks *m);

#endif
