/* SPDX-License-Identifier: MIT */
/* copy_dirs - a few directories in which the copies of files lie, by their paths alone. */
#ifndef TREES_COPY_DIRS_H
#define TREES_COPY_DIRS_H

#include "trees/tree_answer.h"

struct file_answer;

/** Where the copy lies that was chosen for a file with many. */
struct copy_dirs_told {
	const char *file, *dir;
};

/** Zero it with the directory asked about, copy_dirs_release() it. */
struct copy_dirs {
	const char *asked;              /* absolute: the directory whose files have these copies */
	bool apart;                     /* tell all places apart, however many they are */
	/** After copy_dirs_close(): places, most files first; each file counts in one of them. */
	VEC(struct tree_place) places;
	/* private: before that each directory that a copy was met in, perhaps several times */
	VEC(struct copy_dirs_told) told;
	struct table by_file;           /* of told */
	struct arena paths;
};

/**
 * Count a file that has a copy or a link elsewhere.  It was delivered with its members, or
 * (state_query.fold) with the name of a file that was.
 */
void copy_dirs_add(struct copy_dirs *c, const struct file_answer *a);
/** Sum up: what lies in one directory beside the one asked about, or above it, is one place. */
void copy_dirs_close(struct copy_dirs *c);
/** Free its memory. */
void copy_dirs_release(struct copy_dirs *c);

#endif
