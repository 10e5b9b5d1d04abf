/* SPDX-License-Identifier: MIT */
/* query - SQL that people write: read-only, on the public views alone. */
#ifndef DB_QUERY_H
#define DB_QUERY_H

#include <stddef.h>
#include <stdint.h>

struct db;
struct err;

/** A value of a result. */
enum query_type { QUERY_NULL, QUERY_INT, QUERY_REAL, QUERY_TEXT, QUERY_BLOB };
struct query_value {
	enum query_type type;
	int64_t i;
	double r;
	const char *data;   /* text (with a NUL behind) or blob */
	size_t len;
};

/** Called first with values NULL, then for each row; values and names (n of each) are borrowed.  Returns 0 to go on, another value to stop. */
typedef int query_fn(void *arg, const char *const *names, const struct query_value *values, size_t n);

/**
 * Run the statement in text.  It may read the views
 * (and sqlite_schema); private tables, pragmas, attached files and anything that writes are refused.
 * The connection must have been opened with DB_VIEWS.
 *
 * Returns 0, what fn returned, or -1 with ERR_USAGE (the SQL is wrong) or ERR_DB.
 */
int query_run(struct db *db, const char *text, query_fn *fn, void *arg, struct err *err);

#endif
