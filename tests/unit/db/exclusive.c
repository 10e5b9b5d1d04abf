/* SPDX-License-Identifier: MIT */
/* A new file is its writer's alone until it is published. */
#include "base/base.h"

#include <signal.h>
#include <sqlite3.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "db/db.h"
#include "db/probe.h"
#include "fixture.h"
#include "index/index.h"
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
	if (db_open(&writer, path, DB_WRITE | DB_CREATE | DB_EXCLUSIVE, &err) < 0 || db_start(writer, &err) < 0)
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

/* What another process sees: how many rows, or -1; and why, as SQLite says and as probe_index does. */
struct sight {
	int64_t n;
	int rc;
	enum err_code code;
};

/* In the calling process, with a connection of its own. */
static struct sight
look(void)
{
	struct sight s = { .n = -1 };
	struct err look_err = { 0 };
	sqlite3_stmt *count;
	int64_t version;
	sqlite3 *h;

	s.rc = sqlite3_open_v2(path, &h, SQLITE_OPEN_READONLY, NULL);
	if (s.rc == SQLITE_OK)
		s.rc = sqlite3_prepare_v2(h, "SELECT count(*) FROM t", -1, &count, NULL);
	if (s.rc == SQLITE_OK && (s.rc = sqlite3_step(count)) == SQLITE_ROW)
		s.n = sqlite3_column_int64(count, 0);
	if (s.rc == SQLITE_ROW)
		sqlite3_finalize(count);
	sqlite3_close(h);
	if (probe_index(path, false, false, &version, &look_err) < 0)
		s.code = look_err.code;
	return s;
}

/* In a process of its own: locks are between processes, and closing a file drops those that a process has. */
static struct sight
seen(void)
{
	struct sight s = { .n = -1 };
	int fds[2], status;
	pid_t pid;

	ck_assert_int_eq(pipe(fds), 0);
	pid = fork();
	ck_assert_int_ge(pid, 0);
	if (pid == 0) {
		s = look();
		_exit(write(fds[1], &s, sizeof(s)) == sizeof(s) ? 0 : 1);
	}
	ck_assert_int_eq((int)read(fds[0], &s, sizeof(s)), (int)sizeof(s));
	ck_assert_int_eq(waitpid(pid, &status, 0), pid);
	close(fds[0]);
	close(fds[1]);
	return s;
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
	part(1, 0);
	ck_assert_int_eq(seen().rc, SQLITE_BUSY);
	/* Pages are in the file, but only the writer knows which. */
	sql(writer, "PRAGMA cache_size = 10");
	part(1000, 0);
	ck_assert_int_eq(seen().rc, SQLITE_BUSY);
	ck_assert_int_eq(db_publish(writer, &err), 0);
	ck_assert_int_eq(seen().n, 1001);
	/* From now on as any other. */
	ck_assert_int_ne(access(journal, F_OK), 0);
	ck_assert_int_eq(db_begin(writer, &err), 0);
	sql(writer, "DELETE FROM t");
	ck_assert_int_eq(seen().n, 1001);
	ck_assert_int_eq(db_end(writer, 0, &err), 0);
	ck_assert_int_eq(seen().n, 0);
	ck_assert_int_eq(db_publish(writer, &err), 0);
}
END_TEST

START_TEST(a_failed_part_takes_no_other_with_it)
{
	part(1, 0);
	part(2, -1);
	part(4, 0);
	ck_assert_int_eq(db_publish(writer, &err), 0);
	ck_assert_int_eq(seen().n, 5);
}
END_TEST

START_TEST(publishes_what_is_old)
{
	part(1, 0);
	ck_assert_int_eq(db_begin(writer, &err), 0);
	ck_assert(!db_is_old(writer));
	writer->began_ns -= INT64_C(6000000000);
	ck_assert(db_is_old(writer));
	ck_assert_int_eq(db_renew(writer, &err), 0);
	ck_assert(!db_is_old(writer));
	ck_assert_int_eq(seen().n, 1);
	ck_assert_int_eq(db_end(writer, 0, &err), 0);
}
END_TEST

START_TEST(closed_unpublished_is_as_if_never_opened)
{
	struct stat st;

	part(1000, 0);
	db_close(writer);
	writer = NULL;
	ck_assert_int_eq(seen().code, ERR_NO_INDEX);
	ck_assert_int_eq(stat(path, &st), 0);
	ck_assert_int_eq(st.st_size, 0);
	open_writer();
	ck_assert_int_eq(writer->mode, DB_MODE_EXCLUSIVE);
}
END_TEST

/* Killed in the middle, with half of it in the file: the next one finds it empty. */
START_TEST(killed)
{
	int status;
	pid_t pid;

	db_close(writer);
	writer = NULL;
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
	ck_assert_int_eq(seen().n, -1);
	open_writer();
	ck_assert_int_eq(writer->mode, DB_MODE_EXCLUSIVE);
	part(3, 0);
	ck_assert_int_eq(db_publish(writer, &err), 0);
	ck_assert_int_eq(seen().n, 3);
}
END_TEST

/* A child that writes a new index, so much that a part of it is in the file, and waits to be killed. */
static void
write_and_wait(int ready)
{
	struct index *ix;

	if (index_open(&ix, path, INDEX_WRITE | INDEX_EXCLUSIVE, NULL, &err) < 0)
		_exit(1);
	sql(ix->db, "PRAGMA cache_size = 10");
	ck_assert_int_eq(db_begin(ix->db, &err), 0);
	sql(ix->db, "CREATE TABLE t AS WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 1000) SELECT hex(zeroblob(500)) FROM n");
	ck_assert_int_eq(db_end(ix->db, 0, &err), 0);
	if (write(ready, "x", 1) == 1)
		pause();
	_exit(1);
}

/* Who waits for a writer that is killed finds the index as it was before: empty. */
START_TEST(killed_while_asked)
{
	struct index *ix = NULL;
	int ready[2], status;
	pid_t pid, killer;
	char c;

	db_close(writer);
	writer = NULL;
	ck_assert_int_eq(pipe(ready), 0);
	pid = fork();
	ck_assert_int_ge(pid, 0);
	if (pid == 0)
		write_and_wait(ready[1]);
	ck_assert_int_eq((int)read(ready[0], &c, 1), 1);
	killer = fork();
	ck_assert_int_ge(killer, 0);
	if (killer == 0) {
		nanosleep(&(struct timespec){ 0, 200000000 }, NULL);
		_exit(kill(pid, SIGKILL) == 0 ? 0 : 1);
	}
	ck_assert_int_eq(index_open(&ix, path, 0, NULL, &err), -1);
	ck_assert_msg(err.code == ERR_NO_INDEX, "%s", err.text);
	ck_assert_int_eq(waitpid(pid, &status, 0), pid);
	ck_assert(WIFSIGNALED(status));
	ck_assert_int_eq(waitpid(killer, &status, 0), killer);
	close(ready[0]);
	close(ready[1]);
}
END_TEST

/* Taken again when nobody else has it open, and else left as it is. */
START_TEST(taken_again)
{
	struct sqlite3 *other;

	part(1, 0);
	ck_assert_int_eq(db_publish(writer, &err), 0);
	ck_assert_int_eq(db_begin(writer, &err), 0);
	ck_assert_int_eq(db_renew_exclusive(writer, &err), 0);
	ck_assert_int_eq(writer->mode, DB_MODE_EXCLUSIVE);
	ck_assert_int_eq(seen().rc, SQLITE_BUSY);
	sql(writer, "INSERT INTO t VALUES (2)");
	ck_assert_int_eq(db_end(writer, 0, &err), 0);
	ck_assert_int_eq(db_publish(writer, &err), 0);
	ck_assert_int_eq(seen().n, 2);

	ck_assert_int_eq(sqlite3_open(path, &other), SQLITE_OK);
	ck_assert_int_eq(sqlite3_exec(other, "SELECT count(*) FROM t", NULL, NULL, NULL), SQLITE_OK);
	ck_assert_int_eq(db_begin(writer, &err), 0);
	sql(writer, "INSERT INTO t VALUES (3)");
	ck_assert_int_eq(db_renew_exclusive(writer, &err), 0);
	ck_assert_int_ne(writer->mode, DB_MODE_EXCLUSIVE);
	sql(writer, "INSERT INTO t VALUES (4)");
	ck_assert_int_eq(db_end(writer, 0, &err), 0);
	ck_assert_int_eq(sqlite3_exec(other, "SELECT count(*) FROM t", NULL, NULL, NULL), SQLITE_OK);
	sqlite3_close(other);
	ck_assert_int_eq(seen().n, 4);
}
END_TEST

/* The mode after each step, as the diagram in db.c has it. */
START_TEST(modes)
{
	ck_assert_int_eq(writer->mode, DB_MODE_EXCLUSIVE);
	part(1, 0);
	ck_assert_int_eq(writer->mode, DB_MODE_EXCLUSIVE);
	ck_assert_int_eq(db_publish(writer, &err), 0);
	ck_assert_int_eq(writer->mode, DB_MODE_LOG_EMPTY);
	ck_assert_int_eq(db_publish(writer, &err), 0);
	ck_assert_int_eq(db_checkpoint(writer, &err), 0);
	ck_assert_int_eq(writer->mode, DB_MODE_LOG_EMPTY);
	part(1, 0);
	ck_assert_int_eq(writer->mode, DB_MODE_LOG);
	ck_assert_int_eq(db_begin(writer, &err), 0);
	ck_assert_int_eq(db_renew_exclusive(writer, &err), 0);
	ck_assert_int_eq(writer->mode, DB_MODE_EXCLUSIVE);
	ck_assert_int_eq(db_renew_published(writer, &err), 0);
	ck_assert_int_eq(writer->mode, DB_MODE_LOG);
	ck_assert_int_eq(db_end(writer, 0, &err), 0);
	db_close(writer);

	/* A file that has something in it is not taken, and where there is no shared memory there is no log. */
	ck_assert_int_eq(db_open(&writer, path, DB_WRITE | DB_EXCLUSIVE, &err), 0);
	ck_assert_int_eq(writer->mode, DB_MODE_LOOK);
	ck_assert_int_eq(db_start(writer, &err), 0);
	ck_assert_int_eq(writer->mode, DB_MODE_LOG);
	db_close(writer);
	ck_assert_int_eq(db_open(&writer, path, DB_WRITE | DB_NO_WAL, &err), 0);
	ck_assert_int_eq(db_start(writer, &err), 0);
	ck_assert_int_eq(writer->mode, DB_MODE_JOURNAL);
	ck_assert_int_eq(db_begin(writer, &err), 0);
	ck_assert_int_eq(db_renew_exclusive(writer, &err), 0);
	ck_assert_int_eq(writer->mode, DB_MODE_JOURNAL);
	ck_assert_int_eq(db_end(writer, 0, &err), 0);
	ck_assert_int_eq(seen().n, 2);
}
END_TEST

/* Where SQLite rolls everything back nothing is left to publish. */
START_TEST(rolled_back_whole)
{
	part(1, 0);
	ck_assert_int_eq(db_begin(writer, &err), 0);
	sql(writer, "ROLLBACK");
	ck_assert_int_eq(db_end(writer, 0, &err), -1);
	ck_assert_int_eq(writer->mode, DB_MODE_JOURNAL);
	ck_assert_int_eq(db_publish(writer, &err), 0);
}
END_TEST

Suite *
suite_exclusive(void)
{
	Suite *s = suite_create("exclusive");
	TCase *t = tcase_create("exclusive");

	tcase_add_checked_fixture(t, setup, teardown);
	tcase_add_test(t, nobody_reads_before);
	tcase_add_test(t, a_failed_part_takes_no_other_with_it);
	tcase_add_test(t, publishes_what_is_old);
	tcase_add_test(t, closed_unpublished_is_as_if_never_opened);
	tcase_add_test(t, killed);
	tcase_add_test(t, killed_while_asked);
	tcase_add_test(t, taken_again);
	tcase_add_test(t, modes);
	tcase_add_test(t, rolled_back_whole);
	suite_add_tcase(s, t);
	return s;
}
