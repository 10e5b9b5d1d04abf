/* SPDX-License-Identifier: MIT */
/* contents - the two indexes of file by content, and how many sets of duplicates they hold. */
#ifndef INDEX_CONTENTS_H
#define INDEX_CONTENTS_H

#include "sys/content.h"

struct db;

/** Directories whose files do not count, numbers ascending.  Zero it, vec_release() dirs. */
struct contents_without {
	VEC(int64_t) dirs;
};

/** Counts the sets among names in the order of file_content.  Zero it. */
struct contents_count {
	const struct contents_without *without; /* borrowed; NULL: all names count */
	int64_t sets;      /* contents of several inodes */
	int64_t redundant; /* bytes of the sets' inodes, without one inode of each set */
	/* Private: the last name, and how many inodes its content has so far. */
	int64_t size, inode, volume, n;
	uint8_t hash[HASH_SIZE];
};

/** Count the next name, of a file of at least one byte in a directory. */
void contents_count_name(struct contents_count *c, int64_t size, const uint8_t hash[HASH_SIZE], int64_t inode, int64_t volume, int64_t dir);

/**
 * Count the sets of the whole index and their redundant bytes, as indexed, except files in the
 * directories of without.  Returns 0, or -1 with *err.
 */
int contents_count(struct db *db, const struct contents_without *without, int64_t *sets, int64_t *redundant, struct err *err);

/**
 * Let SQLite make both indexes, file_content and file_unread, which must not exist.  Inside a
 * transaction.  Returns 0 or -1.
 */
int contents_index(struct db *db, struct err *err);

#endif
