/* SPDX-License-Identifier: MIT */
/* Indexes filled page by page: SQLite finds in them all that is in the table, and nothing else, at every number of pages and levels. */
#include "base/base.h"

#include <sqlite3.h>
#include <sys/wait.h>
#include <unistd.h>

#include "bulk/btree.h"
#include "db/db.h"
#include "fixture.h"
#include "index/index.h"
#include "unit.h"

static struct err err;

static void
setup(void)
{
	fixture_index_setup();
	ck_assert_int_eq(db_begin(fixture_ix->db, &err), 0);
	ck_assert_int_eq(db_renew_exclusive(fixture_ix->db, &err), 0);
	ck_assert_int_eq(fixture_ix->db->mode, DB_MODE_EXCLUSIVE);
}

static void
teardown(void)
{
	ck_assert_int_eq(db_end(fixture_ix->db, 0, &err), 0);
	fixture_index_teardown();
}

static void
sql(const char *text)
{
	if (sqlite3_exec(fixture_ix->db->handle, text, NULL, NULL, NULL) != SQLITE_OK)
		ck_abort_msg("%s: %s", text, sqlite3_errmsg(fixture_ix->db->handle));
}

/* Rows of this many unread files, with names so long. */
static void
rows(int n, int len)
{
	char text[450];

	snprintf(text, sizeof(text), "INSERT INTO file (dir, name, size, own_blocks, volume, inode, nlink, own_mtime, own_mtime_nsec, ctime, ctime_nsec, racy) "
	         "WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < %d) "
	         "SELECT i %% 7, printf('%%0%dd', i), i / 3, 0, 1, i, 1, 0, 0, 0, 0, 0 FROM n WHERE %d > 0", n, len, n);
	sql(text);
}

/* Their index.  Returns what failed. */
static int
fill(struct btree *b, int n, int len)
{
	char name[1100];
	struct record r;

	for (int i = 1; i <= n; i++) {
		record_start(&r);
		record_int(&r, i / 3);
		record_int(&r, i);
		record_int(&r, 1);
		record_int(&r, i % 7);
		snprintf(name, sizeof(name), "%0*d", len, i);
		record_text(&r, name, strlen(name));
		if (btree_add(b, &r, 0, &err) < 0)
			return -1;
	}
	return 0;
}

static struct btree *
begin(void)
{
	struct btree *b = NULL;

	ck_assert_msg(btree_new(&b, fixture_ix->db, true, &err) == 1, "%s", err.text);
	return b;
}

/* Make them and their index, look, and roll all back. */
static void
try(int n, int len)
{
	struct btree *b;
	char number[16];

	sql("SAVEPOINT try");
	rows(n, len);
	b = begin();
	ck_assert_msg(fill(b, n, len) == 0, "%s", err.text);
	ck_assert_msg(btree_finish_index(b, "file_unread", SQL_SCHEMA_UNREAD, &err) == 0, "%s", err.text);
	btree_free(b);
	snprintf(number, sizeof(number), "%d", n);
	ck_assert_str_eq(fixture_ask("PRAGMA integrity_check"), "ok");
	ck_assert_str_eq(fixture_ask("SELECT count(*) FROM file INDEXED BY file_unread WHERE hash IS NULL"), number);
	ck_assert_str_eq(fixture_ask("SELECT count(*) FROM sqlite_schema WHERE name = 'reserved'"), "0");
	/* It takes and gives entries as any other; of many some in every page. */
	if (n > 4000)
		sql("DELETE FROM file WHERE inode % 6 = 0; UPDATE file SET size = size + 1000 WHERE inode % 9 = 1; UPDATE file SET name = name || 'x' WHERE inode % 7 = 2");
	else
		sql("DELETE FROM file WHERE inode % 2 = 0; UPDATE file SET size = size + 1000 WHERE inode % 3 = 0; UPDATE file SET name = name || 'x'");
	ck_assert_str_eq(fixture_ask("PRAGMA integrity_check"), "ok");
	sql("ROLLBACK TO try; RELEASE try");
	ck_assert_str_eq(fixture_ask("PRAGMA integrity_check"), "ok");
	ck_assert_str_eq(fixture_ask("SELECT count(*) FROM file"), "0");
}

/* One page of leaves after the other, the ends of each, up to several levels: a page holds eight of these. */
START_TEST(every_number_of_long_entries)
{
	/* In turn others of each forty. */
	for (int n = _i * 40; n < (_i + 1) * 40; n += fixture_every() ? 1 : 3)
		try(n, 1000);
}
END_TEST

/* Where leaves are written before the end: 512 at a time, with eight entries each and one between two. */
START_TEST(more_than_waits_in_memory)
{
	static const int numbers[] = { 4608, 4616, 4617, 4618, 9224, 9225, 9226, 12300 };

	if (_i % 3 == 2 || fixture_every())
		try(numbers[_i], 1000);
}
END_TEST

START_TEST(short_entries)
{
	static const int numbers[] = { 300, 1000, 30000 };

	try(numbers[_i], 1);
}
END_TEST

/* What is longer than any name is refused. */
START_TEST(too_long)
{
	static char bytes[RECORD_BYTES];
	struct btree *b = begin();
	struct record r;

	record_start(&r);
	record_blob(&r, bytes, 2000);
	ck_assert_int_eq(btree_add(b, &r, 0, &err), 0);
	record_start(&r);
	record_blob(&r, bytes, 2030);
	ck_assert_int_eq(btree_add(b, &r, 0, &err), -1);
	record_start(&r);
	record_blob(&r, bytes, sizeof(bytes));
	record_int(&r, 5);
	ck_assert(r.too_long);
	ck_assert_int_eq(btree_add(b, &r, 0, &err), -1);
	btree_free(b);
}
END_TEST

/* Killed with a part of the index in the file: what was there before is there again, and nothing else. */
START_TEST(killed)
{
	char path[96];
	int status;
	pid_t pid;

	snprintf(path, sizeof(path), "%s/index.db", fixture_top);
	rows(50, 10);
	ck_assert_int_eq(db_end(fixture_ix->db, 0, &err), 0);
	ck_assert_int_eq(db_publish(fixture_ix->db, &err), 0);
	index_close(fixture_ix);
	pid = fork();
	ck_assert_int_ge(pid, 0);
	if (pid == 0) {
		if (index_open(&fixture_ix, path, INDEX_WRITE, NULL, &err) < 0 || db_begin(fixture_ix->db, &err) < 0 ||
		    db_renew_exclusive(fixture_ix->db, &err) < 0 || fill(begin(), 6000, 1000) < 0)
			_exit(1);
		_exit(0);
	}
	ck_assert_int_eq(waitpid(pid, &status, 0), pid);
	ck_assert_int_eq(status, 0);
	ck_assert_msg(index_open(&fixture_ix, path, INDEX_WRITE, NULL, &err) == 0, "%s", err.text);
	ck_assert_str_eq(fixture_ask("PRAGMA integrity_check"), "ok");
	ck_assert_str_eq(fixture_ask("SELECT count(*) FROM file"), "50");
	ck_assert_str_eq(fixture_ask("SELECT count(*) FROM sqlite_schema WHERE name IN ('reserved', 'file_unread')"), "0");
	ck_assert_int_eq(db_begin(fixture_ix->db, &err), 0);
}
END_TEST

Suite *
suite_btree(void)
{
	Suite *s = suite_create("btree");
	TCase *tc = tcase_create("bulk");

	tcase_add_checked_fixture(tc, setup, teardown);
	tcase_add_loop_test(tc, every_number_of_long_entries, 0, 5);
	tcase_add_loop_test(tc, more_than_waits_in_memory, 0, 8);
	tcase_add_loop_test(tc, short_entries, 0, 3);
	tcase_add_test(tc, too_long);
	tcase_add_test(tc, killed);
	suite_add_tcase(s, tc);
	return s;
}
