/* SPDX-License-Identifier: MIT */
/* graft - a table whose rows are an index's entries becomes that index: filled in order, it costs a third of CREATE INDEX. */
#ifndef DB_GRAFT_H
#define DB_GRAFT_H

#include "db/sql.h"

struct db;
struct err;

/**
 * Turn table into the index of "file" that the statement create would make
 * there, and so name it.  The table has no rowid, its primary key is all of its
 * columns, and these are the index's followed by those of file's key that are
 * not among them; its rows are the entries.  Inside a transaction.
 *
 * SQLite keeps the two in the same form (sqlite.org/fileformat2.html, "Representation
 * of SQL Indices" and "Representation Of WITHOUT ROWID Tables"), but has no
 * statement for this: the schema's row is rewritten (sqlite.org/pragma.html#pragma_writable_schema).
 *
 * Returns 0 or -1.
 */
int graft(struct db *db, const char *table, const char *name, enum sql_id create, struct err *err);

#endif
