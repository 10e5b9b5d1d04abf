/* SPDX-License-Identifier: MIT */
/*
 * bulk - write the rows of a first scan, and the indexes on contents, page by page without SQL.
 * With --disable-bulk bulk_none.c stands behind this header: SQLite writes everything.
 */
#ifndef BULK_BULK_H
#define BULK_BULK_H

#include "sys/content.h"

struct contents_count;
struct contents_without;
struct db;
struct file_row;
struct index;
struct name_build;

/**
 * The rows of a first scan, on their way to the table, and notes for the indexes on contents.
 * One thread at a time.
 */
struct bulk;

/**
 * Enough rows for a tree: to reserve pages, to try that out and to read the new schema takes as
 * long as pages save for so large a table.  Tests of small trees set it to 0 when they build.
 */
#ifndef BULK_ENOUGH
#define BULK_ENOUGH 1000
#endif

/**
 * Make one for an index that has no rows and no indexes on contents.  Rows wait in memory until
 * there are enough: of fewer SQLite makes the table.  Returns it, owned, or NULL: SQLite writes
 * everything.
 */
struct bulk *bulk_new(size_t enough);
/** Free it.  Accepts NULL. */
void bulk_free(struct bulk *b);

/**
 * Begin to take rows, in a write transaction with a table that stays empty until bulk_end_rows.
 * Returns 1; 0: the file can't have it in its present mode, if that is known already; -1.
 */
int bulk_begin_rows(struct bulk *b, struct db *db, struct err *err);
/**
 * Take a row.  Returns 1; 0: SQLite must write it, because it does not sort behind the last one (by
 * directory and name), its name is not UTF-8 or longer than Linux allows, it has an error, or the
 * file can't have its like; -1.
 */
int bulk_add_row(struct bulk *b, const struct file_row *row, struct err *err);
/** Make the rows taken so far the table's.  Returns 0 or -1: roll back then. */
int bulk_end_rows(struct bulk *b, struct err *err);
/**
 * Whether the failed call was a refusal: pages or SQLite were not as expected, and nothing else in
 * the file was overwritten.  Roll back then, and write all rows by SQLite.  Accepts NULL.
 */
bool bulk_refused(const struct bulk *b);

/**
 * Note a row for the indexes on contents: every row, also those that SQLite writes.  Returns the
 * place of its note.
 */
size_t bulk_note(struct bulk *b, const struct file_row *row);
/** The name of a noted row, as on disk, with a NUL behind.  Borrowed until the next note. */
const char *bulk_note_name(const struct bulk *b, size_t place);
/** The row of a note has got a hash. */
void bulk_note_hash(struct bulk *b, size_t place, const uint8_t hash[HASH_SIZE]);
/** The row of a note was written anew, with the same name. */
void bulk_note_change(struct bulk *b, size_t place, const struct file_row *row);
/** A row was deleted: SQLite is to make the indexes. */
void bulk_note_deleted(struct bulk *b);

/**
 * Make both indexes on contents if ix does not have them: of the notes, or of the rows by
 * SQLite.  Inside a transaction.  The notes are forgotten; names, unless NULL, adopt what they
 * have; readers wait while pages are written, for 2 s at most.  b may be NULL.  Returns 0, or -1
 * with *err: roll back then.
 */
int bulk_make_indexes(struct bulk *b, struct index *ix, const struct contents_without *without, struct name_build *names, struct err *err);
/**
 * The sets that were counted while the indexes were made of the notes, as contents_count; NULL
 * when they were not.  Borrowed.  b may be NULL.
 */
const struct contents_count *bulk_count(const struct bulk *b);

#endif
