/* SPDX-License-Identifier: MIT */
/*
 * bulk - how a first scan writes rows, and the indexes on contents, around SQLite's machine: the
 * door of this room.  A build with --disable-bulk has bulk_none.c behind it: SQLite writes
 * everything.
 */
#ifndef BULK_BULK_H
#define BULK_BULK_H

#include "sys/content.h"

struct contents_count;
struct contents_without;
struct db;
struct file_row;
struct index;

/**
 * The rows of a first scan, on their way to the table, and notes for the indexes on contents.
 * One thread at a time.
 */
struct bulk;

/**
 * Make one for an index that has no rows and no indexes on contents.  Returns it, owned, or NULL:
 * SQLite writes everything.
 */
struct bulk *bulk_new(void);
/** Free it.  Accepts NULL. */
void bulk_free(struct bulk *b);

/**
 * Begin to take rows, in a write transaction with a table that is empty and stays so until
 * bulk_end_rows.  Returns 1, 0 when the file, as it is used now, can't have it, or -1.
 */
int bulk_begin_rows(struct bulk *b, struct db *db, struct err *err);
/**
 * Take a row.  Returns 1; 0: not its turn in the order of directories and names, or a special one
 * (its name is not valid UTF-8 or longer than any on Linux, it has an error): SQLite is to write
 * it; or -1.
 */
int bulk_add_row(struct bulk *b, const struct file_row *row, struct err *err);
/** Make the rows that were taken those of the table.  Returns 0 or -1: roll back then. */
int bulk_end_rows(struct bulk *b, struct err *err);
/**
 * Whether rows were refused when a call failed: pages were not what they must be, or SQLite does
 * not do what it must, while nothing of others was overwritten.  Roll back then, and write all
 * rows by SQLite.  Accepts NULL.
 */
bool bulk_refused(const struct bulk *b);

/**
 * Note a row for the indexes on contents, each that is written, in whichever way.  Returns the
 * place of its note.
 */
size_t bulk_note(struct bulk *b, const struct file_row *row);
/** The row of a note has got a hash. */
void bulk_note_hash(struct bulk *b, size_t place, const uint8_t hash[HASH_SIZE]);
/** The row of a note was written anew, with the same name. */
void bulk_note_change(struct bulk *b, size_t place, const struct file_row *row);
/** A row was deleted: SQLite is to make the indexes. */
void bulk_note_deleted(struct bulk *b);

/**
 * Make both indexes on contents if ix does not have them: of the notes, or of the rows by
 * SQLite.  Inside a transaction.  The notes are forgotten; readers wait while pages are written,
 * for 2 s at most.  b may be NULL.  Returns 0, or -1 with *err: roll back then.
 */
int bulk_make_indexes(struct bulk *b, struct index *ix, const struct contents_without *without, struct err *err);
/**
 * The sets that were counted while the indexes were made of the notes, as contents_count; NULL
 * when they were not.  Borrowed.  b may be NULL.
 */
const struct contents_count *bulk_count(const struct bulk *b);

#endif
