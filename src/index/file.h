/* SPDX-License-Identifier: MIT */
/* file - the row of one name of a file, and how it compares with the file itself. */
#ifndef INDEX_FILE_H
#define INDEX_FILE_H

#include "db/stmt.h"
#include "index/inode.h"
#include "sys/content.h"
#include "sys/fs.h"

struct db;
struct bulk_insert_value;

/** file.error of a file that changed while it was read. */
#define FILE_CHANGING (-1)
/** file.error of a file whose hash equals another's although their bytes differ. */
#define FILE_COLLISION (-2)

/** validated.error of a file whose bytes changed although its signature did not. */
#define FILE_CORRUPT (-3)

/**
 * file.error of a member of an archive that was not judged, in an index in memory: this minus
 * enum packed_why.
 */
#define FILE_MEMBER (-100)

/** A file.error in words. */
const char *file_error_text(int error);

/** A row.  The name is borrowed from where the row was read. */
struct file_row {
	int64_t dir;
	const char *name;       /* bytes as on disk, with a NUL behind */
	size_t name_len;
	int64_t size;
	int64_t blocks;         /* units of 512 bytes */
	struct inode inode;
	int64_t nlink;
	struct fs_time mtime, ctime;
	bool has_head, has_hash, racy;
	int64_t head;
	uint8_t hash[HASH_SIZE];
	int64_t verified;       /* seconds since 1970, or 0 */
	int error;              /* errno, FILE_CHANGING, or 0 */
};

/**
 * Read the present row of a statement that returns whole rows, $(file) in sql/.
 * The name is valid until the next step.
 * Returns 0, or -1 with ERR_BAD_INDEX when a column holds what it must not.
 */
int file_read(const struct stmt *st, struct file_row *row, struct err *err);

/**
 * As file_read, but only the columns $(file_stat), which come from stat; the rest is zero.
 */
int file_read_stat(const struct stmt *st, struct file_row *row, struct err *err);

/** Read only a column with a hash.  Returns 0, or -1 with ERR_BAD_INDEX when it holds none. */
int file_read_hash(const struct stmt *st, int col, uint8_t hash[HASH_SIZE], struct err *err);

/** Bind a row's :volume, :inode, :size, :mtime, :mtime_nsec, :ctime and :ctime_nsec. */
void file_bind_signature(struct stmt *st, const struct file_row *row);

/** Write a row, replacing one of the same directory and name.  Inside a transaction. */
int file_put(struct db *db, const struct file_row *row, struct err *err);
/** Write n rows with one statement, which costs half as much.  Inside a transaction. */
int file_put_many(struct db *db, const struct file_row *rows, size_t n, struct err *err);
/** Give a feed (db/bulk_insert.h) the value of a column of a row, from COL_FILE_DIR on. */
void file_feed_column(const struct file_row *row, int column, struct bulk_insert_value *v);
/**
 * Copy nlink and ctime of n rows, each of another inode, to all names of these inodes with the same
 * content and mtime.  Inside a transaction.
 */
int file_set_links(struct db *db, const struct file_row *rows, size_t n, struct err *err);
/**
 * Mark the row of a file whose bytes were compared as verified, if it still has that hash and was
 * not marked.  Inside a transaction.  Returns 0 or -1; db_changes() tells whether it was.
 */
int file_set_verified(struct db *db, int64_t dir, const char *name, size_t len, const uint8_t hash[HASH_SIZE], struct err *err);
/** Delete the row of a name.  Inside a transaction. */
int file_delete(struct db *db, int64_t dir, const char *name, size_t len, struct err *err);
/** Delete n rows with one statement, in half the time. */
int file_delete_many(struct db *db, const struct file_row *rows, size_t n, struct err *err);
/**
 * Get the row of a name.  Returns 1 with a row (its name is the
 * caller's name), 0 without one, -1.
 */
int file_get(struct db *db, int64_t dir, const char *name, size_t len, struct file_row *row, struct err *err);

/** Whether the index has a file of this size.  Returns 1, 0 or -1. */
int file_size_known(struct db *db, int64_t size, struct err *err);
/** Whether a file has this size or more.  Returns 1, 0 or -1. */
int file_any_from(struct db *db, int64_t size, struct err *err);

/**
 * Select the rows of other inodes that were not read, have row's size, and may have its head:
 * nothing proves that they differ from it.  Release it with stmt_done().
 */
struct stmt file_unproven(struct db *db, const struct file_row *row, struct err *err);

/**
 * Whether another inode that was read has row's size, and may have its head.  Returns 1, 0 or -1.
 */
int file_any_like(struct db *db, const struct file_row *row, struct err *err);

/** The blocks of most files: those that a row need not store (schema_file). */
int64_t file_usual_blocks(int64_t size);

/** Fill the part of a row that stat tells, and clear the rest but dir and name. */
void file_from_stat(struct file_row *row, const struct fs_stat *st, int64_t volume);

/**
 * Whether a file has the row's signature: equal inode, size, mtime and (unless trust_mtime)
 * ctime.  The volume is the caller's to compare.
 */
bool file_same(const struct file_row *row, const struct fs_stat *st, bool trust_mtime);

/**
 * Whether two rows are names of one inode in one state: equal volume, inode, size and mtime.  nlink
 * and ctime do not count: after a new link one row may have the new values and the other not yet.
 */
bool file_linked(const struct file_row *a, const struct file_row *b);

#endif
