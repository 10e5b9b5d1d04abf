/* SPDX-License-Identifier: MIT */
/* user_sql - SQL that people write: read-only, on the public views alone. */
#ifndef DB_USER_SQL_H
#define DB_USER_SQL_H

struct db;

/** A value of a result. */
enum user_sql_type { USER_SQL_NULL, USER_SQL_INT, USER_SQL_REAL, USER_SQL_TEXT, USER_SQL_BLOB };
struct user_sql_value {
	enum user_sql_type type;
	int64_t i;
	double r;
	const char *data;   /* text (with a NUL behind) or blob */
	size_t len;
};

/**
 * Called first with values NULL, then for each row; values and names (n of each) are borrowed.
 * Returns 0 to go on, another value to stop.
 */
typedef int user_sql_fn(void *arg, const char *const *names, const struct user_sql_value *values, size_t n);

/**
 * Run the statement in text.  It may read the views
 * (and sqlite_schema); private tables, pragmas, attached files and anything that writes are
 * refused. The connection must have been opened with DB_VIEWS.
 *
 * Returns 0, what fn returned, or -1 with ERR_USAGE (the SQL is wrong) or ERR_DB.
 */
int user_sql_run(struct db *db, const char *text, user_sql_fn *fn, void *arg, struct err *err);

#endif
