/* SPDX-License-Identifier: MIT */
#include "base/base.h"

#include <sqlite3.h>
#include <unistd.h>

#include "db/db.h"
#include "fixture.h"
#include "query/prefix.h"
#include "unit.h"

static char path[64];
static struct db *db;

static void
sql(const char *text)
{
	if (sqlite3_exec(db->handle, text, NULL, NULL, NULL) != SQLITE_OK)
		ck_abort_msg("%s: %s", text, sqlite3_errmsg(db->handle));
}

static void
insert(const char *format, int dir, const char *name)
{
	struct buf text = { 0 };
	sqlite3_stmt *s = NULL;

	name_store(&text, name, strlen(name));
	ck_assert_int_eq(sqlite3_prepare_v2(db->handle, format, -1, &s, NULL), SQLITE_OK);
	sqlite3_bind_int(s, 1, dir);
	sqlite3_bind_text(s, 2, buf_str(&text), -1, SQLITE_TRANSIENT);
	if (!name_is_utf8(name, strlen(name)))
		sqlite3_bind_blob(s, 3, name, (int)strlen(name), SQLITE_TRANSIENT);
	ck_assert_int_eq(sqlite3_step(s), SQLITE_DONE);
	sqlite3_finalize(s);
	buf_release(&text);
}

#define FILE_ROW "INSERT INTO file (dir, name, name_raw, size, own_blocks, volume, inode, nlink, own_mtime, own_mtime_nsec, ctime," \
	" ctime_nsec, racy) VALUES (?1, ?2, ?3, 0, 0, 1, 1, 1, 0, 0, 0, 0, 0)"
#define DIR_ROW "INSERT INTO dir (parent, name, name_raw, volume, inode) VALUES (?1, ?2, ?3, 1, 1)"

static void
setup(void)
{
	static const char *const files[] = {
		"alpha", "alphabet", "beta", ".hidden", ".hi", "bad\xff", "bad\xfe", "bad", "\xc3", "\xc3(", "é", "éa", "ê",
		"\xff", "\xff\xff", "z\xf4\x8f\xbf\xbf", "zz", "a b", "new\nline", "\xe2\x82", "€", "\x7f",
	};
	static const char *const dirs[] = { "alphas", "be", "sub", ".git", "dir\xff", "many" };
	struct err err = { 0 };
	char name[16];

	fixture_temp_file(path, sizeof(path));
	ck_assert_msg(db_open(&db, path, DB_WRITE | DB_NO_WAL, &err) == 0 && db_start(db, &err) == 0, "%s", err.text);
	ck_assert_msg(db_exec(db, SQL_SCHEMA, &err) == 0 && db_exec(db, SQL_SCHEMA_FILE, &err) == 0 && db_exec(db, SQL_SCHEMA_INDEX, &err) == 0, "%s", err.text);
	sql("BEGIN");
	sql("INSERT INTO dir (id, parent, name, volume, inode) VALUES (1, 0, '/home/user', 1, 1),"
	    " (2, 0, '/home/user/sub/deep/er', 1, 1), (3, 0, '/media/disk', 1, 1), (4, 0, '/.snap/1', 1, 1)");
	for (int i = 0; i < N_ROWS(files); i++)
		insert(FILE_ROW, 1, files[i]);
	for (int i = 0; i < N_ROWS(dirs); i++)
		insert(DIR_ROW, 1, dirs[i]);
	sql("INSERT INTO dir (id, parent, name, volume, inode) VALUES (50, 1, 'big', 1, 1)");
	for (int i = 0; i < 500; i++) {
		snprintf(name, sizeof(name), "%s%03d", i % 2 != 0 ? "." : "", i);
		insert(i % 4 < 2 ? FILE_ROW : DIR_ROW, 50, name);
	}
	sql("COMMIT");
}

static void
teardown(void)
{
	db_close(db);
	fixture_remove_db(path);
}

/* Names are shown as name_show does, each followed by a blank, directories by a slash. */
static const struct {
	const char *path, *prefix;
	bool dirs_only;
	const char *want;
} rows[] = {
	{ "/home/user", "alpha", false, "alpha alphabet alphas/ " },
	{ "/home/user", "alpha", true, "alphas/ " },
	{ "/home/user", "b", false, "bad bad\\xfe bad\\xff be/ beta big/ " },
	{ "/home/user", "bad", false, "bad bad\\xfe bad\\xff " },
	{ "/home/user", "bad\xff", false, "bad\\xff " },
	{ "/home/user", "bad/xff", false, "" },
	{ "/home/user", ".", false, ".git/ .hi .hidden " },
	{ "/home/user", ".hi", false, ".hi .hidden " },
	{ "/home/user", ".", true, ".git/ " },
	{ "/home/user", "é", false, "é éa " },
	{ "/home/user", "\xc3", false, "\\xc3 \\xc3( é éa ê " },
	{ "/home/user", "\xe2", false, "\\xe2\\x82 € " },
	{ "/home/user", "\xe2\x82", false, "\\xe2\\x82 € " },
	{ "/home/user", "\xe2\x82\xac", false, "€ " },
	{ "/home/user", "\xff", false, "\\xff \\xff\\xff " },
	{ "/home/user", "\xff\xff", false, "\\xff\\xff " },
	{ "/home/user", "z", false, "zz z\xf4\x8f\xbf\xbf " },
	{ "/home/user", "z\xf4\x8f", false, "z\xf4\x8f\xbf\xbf " },
	{ "/home/user", "\x7f", false, "\\x7f " },
	{ "/home/user", "new", false, "new\\nline " },
	{ "/home/user", "d", true, "dir\\xff/ " },
	{ "/home/user", "s", true, "sub/ " },
	{ "/home/user", "no such", false, "" },
	{ "/home/user/sub", "", false, "deep/ " },
	{ "/home/user/sub/deep", "e", false, "er/ " },
	{ "/home/user/sub/deep/er", "", false, "" },
	{ "/", "", false, "home/ media/ " },
	{ "/", "ho", false, "home/ " },
	{ "/", "ho", true, "home/ " },
	{ "/", ".", true, ".snap/ " },
	{ "/home", "", false, "user/ " },
	{ "/home", "use", false, "user/ " },
	{ "/home", "user2", false, "" },
	{ "/media", "", false, "disk/ " },
	{ "/nowhere", "", false, "" },
	{ "/home/user/big", "00", false, "000 002/ 004 006/ 008 " },
};

static void
show(struct buf *b, const struct prefix *names)
{
	for (size_t i = 0; i < names->n; i++) {
		name_show(b, names->v[i].name, strlen(names->v[i].name));
		buf_adds(b, names->v[i].dir ? "/ " : " ");
	}
}

START_TEST(found)
{
	const struct prefix_query q = { .path = rows[_i].path, .prefix = rows[_i].prefix,
	                               .prefix_len = strlen(rows[_i].prefix), .max = 200, .dirs_only = rows[_i].dirs_only };
	struct prefix names = { 0 };
	struct buf got = { 0 };
	struct err err = { 0 };

	ck_assert_msg(prefix_load(&names, db, &q, &err) == 0, "%s", err.text);
	show(&got, &names);
	ck_assert_str_eq(buf_str(&got), rows[_i].want);
	ck_assert(!names.more);
	prefix_release(&names);
	buf_release(&got);
}
END_TEST

/* Exactly as many as there are, one less, and few: the first ones and the last. */
START_TEST(limited)
{
	static const size_t maxes[] = { 250, 249, 3, 1 };

	for (int i = 0; i < N_ROWS(maxes); i++) {
		const struct prefix_query q = { .path = "/home/user/big", .prefix = "", .max = maxes[i] };
		struct prefix names = { 0 };
		struct err err = { 0 };

		ck_assert_msg(prefix_load(&names, db, &q, &err) == 0, "%s", err.text);
		ck_assert_uint_eq(names.n, maxes[i]);
		ck_assert_int_eq(names.more, maxes[i] < 250);
		for (size_t k = 0; k < names.n; k++) {
			char want[16];

			snprintf(want, sizeof(want), "%03zu", k + 1 < names.n ? 2 * k : 498);
			if (strcmp(names.v[k].name, want) != 0)
				ck_abort_msg("%zu: %s", k, names.v[k].name);
		}
		prefix_release(&names);
	}
}
END_TEST

Suite *
suite_prefix(void)
{
	Suite *s = suite_create("prefix");
	TCase *tc = tcase_create("names");

	tcase_add_unchecked_fixture(tc, setup, teardown);
	tcase_add_loop_test(tc, found, 0, N_ROWS(rows));
	tcase_add_test(tc, limited);
	suite_add_tcase(s, tc);
	return s;
}
