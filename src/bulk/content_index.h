/* SPDX-License-Identifier: MIT */
/* content_index - the indexes on contents, made once there are rows: quickly of entries that were noted on the way. */
#ifndef BULK_CONTENT_INDEX_H
#define BULK_CONTENT_INDEX_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/buf.h"
#include "index/contents.h"

struct db;
struct err;
struct file_row;
struct index;
struct order;

/** What the entries of all rows will be, noted as these are written.  Zero it, content_index_release() it. */
struct content_index {
	struct buf entries;      /* private */
	size_t n, n_read;        /* of them, and of those with a hash */
	bool incomplete;         /* rows were written or deleted that were not noted */
	struct order *orders[2]; /* sorted, to be written: of those without a hash, and of those with one */
	/* Once the indexes are made of what was noted: */
	bool counted;
	struct contents_count count;
};

/** Free the memory. */
void content_index_release(struct content_index *ci);

/** Note a row that was written.  Returns the place of its entry. */
size_t content_index_note(struct content_index *ci, const struct file_row *row);
/** The row of an entry has got a hash. */
void content_index_read(struct content_index *ci, size_t place, const uint8_t hash[HASH_SIZE]);
/** The row of an entry was written anew; it has the same name. */
void content_index_change(struct content_index *ci, size_t place, const struct file_row *row);

/**
 * Make both indexes, file_content and file_unread, which must not be there.
 * Inside a transaction.  What was noted is used if it is complete, and
 * forgotten; ci may be NULL.  Nothing may have been rolled back since it was noted.
 *
 * Returns 1 when they were made of what was noted, 0 of the rows, or -1: roll back then.
 */
int content_index_make(struct content_index *ci, struct db *db, struct err *err);

/**
 * Make both indexes of ix if they are not there yet: content_index_make in a file that nobody else reads,
 * where ci is complete and small enough that readers don't wait for long; ci may be NULL.  Inside a
 * transaction.  Returns 0 or -1 with *err.
 */
int content_index_finish(struct content_index *ci, struct index *ix, struct err *err);

#endif
