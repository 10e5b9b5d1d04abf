/* SPDX-License-Identifier: MIT */
/* btree - an index, or the rows of a table, in order: its pages are written one behind the other, around SQLite's machine. */
#ifndef BULK_BTREE_H
#define BULK_BTREE_H

#include <stdbool.h>

#include "bulk/record.h"
#include "db/sql.h"

struct db;
struct err;

/** A tree of pages under construction. */
struct btree;

/**
 * Begin one, in a write transaction.  What is added is seen when it is finished.
 * Its pages have the form of sqlite.org/fileformat2.html, "B-tree Pages".
 *
 * Returns 1 with an owned *bulk, 0 when the file, as it is used now, can't have it
 * (pages_open), or -1.  Once a call has failed all that is left is to free it and to roll back.
 */
int btree_new(struct btree **bulk, struct db *db, struct err *err);
/** Whether a page has room for an entry: for every name that Linux knows. */
bool btree_fits(const struct btree *b, const struct record *r);
/** Append an entry that fits; in their order.  When its page is full, spare bytes are left in it, on behalf of this one.  Returns 0 or -1. */
int btree_add(struct btree *b, const struct record *r, size_t spare, struct err *err);
/**
 * Make what was added the index of "file" with this name that the statement create would make.
 * Its entries are the indexed columns, then those of the key of "file" that are not
 * among them ("Representation of SQL Indices").  Returns 0 or -1: roll back then.
 */
int btree_finish_index(struct btree *b, const char *name, enum sql_id create, struct err *err);
/**
 * Make what was added the rows of "file", which has none: all columns, of the key first.  The
 * index file_error is not told of them.  Returns 0 or -1: roll back then.
 */
int btree_finish_file(struct btree *b, struct err *err);
/** Free it.  Accepts NULL. */
void btree_free(struct btree *b);

#endif
