/* SPDX-License-Identifier: MIT */
/* bulk - an index filled in order: its pages are written one behind the other, for a fifth of what CREATE INDEX costs. */
#ifndef DB_BULK_H
#define DB_BULK_H

#include "db/record.h"
#include "db/sql.h"

struct db;
struct err;

/** An index under construction. */
struct bulk;

/**
 * Begin one, in a write transaction; it must end before anything else is written.
 * Its pages have the form of sqlite.org/fileformat2.html, "B-tree Pages", and
 * its entries that of "Representation of SQL Indices": the indexed columns, then those of the
 * key of "file" that are not among them.
 *
 * Returns 1 with an owned *bulk, 0 when the file, as it is used now, can't have it
 * (only one that is unshared: db_open, db_own), or -1.
 */
int bulk_new(struct bulk **bulk, struct db *db, struct err *err);
/** Append an entry; in the order of the index.  Returns 0 or -1. */
int bulk_add(struct bulk *b, const struct record *r, struct err *err);
/** Make what was added the index of "file" with this name that the statement create would make.  Returns 0 or -1: roll back then. */
int bulk_finish(struct bulk *b, const char *name, enum sql_id create, struct err *err);
/** Free it.  Accepts NULL. */
void bulk_free(struct bulk *b);

#endif
