/* SPDX-License-Identifier: MIT */
/* missing_dirs - files that exist nowhere else, summed up by directory as they are met. */
#ifndef TREES_MISSING_DIRS_H
#define TREES_MISSING_DIRS_H

#include "trees/tree_answer.h"

/** A directory whose files are being counted. */
struct missing_dir {
	const char *path;
	size_t lines;             /* lines before its own */
	int64_t files, missing, bytes;    /* directly in it; bytes: of those missing */
	int64_t below, below_missing, below_bytes;  /* in it and its subdirectories */
};

/** Zero it, missing_dirs_open() it, missing_dirs_release() it in any case. */
struct missing_dirs {
	/**
	 * After missing_dirs_close(): the highest directories all of whose files are missing, as
	 * TREE_AT_RISK, and others with such files directly in them, as TREE_FILES_AT_RISK; most
	 * bytes first.
	 */
	VEC(struct tree_answer) lines;
	/* private */
	VEC(struct missing_dir) open;     /* each lies in the one before it */
	struct arena paths;
};

/** Begin with a directory in which all files lie. */
void missing_dirs_open(struct missing_dirs *m, const char *dir);
/**
 * Count the file at an absolute path.  Files come as list_each delivers them: those of a directory
 * before those of its subdirectories.
 */
void missing_dirs_add(struct missing_dirs *m, const char *path, bool missing, int64_t bytes);
/** End the last directories, and sort the lines. */
void missing_dirs_close(struct missing_dirs *m);
/** Free its memory. */
void missing_dirs_release(struct missing_dirs *m);

#endif
