/* SPDX-License-Identifier: MIT */
#include <config.h>

#include "db/graft.h"

#include <sqlite3.h>
#include <string.h>

#include "base/err.h"
#include "db/db.h"
#include "db/stmt.h"

/* Rewrite the row of table in the schema, which may be written to. */
static int
graft_rewrite(struct db *db, const char *table, const char *name, const char *sql, struct err *err)
{
	struct stmt st = stmt_get(db, SQL_SCHEMA_GRAFT, err);

	stmt_text(&st, ":name", name, strlen(name));
	/* As CREATE INDEX keeps it: without the semicolon. */
	stmt_text(&st, ":sql", sql, strcspn(sql, ";"));
	stmt_text(&st, ":table", table, strlen(table));
	if (stmt_run(&st) < 0)
		return -1;
	if (db_changes(db) != 1)
		return err_set(err, ERR_DB, "make %s: index '%s' has no table '%s'", name, db->path, table);
	return 0;
}

int
graft(struct db *db, const char *table, const char *name, enum sql_id create, struct err *err)
{
	int ret;

	sqlite3_db_config(db->handle, SQLITE_DBCONFIG_DEFENSIVE, 0, NULL);
	ret = db_pragma(db, "writable_schema", 1, err);
	if (ret == 0)
		ret = graft_rewrite(db, table, name, sql_text[create].text, err);
	/* This also makes all prepared statements look at the schema again, lest one write to the table alone. */
	if (sqlite3_exec(db->handle, "PRAGMA writable_schema = RESET", NULL, NULL, NULL) != SQLITE_OK && ret == 0)
		ret = db_fail(db, name, err);
	sqlite3_db_config(db->handle, SQLITE_DBCONFIG_DEFENSIVE, 1, NULL);
	return ret;
}
