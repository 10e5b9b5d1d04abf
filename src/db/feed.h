/* SPDX-License-Identifier: MIT */
/* feed - rows in memory as a table for SELECT: one statement writes thousands of rows. */
#ifndef DB_FEED_H
#define DB_FEED_H

#include "db/sql.h"

struct db;

/** Where a column's value goes; a function that sets nothing gives NULL. */
struct feed_value;
void feed_int(struct feed_value *v, int64_t value);
/** Text and blobs must live until the statement is done... */
void feed_text(struct feed_value *v, const char *text, size_t len);
void feed_blob(struct feed_value *v, const void *blob, size_t len);
/** ... but for this one, which copies. */
void feed_text_copy(struct feed_value *v, const char *text, size_t len);

/** Give the value of a column of a row, from COL_FEED_C1 on. */
typedef void feed_fn(void *arg, size_t row, int column, struct feed_value *v);

/** Make the table known to a connection, once.  Returns 0 or -1. */
int feed_register(struct db *db, struct err *err);

/** Run a statement without results that selects from feed, over n rows.  Returns 0 or -1. */
int feed_run(struct db *db, enum sql_id id, size_t n, feed_fn *fn, void *arg, struct err *err);

#endif
