/* SPDX-License-Identifier: MIT */
/*
 * content_index - builds the indexes file_content and file_unread from entries noted while rows
 * are written.
 */
#ifndef BULK_CONTENT_INDEX_H
#define BULK_CONTENT_INDEX_H

#include "index/contents.h"

struct db;
struct file_row;
struct index;
struct name_build;

/**
 * An index entry for each row, noted when the row is written.  Zero it, content_index_release()
 * it.
 */
struct content_index {
	struct buf entries;      /* private */
	size_t n, n_read;        /* number of entries, and of those with a hash */
	bool incomplete;         /* entries and rows differ: SQLite must build the indexes */
	struct order *orders[2]; /* owned; sorted entries without a hash, and with one; or NULL */
	bool counted;            /* both indexes were built from the entries; count is valid */
	struct contents_count count;
};

/** Free the memory. */
void content_index_release(struct content_index *ci);

/** Note a row that was written.  Returns the place of its entry, for the two calls below. */
size_t content_index_note(struct content_index *ci, const struct file_row *row);
/** The name of an entry, as on disk, with a NUL behind.  Borrowed until the next is noted. */
const char *content_index_name(const struct content_index *ci, size_t place);
/** The row of an entry has got a hash. */
void content_index_read(struct content_index *ci, size_t place, const uint8_t hash[HASH_SIZE]);
/** The row of an entry was written anew; it has the same name. */
void content_index_change(struct content_index *ci, size_t place, const struct file_row *row);

/**
 * Build both indexes, which must not exist.  Inside a transaction.  The entries are used if they
 * are complete, and freed; otherwise SQLite builds the indexes from the rows.  No row that was
 * noted may have been rolled back.  ci may be NULL.
 *
 * Returns 1: built from the entries; 0: built by SQLite; -1: *err, roll back.
 */
int content_index_make(struct content_index *ci, struct db *db, struct err *err);

/**
 * Build both indexes of ix unless they exist, by content_index_make.  If ci is complete and
 * small enough, readers are locked out meanwhile (db_renew_exclusive), for 2 s at most.  ci may
 * be NULL.  If its entries were used, names, unless NULL, get the names of all rows.  Inside a
 * transaction.  Returns 0, or -1 with *err.
 */
int content_index_finish(struct content_index *ci, struct index *ix, struct name_build *names, struct err *err);

#endif
