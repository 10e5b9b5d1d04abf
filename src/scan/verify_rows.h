/* SPDX-License-Identifier: MIT */
/*
 * verify_rows - names and inodes whose bytes were compared, to be written in the order of the
 * index.
 */
#ifndef SCAN_VERIFY_ROWS_H
#define SCAN_VERIFY_ROWS_H

#include "index/inode.h"
#include "sys/content.h"

struct db;

/** A name, or all names of an inode: name is NULL then. */
struct verify_rows_file {
	int64_t dir;
	const char *name;      /* borrowed; bytes as on disk */
	size_t name_len;
	int64_t size;
	struct inode inode;
	uint8_t hash[HASH_SIZE];
};

/** The collection.  Zero it, verify_rows_release() it. */
struct verify_rows {
	VEC(struct verify_rows_file) names, inodes;
};

/** Free the memory. */
void verify_rows_release(struct verify_rows *v);

/**
 * Note a name whose bytes equal those of another file with this hash.  Borrowed until
 * verify_rows_write.
 */
void verify_rows_name(struct verify_rows *v, int64_t dir, const char *name, size_t len, const uint8_t hash[HASH_SIZE]);
/** The same for all names of an inode that has several. */
void verify_rows_inode(struct verify_rows *v, int64_t size, int64_t volume, int64_t inode, const uint8_t hash[HASH_SIZE]);

/**
 * Mark the noted rows that still have their hash and are not marked yet, and forget the notes.  *n
 * becomes the number marked.  Inside a transaction.
 *
 * Returns 0, or -1 with *err.
 */
int verify_rows_write(struct verify_rows *v, struct db *db, int64_t *n, struct err *err);

#endif
