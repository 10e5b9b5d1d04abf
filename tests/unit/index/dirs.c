/* SPDX-License-Identifier: MIT */
/* dirs: paths are the same whether directories are looked up one by one or were read in one go; paths are found. */
#include "base/base.h"

#include <sqlite3.h>

#include "db/db.h"
#include "index/dirs.h"
#include "index/file.h"
#include "index/index.h"
#include "fixture.h"
#include "unit.h"

static const struct {
	int64_t id, parent;
	const char *name, *prefix;
} rows[] = {
	{ 5, 0, "/", "/" },
	{ 2, 5, "a", "/a/" },
	/* Parents may have been met later than what is in them. */
	{ 1, 2, "b c", "/a/b c/" },
	{ 9, 1, "\377", "/a/b c/\377/" },
	{ 40, 9, "\001", "/a/b c/\377/\001/" },
	{ 3, 0, "/mnt/\376", "/mnt/\376/" },
	{ 41, 3, "x", "/mnt/\376/x/" },
	/* Moved aside by a scan that did not finish. */
	{ 7, -1, "/7", "/7/" },
	{ 8, 7, "in", "/7/in/" },
};

static struct dirs dirs;

/* Loop tests: the second half has all directories loaded. */
static void
begin(bool load)
{
	struct err err = { 0 };

	dirs = (struct dirs){ .db = fixture_ix->db };
	if (load && dirs_load(&dirs, &err) < 0)
		ck_abort_msg("%s", err.text);
}

START_TEST(prefixes)
{
	struct err err = { 0 };
	struct buf path = { 0 };

	for (int i = 0; i < N_ROWS(rows); i++)
		fixture_dir(rows[i].id, rows[i].parent, rows[i].name, 1, rows[i].id);
	begin(_i / N_ROWS(rows) == 1);
	/* Each first of all once, and all more than once. */
	for (int n = 0; n < 2 * N_ROWS(rows); n++) {
		const int i = (_i + n) % N_ROWS(rows);
		const struct dirs_prefix *p = dirs_prefix(&dirs, rows[i].id, &err);
		const size_t len = strlen(rows[i].prefix);

		ck_assert_msg(p != NULL, "%s", err.text);
		ck_assert_str_eq(p->text, rows[i].prefix);
		ck_assert_uint_eq(p->len, len);
		ck_assert_ptr_eq(dirs_prefix(&dirs, rows[i].id, &err), p);
		buf_cut(&path, 0);
		ck_assert_int_eq(dirs_path(&dirs, rows[i].id, &path, &err), 0);
		ck_assert_uint_eq(path.len, len > 1 ? len - 1 : 1);
		ck_assert_int_eq(strncmp(path.data, rows[i].prefix, path.len), 0);
	}
	buf_release(&path);
	dirs_release(&dirs);
}
END_TEST

static const char *const damages[] = {
	"INSERT INTO dir VALUES (2, 3, 'b', NULL, 1, 2, NULL, NULL)",
	"INSERT INTO dir VALUES (2, 1, 'b/c', NULL, 1, 2, NULL, NULL)",
	"INSERT INTO dir VALUES (2, 1, '..', NULL, 1, 2, NULL, NULL)",
	"INSERT INTO dir VALUES (2, 1, 'b', x'6200', 1, 2, NULL, NULL)",
	"INSERT INTO dir VALUES (2, 0, 'b', NULL, 1, 2, NULL, NULL)",
	"INSERT INTO dir VALUES (2, 2, 'b', NULL, 1, 2, NULL, NULL)",
	"SELECT 1",
};

START_TEST(damage_is_told)
{
	struct err err = { 0 };
	const struct dirs_prefix *p;

	fixture_dir(1, 0, "/a", 1, 1);
	ck_assert_int_eq(sqlite3_exec(fixture_ix->db->handle, damages[_i / 2], NULL, NULL, NULL), SQLITE_OK);
	begin(_i % 2 == 1);
	for (int n = 0; n < 2; n++) {
		err = (struct err){ 0 };
		ck_assert_ptr_null(dirs_prefix(&dirs, 2, &err));
		ck_assert_int_eq(err.code, ERR_BAD_INDEX);
		ck_assert_ptr_null(dirs_prefix(&dirs, 0, &err));
		ck_assert_ptr_null(dirs_prefix(&dirs, 1000, &err));
		/* What is not damaged is there. */
		p = dirs_prefix(&dirs, 1, &err);
		ck_assert_ptr_nonnull(p);
		ck_assert_str_eq(p->text, "/a/");
	}
	dirs_release(&dirs);
}
END_TEST

/* Paths of the directories above, and of the files "f" that some of them have. */
static const struct {
	const char *path;
	int64_t dir, file_in;        /* 0: there is no such directory; file */
} paths[] = {
	{ "/", 5, 0 },
	{ "/f", 0, 5 },
	{ "/a", 2, 0 },
	{ "/a/f", 0, 0 },
	{ "/a/b c", 1, 0 },
	{ "/a/b c/\377", 9, 0 },
	{ "/a/b c/\377/f", 0, 9 },
	/* A top below another one. */
	{ "/mnt", 0, 0 },
	{ "/mnt/\376/x", 41, 0 },
	{ "/mnt/\376/x/f", 0, 41 },
	{ "/mnt/\376/x/f/f", 0, 0 },
};

START_TEST(found_by_path)
{
	struct err err = { 0 };
	struct file_row row;
	int64_t dir = 0;

	for (int i = 0; i < N_ROWS(rows); i++)
		fixture_dir(rows[i].id, rows[i].parent, rows[i].name, 1, rows[i].id);
	for (int i = 0; i < N_ROWS(paths); i++) {
		row = (struct file_row){ .dir = paths[i].file_in, .name = "f", .name_len = 1, .size = i, .nlink = 1 };
		if (row.dir != 0 && file_put(fixture_ix->db, &row, &err) < 0)
			ck_abort_msg("%s", err.text);
	}
	for (int i = 0; i < N_ROWS(paths); i++) {
		ck_assert_msg(dirs_find(fixture_ix->db, paths[i].path, &dir, &err) == (paths[i].dir != 0), "%s", paths[i].path);
		if (paths[i].dir != 0)
			ck_assert_int_eq(dir, paths[i].dir);
		ck_assert_msg(dirs_find_file(fixture_ix->db, paths[i].path, &row, &err) == (paths[i].file_in != 0), "%s",
		              paths[i].path);
		if (paths[i].file_in != 0) {
			ck_assert_int_eq(row.dir, paths[i].file_in);
			ck_assert_int_eq(row.size, i);
			ck_assert_str_eq(row.name, "f");
		}
	}
	/* One after another, and each twice: its directory is the one before then, or is missing as before. */
	begin(false);
	for (int n = 0; n < 4 * N_ROWS(paths); n++) {
		const int i = n / 2 % N_ROWS(paths);

		ck_assert_msg(dirs_next_file(&dirs, paths[i].path, &row, &err) == (paths[i].file_in != 0), "%s", paths[i].path);
		if (paths[i].file_in != 0)
			ck_assert_int_eq(row.dir, paths[i].file_in);
	}
	dirs_release(&dirs);
}
END_TEST

Suite *
suite_dirs(void)
{
	Suite *s = suite_create("dirs");
	TCase *tc = tcase_create("dirs");

	tcase_add_checked_fixture(tc, fixture_index_setup, fixture_index_teardown);
	tcase_add_loop_test(tc, prefixes, 0, 2 * N_ROWS(rows));
	tcase_add_test(tc, found_by_path);
	tcase_add_loop_test(tc, damage_is_told, 0, 2 * N_ROWS(damages));
	suite_add_tcase(s, tc);
	return s;
}
