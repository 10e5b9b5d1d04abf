/* SPDX-License-Identifier: MIT */
/* A new file is its writer's alone until it is shared. */
#include <config.h>

#include <sqlite3.h>
#include <stdio.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/err.h"
#include "db/db.h"
#include "fixture.h"
#include "unit.h"

static char path[96], journal[112];
static struct db *writer;
static struct err err;

static void
sql(struct db *db, const char *text)
{
	if (sqlite3_exec(db->handle, text, NULL, NULL, NULL) != SQLITE_OK)
		ck_abort_msg("%s: %s", text, sqlite3_errmsg(db->handle));
}

static void
open_writer(void)
{
	if (db_open(&writer, path, DB_WRITE | DB_CREATE, &err) < 0)
		ck_abort_msg("%s", err.text);
}

/* One part of the work: rows more, kept when ret is 0. */
static void
part(int rows, int ret)
{
	char text[160];

	ck_assert_int_eq(db_begin(writer, &err), 0);
	sql(writer, "CREATE TABLE IF NOT EXISTS t (x)");
	ck_assert_int_eq(db_pragma(writer, "application_id", DB_APPLICATION_ID, &err), 0);
	snprintf(text, sizeof(text), "INSERT INTO t WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < %d) SELECT hex(zeroblob(500)) FROM n", rows);
	sql(writer, text);
	ck_assert_int_eq(db_end(writer, ret, &err), ret);
}

/* How many rows another connection sees; -1: it can't read the file, and why is in err. */
static int64_t
seen(void)
{
	struct db *reader;
	sqlite3_stmt *s;
	int64_t n = -1;

	err.code = ERR_NONE;
	if (db_open(&reader, path, 0, &err) < 0)
		return -1;
	sqlite3_busy_timeout(reader->handle, 0);
	if (sqlite3_prepare_v2(reader->handle, "SELECT count(*) FROM t", -1, &s, NULL) == SQLITE_OK && sqlite3_step(s) == SQLITE_ROW)
		n = sqlite3_column_int64(s, 0);
	else
		db_fail(reader, "read", &err);
	sqlite3_finalize(s);
	db_close(reader);
	return n;
}

static void
setup(void)
{
	fixture_setup();
	snprintf(path, sizeof(path), "%s/index.db", fixture_top);
	snprintf(journal, sizeof(journal), "%s-journal", path);
	open_writer();
}

static void
teardown(void)
{
	db_close(writer);
	fixture_teardown();
}

START_TEST(nobody_reads_before)
{
	sqlite3 *other;

	part(1, 0);
	ck_assert_int_eq(seen(), -1);
	ck_assert_int_eq(err.code, ERR_NO_INDEX);
	/* Pages are in the file, but only the writer knows which. */
	sql(writer, "PRAGMA cache_size = 10");
	part(1000, 0);
	ck_assert_int_eq(sqlite3_open_v2(path, &other, SQLITE_OPEN_READONLY, NULL), SQLITE_OK);
	ck_assert_int_eq(sqlite3_exec(other, "SELECT * FROM t", NULL, NULL, NULL), SQLITE_BUSY);
	sqlite3_close(other);
	ck_assert_int_eq(db_share(writer, &err), 0);
	ck_assert_int_eq(seen(), 1001);
	/* From now on as any other. */
	ck_assert_int_ne(access(journal, F_OK), 0);
	ck_assert_int_eq(db_begin(writer, &err), 0);
	sql(writer, "DELETE FROM t");
	ck_assert_int_eq(seen(), 1001);
	ck_assert_int_eq(db_end(writer, 0, &err), 0);
	ck_assert_int_eq(seen(), 0);
	ck_assert_int_eq(db_share(writer, &err), 0);
}
END_TEST

START_TEST(a_failed_part_takes_no_other_with_it)
{
	part(1, 0);
	part(2, -1);
	part(4, 0);
	ck_assert_int_eq(db_share(writer, &err), 0);
	ck_assert_int_eq(seen(), 5);
}
END_TEST

START_TEST(shares_what_is_old)
{
	part(1, 0);
	ck_assert_int_eq(db_begin(writer, &err), 0);
	ck_assert(!db_is_old(writer));
	writer->began_ns -= INT64_C(6000000000);
	ck_assert(db_is_old(writer));
	ck_assert_int_eq(db_renew(writer, &err), 0);
	ck_assert(!db_is_old(writer));
	ck_assert_int_eq(seen(), 1);
	ck_assert_int_eq(db_end(writer, 0, &err), 0);
}
END_TEST

START_TEST(closed_without_sharing_is_as_if_never_opened)
{
	struct stat st;

	part(1000, 0);
	db_close(writer);
	ck_assert_int_eq(seen(), -1);
	ck_assert_int_eq(err.code, ERR_NO_INDEX);
	ck_assert_int_eq(stat(path, &st), 0);
	ck_assert_int_eq(st.st_size, 0);
	open_writer();
	ck_assert(writer->unshared);
}
END_TEST

/* Killed in the middle, with half of it in the file: the next one finds it empty. */
START_TEST(killed)
{
	int status;
	pid_t pid;

	db_close(writer);
	pid = fork();
	ck_assert_int_ge(pid, 0);
	if (pid == 0) {
		open_writer();
		sql(writer, "PRAGMA cache_size = 10");
		part(1000, 0);
		_exit(access(journal, F_OK) == 0 ? 0 : 1);
	}
	ck_assert_int_eq(waitpid(pid, &status, 0), pid);
	ck_assert_int_eq(status, 0);
	ck_assert_int_eq(seen(), -1);
	open_writer();
	ck_assert(writer->unshared);
	part(3, 0);
	ck_assert_int_eq(db_share(writer, &err), 0);
	ck_assert_int_eq(seen(), 3);
}
END_TEST

Suite *
suite_unshared(void)
{
	Suite *s = suite_create("unshared");
	TCase *t = tcase_create("unshared");

	tcase_add_checked_fixture(t, setup, teardown);
	tcase_add_test(t, nobody_reads_before);
	tcase_add_test(t, a_failed_part_takes_no_other_with_it);
	tcase_add_test(t, shares_what_is_old);
	tcase_add_test(t, closed_without_sharing_is_as_if_never_opened);
	tcase_add_test(t, killed);
	suite_add_tcase(s, t);
	return s;
}
