/* SPDX-License-Identifier: MIT */
/* The lines of a directory of an index whose rows are made by hand. */
#include "base/base.h"

#include <sqlite3.h>

#include "browse/level.h"
#include "db/db.h"
#include "fixture.h"
#include "index/index.h"
#include "query/dirtree.h"
#include "unit.h"

static struct usage *usage;

/* A file; content 0: it was never read. */
static void
file(int dir, const char *name, int size, int inode, int nlink, int content)
{
	char *hash = content == 0 ? NULL : sqlite3_mprintf("%016d", content);
	char *sql = sqlite3_mprintf("INSERT INTO file " FILE_COLUMNS " VALUES (%d, %Q, NULL, %d, 8, 1, %d, %d, 1, 0, 1, 0, NULL, CAST(%Q AS BLOB), 0, NULL, NULL)",
	                            dir, name, size, inode, nlink, hash);

	if (sqlite3_exec(fixture_ix->db->handle, sql, NULL, NULL, NULL) != SQLITE_OK)
		ck_abort_msg("%s", sqlite3_errmsg(fixture_ix->db->handle));
	sqlite3_free(hash);
	sqlite3_free(sql);
}

static void
setup(void)
{
	fixture_index_setup();
	fixture_dir(1, 0, "/t", 1, 100);
	fixture_dir(2, 1, "sub", 1, 101);
	fixture_dir(3, 1, "Alpha", 1, 102);
	file(1, "big", 900, 1, 1, 0);
	file(1, "copy", 50, 2, 1, 5);
	file(1, "links", 50, 3, 2, 5);
	file(1, "ÄRGER", 900, 4, 1, 0);
	file(2, "other", 50, 5, 1, 5);
	file(2, "x", 30, 6, 1, 0);
	file(3, "links", 50, 3, 2, 5);
}

static void
teardown(void)
{
	usage_free(usage);
	usage = NULL;
	fixture_index_teardown();
}

static uint32_t
dir_of(const char *path)
{
	return dirtree_find(usage_dirs(usage), path);
}

static struct level *
load(const char *path)
{
	struct level *l = NULL;
	struct err err = { 0 };

	if ((usage == NULL && usage_load(&usage, fixture_ix, &(struct usage_query){ .files = true }, &err) < 0) ||
	    level_load(&l, fixture_ix, usage, dir_of(path), &err) < 0)
		ck_abort_msg("%s", err.text);
	return l;
}

/* The names in order, each with a space behind it. */
static const char *
names(const struct level *l)
{
	static char text[200];
	size_t len = 0;

	text[0] = '\0';
	for (size_t i = 0; i < l->n; i++)
		len += (size_t)snprintf(text + len, sizeof(text) - len, "%s ", level_line(l, i)->name);
	return text;
}

static const struct {
	enum level_sort sort;
	bool reverse;
	const char *want;
} orders[] = {
	{ LEVEL_NAME, false, "Alpha sub big copy links ÄRGER " },
	{ LEVEL_NAME, true, "ÄRGER links copy big sub Alpha " },
	/* Equal lines: subdirectories first, then by name. */
	{ LEVEL_SIZE, false, "big ÄRGER sub Alpha copy links " },
	{ LEVEL_SIZE, true, "links copy Alpha sub ÄRGER big " },
	/* What frees the same comes by size; a file with other names frees nothing. */
	{ LEVEL_REDUNDANT, false, "sub copy big ÄRGER Alpha links " },
	{ LEVEL_SHARE, false, "Alpha copy links sub big ÄRGER " },
	{ LEVEL_MARKED, false, "big ÄRGER sub Alpha copy links " },
};

START_TEST(lines_are_sorted)
{
	struct level *l = load("/t");

	level_order(l, orders[_i].sort, orders[_i].reverse);
	ck_assert_str_eq(names(l), orders[_i].want);
	for (size_t i = 0; i < l->n; i++)
		ck_assert_uint_eq(level_named(l, level_line(l, i)->name), i);
	ck_assert_uint_eq(level_named(l, "none"), SIZE_MAX);
	level_free(l);
}
END_TEST

START_TEST(many_lines_are_sorted)
{
	struct level *l;
	char name[20];

	for (int i = 0; i < 300; i++) {
		snprintf(name, sizeof(name), "n%03d", i);
		file(3, name, i * 7919 % 601, 1000 + i, 1, 0);
	}
	l = load("/t/Alpha");
	level_order(l, LEVEL_SIZE, false);
	for (size_t i = 1; i < l->n; i++) {
		const struct level_line *before = level_line(l, i - 1), *line = level_line(l, i);

		ck_assert_int_ge(before->sum.bytes, line->sum.bytes);
		ck_assert_msg(before->sum.bytes > line->sum.bytes || strcmp(before->name, line->name) < 0, "%s", line->name);
	}
	level_free(l);
}
END_TEST

START_TEST(sums_are_those_of_usage)
{
	struct level *l = load("/t");
	const struct level_line *line;

	ck_assert_int_eq(l->sum.files, 7);
	/* The inode with two names counts once. */
	ck_assert_int_eq(l->sum.bytes, 900 + 900 + 50 + 50 + 50 + 30);
	line = level_line(l, level_named(l, "sub"));
	ck_assert_int_eq(line->sum.bytes, 80);
	ck_assert_int_eq(line->sum.redundant, 50);
	line = level_line(l, level_named(l, "links"));
	ck_assert_int_eq(line->sum.duplicated, 50);
	ck_assert_int_eq(line->sum.redundant, 0);
	ck_assert_uint_eq(line->dir, DIRTREE_NONE);
	level_free(l);
}
END_TEST

START_TEST(marks_are_set_in_place)
{
	struct level *l = load("/t");
	struct level_marks m = { .marked = 0 };
	char sub[] = "copy";

	level_order(l, LEVEL_NAME, false);
	level_marks_add(&m, sub, MARK_DROP);
	level_marks_add(&m, "links", MARK_DROP);
	level_marks_add(&m, "big", MARK_KEEP);
	/* A file that came since, and a subdirectory: they have no mark here. */
	level_marks_add(&m, "new", MARK_DROP);
	level_marks_add(&m, "sub", MARK_DROP);
	/* The name is its own. */
	sub[0] = 'C';
	level_marks_sum(&m, usage, dir_of("/t"));
	ck_assert_uint_eq(m.dirs.n, 2);
	ck_assert_int_eq(m.dirs.v[1], 0);
	m.dirs.v[1] = 30;
	m.marked = 80;
	level_take_marks(l, &m);
	ck_assert_int_eq(l->sum.marked, 80);
	ck_assert_str_eq(names(l), orders[0].want);
	ck_assert_int_eq(level_line(l, 0)->sum.marked, 0);
	ck_assert_int_eq(level_line(l, 1)->sum.marked, 30);
	ck_assert_int_eq(level_line(l, 1)->mark, MARK_NONE);
	ck_assert_int_eq(level_line(l, 2)->mark, MARK_KEEP);
	ck_assert_int_eq(level_line(l, 2)->sum.marked, 0);
	ck_assert_int_eq(level_line(l, 3)->mark, MARK_DROP);
	ck_assert_int_eq(level_line(l, 3)->sum.marked, 50);
	/* It frees nothing while its other name stays. */
	ck_assert_int_eq(level_line(l, 4)->mark, MARK_DROP);
	ck_assert_int_eq(level_line(l, 4)->sum.marked, 0);
	level_order(l, LEVEL_MARKED, false);
	ck_assert_str_eq(names(l), "copy sub big ÄRGER Alpha links ");
	level_marks_release(&m);
	/* Cleared again. */
	level_marks_add(&m, "copy", MARK_NONE);
	level_marks_sum(&m, usage, dir_of("/t"));
	level_take_marks(l, &m);
	ck_assert_int_eq(l->sum.marked, 0);
	ck_assert_int_eq(level_line(l, level_named(l, "copy"))->sum.marked, 0);
	level_marks_release(&m);
	level_free(l);
}
END_TEST

START_TEST(names_are_found)
{
	struct level *l = load("/t");

	level_order(l, LEVEL_NAME, false);
	ck_assert_uint_eq(level_find(l, "ALPHA", 3), 0);
	ck_assert_uint_eq(level_find(l, "i", 0), 2);
	/* Behind the last one the first is next; the line itself comes last. */
	ck_assert_uint_eq(level_find(l, "I", 2), 4);
	ck_assert_uint_eq(level_find(l, "i", 4), 2);
	ck_assert_uint_eq(level_find(l, "sub", 1), 1);
	ck_assert_uint_eq(level_find(l, "RGER", 0), 5);
	ck_assert_uint_eq(level_find(l, "zzz", 0), SIZE_MAX);
	level_free(l);
}
END_TEST

Suite *
suite_level(void)
{
	Suite *s = suite_create("level");
	TCase *tc = tcase_create("level");

	tcase_add_checked_fixture(tc, setup, teardown);
	tcase_add_loop_test(tc, lines_are_sorted, 0, N_ROWS(orders));
	tcase_add_test(tc, many_lines_are_sorted);
	tcase_add_test(tc, sums_are_those_of_usage);
	tcase_add_test(tc, marks_are_set_in_place);
	tcase_add_test(tc, names_are_found);
	suite_add_tcase(s, tc);
	return s;
}
