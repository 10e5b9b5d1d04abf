/* SPDX-License-Identifier: MIT */
/* btree - write an index, or the rows of a table, from sorted entries, page by page. */
#ifndef BULK_BTREE_H
#define BULK_BTREE_H

#include "bulk/record.h"
#include "db/sql.h"

struct db;

/** A tree of pages under construction. */
struct btree;

/**
 * Begin a tree, in a write transaction.  SQLite sees its entries when it is finished.
 * Its pages have the form of sqlite.org/fileformat2.html, "B-tree Pages".
 *
 * With try_out pages are tried out first: where a later refusal is costly (pages_open).
 *
 * Returns 1 with an owned *tree; 0: the file can't have it in its present mode (pages_open); -1
 * with *err.  After a failed call only btree_refused and btree_free may follow; roll back.
 */
int btree_new(struct btree **tree, struct db *db, bool try_out, struct err *err);
/**
 * Whether the call that failed was a refusal, so that SQLite alone may succeed: see pages_open.
 */
bool btree_refused(const struct btree *b);
/** Whether a page has room for an entry: for each name that Linux allows. */
bool btree_fits(const struct btree *b, const struct record *r);
/**
 * Append an entry that fits, greater than the last one, and leave spare more bytes free in its
 * page.  Returns 0 or -1.
 */
int btree_add(struct btree *b, const struct record *r, size_t spare, struct err *err);
/**
 * Make what was added the index of "file" with this name that the statement create would make.
 * Its entries are the indexed columns, then those of the key of "file" that are not
 * among them ("Representation of SQL Indices").  The pages must hold as many, read back from the
 * file.  Returns 0 or -1: undo it then.
 */
int btree_finish_index(struct btree *b, const char *name, enum sql_id create, struct err *err);
/**
 * Make what was added the rows of "file", which must be empty: all columns, those of the key
 * first.  SQLite must then count as many.  The index file_error does not get them.  Returns 0 or
 * -1: roll back then.
 */
int btree_finish_file(struct btree *b, struct err *err);
/** Free it.  Accepts NULL. */
void btree_free(struct btree *b);

#endif
