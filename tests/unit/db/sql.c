/* SPDX-License-Identifier: MIT */
/* The statements of sql/: each prepares on a fresh schema, plans as it may, and names its parameters. */
#include <config.h>

#include <sqlite3.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/err.h"
#include "db/db.h"
#include "db/stmt.h"
#include "db/feed.h"
#include "db/filter.h"
#include "unit.h"

/* What a new index is made of. */
static const enum sql_id blocks[] = { SQL_SCHEMA, SQL_SCHEMA_INDEX, SQL_SCHEMA_MARK, SQL_SCHEMA_CONTENT, SQL_SCHEMA_UNREAD, SQL_RESERVE,
                                     SQL_VIEWS, SQL_VIEWS_DUP, SQL_VIEWS_MARK, SQL_VIEWS_KILLED };

static char path[64];
static struct db *db;
static sqlite3 *handle;

static void
setup(void)
{
	struct err err = { 0 };

	snprintf(path, sizeof(path), "/tmp/twindex-unit.XXXXXX");
	close(mkstemp(path));
	ck_assert_msg(db_open(&db, path, DB_WRITE | DB_VIEWS | DB_NO_WAL, &err) == 0 && db_start(db, &err) == 0, "%s", err.text);
	ck_assert_msg(feed_register(db, &err) == 0, "%s", err.text);
	ck_assert_msg(filter_register(db, &err) == 0, "%s", err.text);
	handle = db->handle;
	ck_assert_int_eq(db_begin(db, &err), 0);
	for (int i = 0; i < N_ROWS(blocks); i++)
		ck_assert_msg(db_exec(db, blocks[i], &err) == 0, "%s: %s", sql_text[blocks[i]].where, err.text);
	ck_assert_int_eq(db_end(db, 0, &err), 0);
}

static void
teardown(void)
{
	char journal[sizeof(path) + 16];

	db_close(db);
	unlink(path);
	snprintf(journal, sizeof(journal), "%s-journal", path);
	unlink(journal);
}

static bool
is_block(int id)
{
	for (int i = 0; i < N_ROWS(blocks); i++) {
		if (id == (int)blocks[i])
			return true;
	}
	/* What rewrites the schema needs one that may be written to. */
	return id == SQL_FEED || id == SQL_SCHEMA_UPGRADE_3 || id == SQL_SCHEMA_LINK_1 || id == SQL_SCHEMA_CONTENT_1 ||
	       id == SQL_SCHEMA_INDEX_DROP || id == SQL_VIEWS_DUP_1 || id == SQL_RESERVE_LET_GO || id == SQL_RESERVE_BECOMES_INDEX ||
	       id == SQL_RESERVE_BECOMES_FILE;
}

START_TEST(prepares)
{
	const struct sql_text *t = &sql_text[_i];
	sqlite3_stmt *s = NULL;
	const char *tail = NULL;

	ck_assert_ptr_nonnull(t->name);
	ck_assert_ptr_nonnull(t->text);
	if (is_block(_i))
		return;
	ck_assert_msg(sqlite3_prepare_v2(handle, t->text, -1, &s, &tail) == SQLITE_OK, "%s: %s: %s", t->where, t->name,
	              sqlite3_errmsg(handle));
	ck_assert_ptr_nonnull(s);
	ck_assert_msg(tail[strspn(tail, " \t\n")] == '\0', "%s: %s: more than one statement", t->where, t->name);
	sqlite3_finalize(s);
}
END_TEST

/* A name tells what is bound. */
START_TEST(names_parameters)
{
	const struct sql_text *t = &sql_text[_i];
	sqlite3_stmt *s = NULL;

	if (is_block(_i))
		return;
	ck_assert_int_eq(sqlite3_prepare_v2(handle, t->text, -1, &s, NULL), SQLITE_OK);
	for (int i = 1; i <= sqlite3_bind_parameter_count(s); i++) {
		const char *name = sqlite3_bind_parameter_name(s, i);

		ck_assert_msg(name != NULL && name[0] == ':', "%s: %s: parameter %d has no name",
		              t->where, t->name, i);
	}
	sqlite3_finalize(s);
}
END_TEST

static bool
has_wart(const char *plan, const char *wart)
{
	char words[64];

	if (strncmp(plan, "plan=", 5) != 0)
		return false;
	snprintf(words, sizeof(words), ",%s,", plan + 5);
	return strstr(words, wart) != NULL;
}

START_TEST(plans)
{
	const struct sql_text *t = &sql_text[_i];
	sqlite3_stmt *s = NULL;
	char *text;

	if (is_block(_i) || strncmp(t->text, "PRAGMA", 6) == 0)
		return;
	text = sqlite3_mprintf("EXPLAIN QUERY PLAN %s", t->text);
	ck_assert_msg(sqlite3_prepare_v2(handle, text, -1, &s, NULL) == SQLITE_OK, "%s", sqlite3_errmsg(handle));
	while (sqlite3_step(s) == SQLITE_ROW) {
		const char *detail = (const char *)sqlite3_column_text(s, 3);

		/* Rows of constants and rows from memory are no scan of a table. */
		if (strncmp(detail, "SCAN CONSTANT ROW", 17) == 0 || strncmp(detail, "SCAN feed ", 10) == 0)
			continue;
		ck_assert_msg(strncmp(detail, "SCAN ", 5) != 0 || has_wart(t->plan, ",scan,"),
		              "%s: %s: %s needs plan=scan", t->where, t->name, detail);
		ck_assert_msg(strstr(detail, "USE TEMP B-TREE") == NULL || has_wart(t->plan, ",sort,"),
		              "%s: %s: %s needs plan=sort", t->where, t->name, detail);
	}
	sqlite3_finalize(s);
	sqlite3_free(text);
}
END_TEST

/* A misspelt wart would be none. */
START_TEST(warts_are_known)
{
	const char *plan = sql_text[_i].plan;

	ck_assert_msg(*plan == '\0' || strcmp(plan, "plan=scan") == 0 || strcmp(plan, "plan=sort") == 0 ||
	              strcmp(plan, "plan=scan,sort") == 0, "%s: '%s'", sql_text[_i].where, plan);
}
END_TEST

/* A statement that finds no end is ended; one that a person wrote is not. */
START_TEST(ends)
{
	struct err err = { 0 };
	struct stmt st;

	ck_assert_int_eq(sqlite3_exec(handle, "DROP TABLE volume; CREATE VIEW volume AS "
	                              "WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n) "
	                              "SELECT i AS id, '' AS key, '' AS type FROM n WHERE i < 0", NULL, NULL, NULL), SQLITE_OK);
	db->most_steps = 1000000;
	st = stmt_get(db, SQL_VOLUME_ALL, &err);
	ck_assert_int_eq(stmt_step(&st), -1);
	ck_assert_int_eq(err.code, ERR_BAD_INDEX);
	ck_assert_ptr_nonnull(strstr(err.text, "volume_all"));
	ck_assert_int_eq(sqlite3_exec(handle, "DROP VIEW volume", NULL, NULL, NULL), SQLITE_OK);
	/* The next one counts anew. */
	err = (struct err){ 0 };
	st = stmt_get(db, SQL_SCAN_RUNNING, &err);
	ck_assert_int_eq(stmt_step(&st), 1);
	stmt_done(&st);
}
END_TEST

Suite *
suite_sql(void)
{
	Suite *s = suite_create("sql");
	TCase *tc = tcase_create("sql");

	tcase_add_checked_fixture(tc, setup, teardown);
	tcase_add_loop_test(tc, prepares, 0, SQL_COUNT);
	tcase_add_loop_test(tc, names_parameters, 0, SQL_COUNT);
	tcase_add_loop_test(tc, plans, 0, SQL_COUNT);
	tcase_add_loop_test(tc, warts_are_known, 0, SQL_COUNT);
	suite_add_tcase(s, tc);
	tc = tcase_create("steps");
	tcase_add_checked_fixture(tc, setup, teardown);
	/* A thousand steps a byte of the file are allowed; that takes seconds. */
	tcase_set_timeout(tc, 60);
	tcase_add_test(tc, ends);
	suite_add_tcase(s, tc);
	return s;
}
