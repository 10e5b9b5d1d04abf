/* SPDX-License-Identifier: MIT */
/* bulk_insert - rows in memory as a table for SELECT: one statement writes thousands of rows. */
#ifndef DB_BULK_INSERT_H
#define DB_BULK_INSERT_H

#include "db/sql.h"

struct db;
struct stmt;

/** Receives a column's value; NULL if nothing is set. */
struct bulk_insert_value;
void bulk_insert_int(struct bulk_insert_value *v, int64_t value);
/** Text and blobs must live until the statement ends, */
void bulk_insert_text(struct bulk_insert_value *v, const char *text, size_t len);
void bulk_insert_blob(struct bulk_insert_value *v, const void *blob, size_t len);
/** except here: this copies. */
void bulk_insert_text_copy(struct bulk_insert_value *v, const char *text, size_t len);

/** Set the value of a column of a row; columns count from COL_FEED_C1. */
typedef void bulk_insert_fn(void *arg, size_t row, int column, struct bulk_insert_value *v);

/** Register the table with a connection, once.  Returns 0 or -1. */
int bulk_insert_register(struct db *db, struct err *err);

/** Run a statement without results that selects from feed, over n rows.  Returns 0 or -1. */
int bulk_insert_run(struct db *db, enum sql_id id, size_t n, bulk_insert_fn *fn, void *arg, struct err *err);
/** The same for a statement that the caller has bound. */
int bulk_insert_bound(struct stmt *st, size_t n, bulk_insert_fn *fn, void *arg);
/** Read the number that a statement finds for n rows, as stmt_ask.  Returns 0 or -1. */
int bulk_insert_number(struct db *db, enum sql_id id, size_t n, bulk_insert_fn *fn, void *arg, int64_t *number, struct err *err);

#endif
