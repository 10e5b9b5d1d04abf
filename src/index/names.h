/* SPDX-License-Identifier: MIT */
/* names - the names that the index has of a content or of an inode, one after another. */
#ifndef INDEX_NAMES_H
#define INDEX_NAMES_H

#include "db/stmt.h"
#include "index/inode.h"
#include "sys/content.h"

struct file_row;
struct index;

/**
 * An iteration, on the caller's stack.  It begins with one of the functions
 * below, which never fail: names_next reports an error.  Each of them allows one iteration at a
 * time.  Names come in no order.
 */
struct names {
	struct stmt st;    /* private */
};

/** The names of a content.  hash is borrowed until the iteration ends. */
struct names names_of_content(struct db *db, int64_t size, const uint8_t hash[HASH_SIZE], struct err *err);
/**
 * The names of an inode that were not read whole; from an index of a version before 3 all names
 * of the inode.
 */
struct names names_of_inode(struct index *ix, int64_t size, struct inode inode, struct err *err);
/** The names of files of a size that were read whole and are hard links. */
struct names names_linked(struct db *db, int64_t size, struct err *err);
/** The names of files of a size that were read whole. */
struct names names_read(struct db *db, int64_t size, struct err *err);
/** The names of files of a size that were not read whole. */
struct names names_unread(struct db *db, int64_t size, struct err *err);

/**
 * Read the next name into *row, whose strings are valid until the next call.
 *
 * Returns 1; 0: that was the last one; -1 with *err: ERR_BAD_INDEX, ERR_DB.
 * After 0 and -1 the iteration has ended.
 */
int names_next(struct names *n, struct file_row *row);

/** End an iteration before its last name; afterwards it does nothing. */
void names_end(struct names *n);

#endif
