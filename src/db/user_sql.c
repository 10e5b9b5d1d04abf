/* SPDX-License-Identifier: MIT */
#include "base/base.h"

#include "db/user_sql.h"

#include <sqlite3.h>

#include "db/db.h"

/* Whether a table may be read by its own name: a public view, or the schema. */
static bool
user_sql_is_public(const char *name)
{
	static const char view[] = "_view";
	const size_t len = strlen(name);

	return strncmp(name, "sqlite_", strlen("sqlite_")) == 0 || (len >= strlen(view) && strcmp(name + len - strlen(view), view) == 0);
}

/*
 * Allow reading, but private tables only within a view or a common table expression, which view
 * names.  This enforces the interface, not secrecy: a user who may read the file may read all.
 */
static int
user_sql_authorize(void *arg, int action, const char *a, const char *b, const char *schema, const char *view)
{
	(void)arg;
	(void)schema;
	switch (action) {
	case SQLITE_SELECT:
	case SQLITE_FUNCTION:
	case SQLITE_RECURSIVE:
		return SQLITE_OK;
	case SQLITE_READ:
		/* No column: the table is only counted or joined. */
		return view == NULL && *b != '\0' && !user_sql_is_public(a) ? SQLITE_DENY : SQLITE_OK;
	default:
		return SQLITE_DENY;
	}
}

static void
user_sql_value(sqlite3_stmt *s, int col, struct user_sql_value *v)
{
	memset(v, 0, sizeof(*v));
	switch (sqlite3_column_type(s, col)) {
	case SQLITE_INTEGER:
		v->type = USER_SQL_INT;
		v->i = sqlite3_column_int64(s, col);
		break;
	case SQLITE_FLOAT:
		v->type = USER_SQL_REAL;
		v->r = sqlite3_column_double(s, col);
		break;
	case SQLITE_TEXT:
		v->type = USER_SQL_TEXT;
		v->data = (const char *)sqlite3_column_text(s, col);
		v->len = (size_t)sqlite3_column_bytes(s, col);
		break;
	case SQLITE_BLOB:
		v->type = USER_SQL_BLOB;
		v->data = sqlite3_column_blob(s, col);
		v->len = (size_t)sqlite3_column_bytes(s, col);
		break;
	default:
		v->type = USER_SQL_NULL;
		break;
	}
}

static int
user_sql_rows(struct db *db, sqlite3_stmt *s, user_sql_fn *fn, void *arg, struct err *err)
{
	const size_t n = (size_t)sqlite3_column_count(s);
	const char **names = mem_zalloc(n + 1, sizeof(*names));
	struct user_sql_value *values = mem_zalloc(n + 1, sizeof(*values));
	int ret = 0, rc = SQLITE_DONE;

	for (size_t i = 0; i < n; i++)
		names[i] = sqlite3_column_name(s, (int)i);
	if (n > 0)
		ret = fn(arg, names, NULL, n);
	while (ret == 0 && (rc = sqlite3_step(s)) == SQLITE_ROW) {
		for (size_t i = 0; i < n; i++)
			user_sql_value(s, (int)i, &values[i]);
		ret = fn(arg, names, values, n);
	}
	if (ret == 0 && rc != SQLITE_DONE)
		ret = db_fail(db, "sql", err);
	free(names);
	free(values);
	return ret;
}

static int
user_sql_refused(struct db *db, struct err *err)
{
	if (sqlite3_errcode(db->handle) == SQLITE_AUTH)
		return err_set(err, ERR_USAGE, "sql: only SELECT on the public views is allowed (file_view, dup_view, set_view, "
		               "dir_view, fleeting_view, root_view, scan_view, volume_view, drawer_view, mark_view, before_view): %s", sqlite3_errmsg(db->handle));
	return err_set(err, ERR_USAGE, "sql: %s", sqlite3_errmsg(db->handle));
}

int
user_sql_run(struct db *db, const char *text, user_sql_fn *fn, void *arg, struct err *err)
{
	sqlite3_stmt *s = NULL, *more = NULL;
	const char *tail = text;
	const int64_t most = db->most_steps;
	int ret = 0;

	/* A user's query may take long on purpose, and the views are known to end. */
	db->most_steps = 0;
	sqlite3_set_authorizer(db->handle, user_sql_authorize, NULL);
	if (sqlite3_prepare_v2(db->handle, text, -1, &s, &tail) != SQLITE_OK)
		ret = user_sql_refused(db, err);
	else if (s == NULL)
		ret = err_set(err, ERR_USAGE, "sql: there is no statement");
	else if (sqlite3_prepare_v2(db->handle, tail, -1, &more, NULL) != SQLITE_OK || more != NULL)
		ret = err_set(err, ERR_USAGE, "sql: one statement at a time");
	else
		ret = user_sql_rows(db, s, fn, arg, err);
	sqlite3_finalize(s);
	sqlite3_finalize(more);
	sqlite3_set_authorizer(db->handle, NULL, NULL);
	db->most_steps = most;
	return ret;
}
