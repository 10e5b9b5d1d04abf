/* SPDX-License-Identifier: MIT */
/*
 * The statements of sql/: each prepares on a fresh schema, plans as it may, and names its
 * parameters.
 */
#include "base/base.h"

#include <sqlite3.h>
#include <sys/stat.h>
#include <unistd.h>

#include "db/db.h"
#include "db/bulk_insert.h"
#include "db/filter.h"
#include "db/stmt.h"
#include "fixture.h"
#include "unit.h"

/* What a new index is made of. */
static const enum sql_id blocks[] = { SQL_SCHEMA, SQL_SCHEMA_FILE, SQL_SCHEMA_VOLUME, SQL_SCHEMA_INDEX, SQL_SCHEMA_MARK, SQL_SCHEMA_HISTORY, SQL_SCHEMA_HISTORY_FILE, SQL_SCHEMA_VALIDATED,
                                     SQL_SCHEMA_DIGEST, SQL_SCHEMA_PAYLOAD, SQL_SCHEMA_DRAWER, SQL_SCHEMA_CLAIM, SQL_SCHEMA_CLAIM_INDEX, SQL_SCHEMA_NAME, SQL_SCHEMA_ARCHIVE,
                                     SQL_SCHEMA_CONTENT, SQL_SCHEMA_UNREAD, SQL_RESERVE, SQL_VIEWS, SQL_VIEWS_VOLUME, SQL_VIEWS_DUP,
                                     SQL_VIEWS_MARK, SQL_VIEWS_HISTORY, SQL_VIEWS_DRAWER, SQL_VIEWS_KILLED };

static char path[64];
static struct db *db;
static sqlite3 *handle;

static void
setup(void)
{
	struct err err = { 0 };

	fixture_temp_file(path, sizeof(path));
	ck_assert_msg(db_open(&db, path, DB_WRITE | DB_VIEWS | DB_NO_WAL, &err) == 0 && db_start(db, &err) == 0, "%s", err.text);
	ck_assert_msg(bulk_insert_register(db, &err) == 0, "%s", err.text);
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
	db_close(db);
	fixture_remove_db(path);
}

static bool
is_block(int id)
{
	for (int i = 0; i < N_ROWS(blocks); i++) {
		if (id == (int)blocks[i])
			return true;
	}
	/* What rewrites the schema needs one that may be written to. */
	return id == SQL_FEED || id == SQL_SCHEMA_UPGRADE_3 || id == SQL_SCHEMA_UPGRADE_4 || id == SQL_SCHEMA_UPGRADED_4 ||
	       id == SQL_SCHEMA_UPGRADE || id == SQL_SCHEMA_UPGRADE_5 || id == SQL_SCHEMA_UPGRADED_5 || id == SQL_SCHEMA_FILE_1 ||
	       id == SQL_SCHEMA_UPGRADE_6 || id == SQL_SCHEMA_UPGRADED_6 || id == SQL_SCHEMA_HISTORY_FILE_4 || id == SQL_VIEWS_HISTORY_4 || id == SQL_BEFORE_FILES_4 ||
	       id == SQL_SCHEMA_VOLUME_1 || id == SQL_VIEWS_VOLUME_1 || id == SQL_SCHEMA_LINK_1 || id == SQL_SCHEMA_CONTENT_1 ||
	       id == SQL_SCHEMA_INDEX_DROP || id == SQL_SCHEMA_NAME_DROP || id == SQL_CLAIM_INDEX_DROP || id == SQL_VIEWS_DUP_1 || id == SQL_VIEWS_DRAWER_NONE || id == SQL_RESERVE_UNDO || id == SQL_RESERVE_DETACH || id == SQL_RESERVE_BECOMES_INDEX ||
	       id == SQL_RESERVE_BECOMES_FILE;
}

/* The statements of the last rule that break it. */
static int broken;

/* Say which statement breaks the rule, and how: one that does must not hide the others. */
__attribute__((format(printf, 2, 3))) static void
complain(const struct sql_text *t, const char *format, ...)
{
	va_list args;

	fprintf(stderr, "%s: %s: ", t->where, t->name);
	va_start(args, format);
	vfprintf(stderr, format, args);
	va_end(args);
	fputc('\n', stderr);
	broken++;
}

/* NULL, with a complaint, for text of t that SQLite refuses or that is more than one statement. */
static sqlite3_stmt *
prepare(const struct sql_text *t, const char *text)
{
	sqlite3_stmt *s = NULL;
	const char *tail = NULL;

	if (sqlite3_prepare_v2(handle, text, -1, &s, &tail) != SQLITE_OK)
		complain(t, "%s", sqlite3_errmsg(handle));
	else if (s == NULL || tail[strspn(tail, " \t\n")] != '\0')
		complain(t, "not one statement");
	return s;
}

START_TEST(prepares)
{
	for (int id = 0; id < SQL_COUNT; id++) {
		ck_assert_ptr_nonnull(sql_text[id].name);
		ck_assert_ptr_nonnull(sql_text[id].text);
		if (!is_block(id))
			sqlite3_finalize(prepare(&sql_text[id], sql_text[id].text));
	}
	ck_assert_int_eq(broken, 0);
}
END_TEST

/* A name tells what is bound. */
START_TEST(names_parameters)
{
	for (int id = 0; id < SQL_COUNT; id++) {
		const struct sql_text *t = &sql_text[id];
		sqlite3_stmt *s = is_block(id) ? NULL : prepare(t, t->text);

		for (int i = 1; s != NULL && i <= sqlite3_bind_parameter_count(s); i++) {
			const char *name = sqlite3_bind_parameter_name(s, i);

			if (name == NULL || name[0] != ':')
				complain(t, "parameter %d has no name", i);
		}
		sqlite3_finalize(s);
	}
	ck_assert_int_eq(broken, 0);
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

/* A step of a statement's plan. */
static void
judge_step(const struct sql_text *t, const char *step)
{
	/* Rows of constants and rows from memory are no scan of a table. */
	if (strncmp(step, "SCAN CONSTANT ROW", 17) == 0 || strncmp(step, "SCAN feed ", 10) == 0)
		return;
	if (strncmp(step, "SCAN ", 5) == 0 && !has_wart(t->plan, ",scan,"))
		complain(t, "%s needs plan=scan", step);
	if (strstr(step, "USE TEMP B-TREE") != NULL && !has_wart(t->plan, ",sort,"))
		complain(t, "%s needs plan=sort", step);
}

START_TEST(plans)
{
	for (int id = 0; id < SQL_COUNT; id++) {
		const struct sql_text *t = &sql_text[id];
		sqlite3_stmt *s;
		char *text;

		if (is_block(id) || strncmp(t->text, "PRAGMA", 6) == 0)
			continue;
		text = sqlite3_mprintf("EXPLAIN QUERY PLAN %s", t->text);
		s = prepare(t, text);
		while (s != NULL && sqlite3_step(s) == SQLITE_ROW)
			judge_step(t, (const char *)sqlite3_column_text(s, 3));
		sqlite3_finalize(s);
		sqlite3_free(text);
	}
	ck_assert_int_eq(broken, 0);
}
END_TEST

/* A misspelt wart would be none. */
START_TEST(warts_are_known)
{
	for (int id = 0; id < SQL_COUNT; id++) {
		const char *plan = sql_text[id].plan;

		if (*plan != '\0' && strcmp(plan, "plan=scan") != 0 && strcmp(plan, "plan=sort") != 0 && strcmp(plan, "plan=scan,sort") != 0)
			complain(&sql_text[id], "'%s' is unknown", plan);
	}
	ck_assert_int_eq(broken, 0);
}
END_TEST

/* A statement that finds no end is ended; one that a person wrote is not. */
START_TEST(ends)
{
	/*
	 * As many steps are allowed for each byte of the file: taking all of them would last
	 * seconds.
	 */
	const int64_t steps_per_byte = 1000, left = 10000000;
	struct err err = { 0 };
	struct stmt st;
	struct stat file;

	ck_assert_int_eq(sqlite3_exec(handle, "DROP TABLE volume; CREATE VIEW volume AS "
	                              "WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n) "
	                              "SELECT i AS id, '' AS key, '' AS type FROM n WHERE i < 0", NULL, NULL, NULL), SQLITE_OK);
	db->most_steps = 1000000;
	st = stmt_get(db, SQL_VOLUME_ALL, &err);
	ck_assert_int_eq(db->steps, 0);
	ck_assert_int_eq(stat(path, &file), 0);
	db->steps = steps_per_byte * file.st_size - left;
	ck_assert_int_gt(db->steps, db->most_steps);
	ck_assert_int_eq(stmt_step(&st), -1);
	ck_assert_int_ge(db->steps, steps_per_byte * file.st_size);
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
	tcase_add_test(tc, prepares);
	tcase_add_test(tc, names_parameters);
	tcase_add_test(tc, plans);
	tcase_add_test(tc, warts_are_known);
	tcase_add_test(tc, ends);
	suite_add_tcase(s, tc);
	return s;
}
