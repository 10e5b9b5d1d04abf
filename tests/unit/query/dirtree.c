/* SPDX-License-Identifier: MIT */
#include "base/base.h"

#include <sqlite3.h>

#include "db/db.h"
#include "index/dirs.h"
#include "query/dirtree.h"
#include "index/index.h"
#include "fixture.h"
#include "unit.h"

static struct dirtree *
load(void)
{
	struct dirtree *t = NULL;
	struct err err = { 0 };

	if (dirtree_load(&t, fixture_ix->db, &err) < 0)
		ck_abort_msg("%s", err.text);
	return t;
}

/* Directories, in the order of the walk; id 0: above a top. */
static const struct {
	int64_t id, parent;
	const char *name, *path;
} rows[] = {
	{ 0, 0, NULL, "/" },
	{ 0, 0, NULL, "/data" },
	{ 30, 0, "/data/a", "/data/a" },
	{ 7, 30, "\001", "/data/a/\001" },
	{ 8, 30, ".h", "/data/a/.h" },
	/* Tops that lie in another one, and deeper than it goes. */
	{ 1, 0, "/data/a/.h/top", "/data/a/.h/top" },
	{ 3, 1, "x", "/data/a/.h/top/x" },
	{ 9, 30, "sub", "/data/a/sub" },
	{ 0, 0, NULL, "/data/a/sub/not" },
	{ 0, 0, NULL, "/data/a/sub/not/here" },
	{ 2, 0, "/data/a/sub/not/here/top", "/data/a/sub/not/here/top" },
	{ 12, 30, "sub.d", "/data/a/sub.d" },
	{ 40, 0, "/data/ab", "/data/ab" },
	{ 0, 0, NULL, "/mnt" },
	{ 0, 0, NULL, "/mnt/b\377d" },
	{ 5, 0, "/mnt/b\377d/x y", "/mnt/b\377d/x y" },
	{ 4, 5, "\376", "/mnt/b\377d/x y/\376" },
};

static void
insert_rows(void)
{
	for (int i = 0; i < N_ROWS(rows); i++) {
		if (rows[i].id != 0)
			fixture_dir(rows[i].id, rows[i].parent, rows[i].name, 1, rows[i].id);
	}
}

START_TEST(numbers_are_a_walk)
{
	struct dirtree *t;
	struct buf path = { 0 };
	uint32_t last;

	insert_rows();
	t = load();
	ck_assert_uint_eq(dirtree_count(t), (uint32_t)N_ROWS(rows) + 1);
	for (int i = 0; i < N_ROWS(rows); i++) {
		const uint32_t at = dirtree_find(t, rows[i].path);

		ck_assert_msg(at == (uint32_t)i + 1, "%s: %u", rows[i].path, at);
		ck_assert_int_eq(dirtree_id(t, at), rows[i].id);
		if (rows[i].id != 0)
			ck_assert_uint_eq(dirtree_by_id(t, rows[i].id), at);
		buf_cut(&path, 0);
		dirtree_path(t, at, &path);
		ck_assert_str_eq(buf_str(&path), rows[i].path);
		ck_assert_str_eq(dirtree_name(t, at), strrchr(rows[i].path, '/') + 1);
		/* The subtree is what begins with the path. */
		for (last = at; last < (uint32_t)N_ROWS(rows); last++) {
			const size_t len = i == 0 ? 0 : strlen(rows[i].path);

			if (strncmp(rows[last].path, rows[i].path, len) != 0 || rows[last].path[len] != '/')
				break;
		}
		ck_assert_uint_eq(dirtree_end(t, at), last + 1);
	}
	ck_assert_uint_eq(dirtree_by_id(t, 6), DIRTREE_NONE);
	ck_assert_uint_eq(dirtree_by_id(t, 1000), DIRTREE_NONE);
	ck_assert_uint_eq(dirtree_find(t, "/dat"), DIRTREE_NONE);
	ck_assert_uint_eq(dirtree_find(t, "/data/a/sub/nothing"), DIRTREE_NONE);
	buf_release(&path);
	dirtree_free(t);
}
END_TEST

START_TEST(neighbours)
{
	struct dirtree *t;
	uint32_t a, n = 0;

	insert_rows();
	t = load();
	a = dirtree_find(t, "/data/a");
	for (uint32_t in = dirtree_first(t, a); in != DIRTREE_NONE; in = dirtree_next(t, in)) {
		ck_assert_uint_eq(dirtree_parent(t, in), a);
		n++;
	}
	ck_assert_uint_eq(n, 4);
	ck_assert_uint_eq(dirtree_first(t, dirtree_find(t, "/data/ab")), DIRTREE_NONE);
	ck_assert_uint_eq(dirtree_next(t, dirtree_find(t, "/")), DIRTREE_NONE);
	for (uint32_t x = 0; x < dirtree_count(t); x++) {
		for (uint32_t y = 0; y < dirtree_count(t); y++) {
			const uint32_t c = dirtree_common(t, x, y);

			ck_assert_uint_eq(c, dirtree_common(t, y, x));
			ck_assert(c <= x && x < dirtree_end(t, c) && c <= y && y < dirtree_end(t, c));
			for (uint32_t in = dirtree_first(t, c); in != DIRTREE_NONE; in = dirtree_next(t, in))
				ck_assert(x < in || x >= dirtree_end(t, in) || y < in || y >= dirtree_end(t, in));
		}
	}
	dirtree_free(t);
}
END_TEST

START_TEST(excludes)
{
	struct dirtree *t;

	insert_rows();
	t = load();
	dirtree_exclude(t, "/data/a/.h");
	dirtree_exclude(t, "/nowhere");
	dirtree_exclude(t, "/mnt/b\377d/x y/\376");
	for (int i = 0; i < N_ROWS(rows); i++)
		ck_assert_int_eq(dirtree_excluded(t, (uint32_t)i + 1), rows[i].id == 8 || rows[i].id == 1 || rows[i].id == 3 || rows[i].id == 4);
	dirtree_free(t);
}
END_TEST

START_TEST(root_is_a_top)
{
	struct dirtree *t;

	fixture_dir(1, 0, "/", 1, 1);
	fixture_dir(2, 1, "etc", 1, 2);
	fixture_dir(3, 0, "/srv/x", 1, 3);
	t = load();
	ck_assert_uint_eq(dirtree_find(t, "/"), dirtree_by_id(t, 1));
	ck_assert_uint_eq(dirtree_find(t, "/etc"), dirtree_by_id(t, 2));
	ck_assert_uint_eq(dirtree_find(t, "/srv/x"), dirtree_by_id(t, 3));
	ck_assert_str_eq(dirtree_name(t, dirtree_find(t, "/")), "");
	dirtree_free(t);
}
END_TEST

START_TEST(nothing_indexed)
{
	struct dirtree *t = load();

	ck_assert_uint_eq(dirtree_count(t), 2);
	ck_assert_uint_ne(dirtree_find(t, "/"), DIRTREE_NONE);
	ck_assert_uint_eq(dirtree_find(t, "/home"), DIRTREE_NONE);
	dirtree_free(t);
	dirtree_free(NULL);
}
END_TEST

/* What an unfinished scan moved aside is somewhere, but in no directory. */
START_TEST(moved_aside)
{
	struct dirtree *t;
	uint32_t aside;

	fixture_dir(1, 0, "/a", 1, 1);
	fixture_dir(2, -1, "2", 1, 2);
	fixture_dir(3, 2, "b", 1, 3);
	t = load();
	aside = dirtree_by_id(t, 3);
	ck_assert_uint_ne(aside, DIRTREE_NONE);
	ck_assert_uint_eq(dirtree_parent(t, aside), dirtree_by_id(t, 2));
	ck_assert_uint_eq(dirtree_common(t, aside, dirtree_by_id(t, 1)), 0);
	ck_assert(aside >= dirtree_end(t, dirtree_find(t, "/")) || aside < dirtree_find(t, "/"));
	ck_assert_uint_eq(dirtree_find(t, "/2"), DIRTREE_NONE);
	dirtree_free(t);
}
END_TEST

START_TEST(damage_is_told)
{
	static const int64_t parents[][2] = { { 3, 2 }, { 2, 2 }, { 77, 1 } };
	struct dirtree *t = NULL;
	struct err err = { 0 };

	fixture_dir(1, 0, "/a", 1, 1);
	fixture_dir(2, parents[_i][0], "b", 1, 2);
	fixture_dir(3, parents[_i][1], "c", 1, 3);
	ck_assert_int_eq(dirtree_load(&t, fixture_ix->db, &err), -1);
	ck_assert_int_eq(err.code, ERR_BAD_INDEX);
	ck_assert_ptr_null(t);
}
END_TEST

Suite *
suite_dirtree(void)
{
	Suite *s = suite_create("dirtree");
	TCase *tc = tcase_create("dirtree");

	tcase_add_checked_fixture(tc, fixture_index_setup, fixture_index_teardown);
	tcase_add_test(tc, numbers_are_a_walk);
	tcase_add_test(tc, neighbours);
	tcase_add_test(tc, excludes);
	tcase_add_test(tc, root_is_a_top);
	tcase_add_test(tc, nothing_indexed);
	tcase_add_test(tc, moved_aside);
	tcase_add_loop_test(tc, damage_is_told, 0, 3);
	suite_add_tcase(s, tc);
	return s;
}
