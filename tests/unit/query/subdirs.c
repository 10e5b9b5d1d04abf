/* SPDX-License-Identifier: MIT */
/* Subdirectories of a directory, and the tops below it: in order, each once, whole components only. */
#include "base/base.h"

#include "fixture.h"
#include "index/index.h"
#include "query/subdirs.h"
#include "unit.h"

static const struct {
	int64_t id, parent;
	const char *name;
} rows[] = {
	{ 1, 0, "/a" },
	{ 2, 1, "z" },
	{ 3, 1, "b" },
	{ 4, 3, "in b" },
	/* Sorts between "/a" and what is below it. */
	{ 5, 0, "/a b" },
	{ 6, 0, "/a/b" },
	{ 7, 0, "/a/c/d/e" },
	{ 8, 0, "/a/c/f" },
	{ 9, 0, "/m\377" },
};

static void
setup(void)
{
	fixture_index_setup();
	for (int i = 0; i < N_ROWS(rows); i++)
		fixture_dir(rows[i].id, rows[i].parent, rows[i].name, 1, rows[i].id);
}

/* Of each path: the ids of the tops below it, and what it has in it as "name=id ..." (0: only leads to a top). */
static const struct {
	const char *path;
	int64_t dir;                 /* of the index, or 0 */
	int64_t tops[8];
	const char *in;
} cases[] = {
	{ "/", 0, { 1, 5, 6, 7, 8, 9 }, "a=1 a b=5 m\377=9 " },
	{ "/a", 1, { 6, 7, 8 }, "b=3 c=0 z=2 " },
	{ "/a/c", 0, { 7, 8 }, "d=0 f=8 " },
	{ "/a/b", 3, { 0 }, "in b=4 " },
	{ "/a/c/d/e", 7, { 0 }, "" },
	{ "/x", 0, { 0 }, "" },
};

static void
load(struct subdirs *tops, struct subdirs *in, int i)
{
	struct err err = { 0 };

	if (subdirs_load_tops(tops, fixture_ix->db, cases[i].path, cases[i].dir, &err) < 0 ||
	    (cases[i].dir != 0 && subdirs_load(in, fixture_ix->db, cases[i].dir, &err) < 0))
		ck_abort_msg("%s", err.text);
	subdirs_add_tops(in, tops, cases[i].path);
	subdirs_sort(in);
}

START_TEST(tops_below)
{
	struct subdirs tops = { 0 }, in = { 0 };
	const struct subdir *top = NULL;
	size_t n = 0;

	load(&tops, &in, _i);
	while ((top = subdirs_next_top(&tops, cases[_i].path, top)) != NULL)
		ck_assert_int_eq(top->id, cases[_i].tops[n++]);
	ck_assert_int_eq(cases[_i].tops[n], 0);
	subdirs_release(&tops);
	subdirs_release(&in);
}
END_TEST

START_TEST(what_is_in_it)
{
	struct subdirs tops = { 0 }, in = { 0 };
	char text[256] = "";

	load(&tops, &in, _i);
	for (size_t i = 0; i < in.n; i++) {
		ck_assert(subdirs_has(&in, in.v[i].name));
		snprintf(text + strlen(text), sizeof(text) - strlen(text), "%s=%d ", in.v[i].name, (int)in.v[i].id);
	}
	ck_assert_str_eq(text, cases[_i].in);
	ck_assert(!subdirs_has(&in, ""));
	ck_assert(!subdirs_has(&in, "a/"));
	subdirs_release(&tops);
	subdirs_release(&in);
}
END_TEST

Suite *
suite_subdirs(void)
{
	Suite *s = suite_create("subdirs");
	TCase *tc = tcase_create("subdirs");

	tcase_add_checked_fixture(tc, setup, fixture_index_teardown);
	tcase_add_loop_test(tc, tops_below, 0, N_ROWS(cases));
	tcase_add_loop_test(tc, what_is_in_it, 0, N_ROWS(cases));
	suite_add_tcase(s, tc);
	return s;
}
