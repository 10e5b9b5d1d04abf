/* SPDX-License-Identifier: MIT */
#include "base/base.h"

#include "db/stmt.h"

#include <sqlite3.h>

static void
stmt_fail(struct stmt *st)
{
	if (!st->failed)
		db_fail(st->db, sql_text[st->id].name, st->err);
	st->failed = true;
	if (st->s != NULL)
		sqlite3_reset(st->s);
	st->s = NULL;
}

struct stmt
stmt_get(struct db *db, enum sql_id id, struct err *err)
{
	struct stmt st = { .db = db, .s = db->stmts[id], .err = err, .id = id };

	db->steps = 0;
	if (st.s == NULL) {
		if (sqlite3_prepare_v3(db->handle, sql_text[id].text, -1, SQLITE_PREPARE_PERSISTENT, &st.s, NULL) != SQLITE_OK)
			stmt_fail(&st);
		db->stmts[id] = st.s;
	} else {
		sqlite3_reset(st.s);
		sqlite3_clear_bindings(st.s);
	}
	return st;
}

/*
 * The position of a named parameter, or 0.  SQLite compares one name after the other: where
 * parameters are bound in the order of the statement, the first comparison is the last one.
 */
static int
stmt_param(struct stmt *st, const char *name)
{
	const char *next = sqlite3_bind_parameter_name(st->s, st->bound + 1);

	st->bound = next != NULL && strcmp(next, name) == 0 ? st->bound + 1 : sqlite3_bind_parameter_index(st->s, name);
	return st->bound;
}

/* Keep a failed bind.  An unknown parameter name, which is a bug, has position 0 and fails. */
static void
stmt_bound(struct stmt *st, int rc)
{
	if (rc != SQLITE_OK)
		stmt_fail(st);
}

void
stmt_int(struct stmt *st, const char *name, int64_t value)
{
	if (st->s != NULL)
		stmt_bound(st, sqlite3_bind_int64(st->s, stmt_param(st, name), value));
}

void
stmt_text(struct stmt *st, const char *name, const char *value, size_t len)
{
	if (st->s != NULL)
		stmt_bound(st, sqlite3_bind_text(st->s, stmt_param(st, name), value, (int)len, SQLITE_STATIC));
}

void
stmt_blob(struct stmt *st, const char *name, const void *value, size_t len)
{
	if (st->s != NULL)
		stmt_bound(st, sqlite3_bind_blob(st->s, stmt_param(st, name), value, (int)len, SQLITE_STATIC));
}

bool
stmt_json_has_nul(const char *json, size_t len)
{
	const char *at = json;

	while ((at = strchr(at, '\\')) != NULL && strncmp(at + 1, "u0000", 5) != 0)
		at += at[1] != '\0' ? 2 : 1;
	return at != NULL || memchr(json, '\0', len) != NULL;
}

int
stmt_step(struct stmt *st)
{
	if (st->s == NULL)
		return st->failed ? -1 : 0;
	switch (sqlite3_step(st->s)) {
	case SQLITE_ROW:
		return 1;
	case SQLITE_DONE:
		stmt_done(st);
		return 0;
	default:
		stmt_fail(st);
		return -1;
	}
}

int
stmt_run(struct stmt *st)
{
	int ret = stmt_step(st);

	stmt_done(st);
	return ret < 0 ? -1 : 0;
}

int
stmt_number(struct stmt *st, int64_t *value)
{
	const int ret = stmt_step(st);

	*value = ret == 1 ? stmt_col_int(st, 0) : 0;
	stmt_done(st);
	return ret < 0 ? -1 : 0;
}

int
stmt_ask(struct db *db, enum sql_id id, int64_t *value, struct err *err)
{
	struct stmt st = stmt_get(db, id, err);

	return stmt_number(&st, value);
}

int
stmt_truth(struct stmt *st)
{
	int64_t value;

	return stmt_number(st, &value) < 0 ? -1 : value != 0;
}

void
stmt_done(struct stmt *st)
{
	if (st->s != NULL)
		sqlite3_reset(st->s);
	st->s = NULL;
}

int64_t
stmt_col_int(const struct stmt *st, int col)
{
	return sqlite3_column_int64(st->s, col);
}

bool
stmt_col_is_null(const struct stmt *st, int col)
{
	return sqlite3_column_type(st->s, col) == SQLITE_NULL;
}

const char *
stmt_col_text(const struct stmt *st, int col, size_t *len)
{
	const char *text = (const char *)sqlite3_column_text(st->s, col);

	*len = (size_t)sqlite3_column_bytes(st->s, col);
	return text != NULL ? text : "";
}

const char *
stmt_col_name(const struct stmt *st, int col, size_t *len)
{
	return stmt_col_text(st, stmt_col_is_null(st, col + 1) ? col : col + 1, len);
}

const void *
stmt_col_blob(const struct stmt *st, int col, size_t *len)
{
	const void *blob = sqlite3_column_blob(st->s, col);

	*len = (size_t)sqlite3_column_bytes(st->s, col);
	return blob;
}
