/* SPDX-License-Identifier: MIT */
#include "base/base.h"

#include "unit.h"

/* Which path of the set is this, or is above it: whole components only. */
static const struct {
	const char *path;
	int found, above;   /* -1: none */
	size_t len;         /* of the one above */
} rows[] = {
	{ "/a", 1, 1, 2 },
	{ "/a/b", -1, 1, 2 },
	{ "/a/b/c", 0, 0, 6 },
	{ "/a/b/c/d", -1, 0, 6 },
	{ "/a/b/cd", -1, 1, 2 },
	{ "/aa", -1, 4, 1 },
	{ "/a b", 3, 3, 4 },
	{ "/", 4, 4, 1 },
	{ "/z", -1, 4, 1 },
};

START_TEST(finds)
{
	struct pathset set = { 0 };
	size_t len = strlen(rows[_i].path), number = 99;

	pathset_add(&set, "/a/b/c", 0);
	pathset_add(&set, "/a", 1);
	pathset_add(&set, "/a", 2);
	pathset_add(&set, "/a b", 3);
	pathset_add(&set, "/", 4);
	pathset_sort(&set);
	ck_assert_int_eq(pathset_find(&set, rows[_i].path, len, &number) ? (int)number : -1, rows[_i].found);
	ck_assert_int_eq(pathset_above(&set, rows[_i].path, &len, &number) ? (int)number : -1, rows[_i].above);
	ck_assert_uint_eq(len, rows[_i].len);
	pathset_release(&set);
}
END_TEST

START_TEST(empty)
{
	struct pathset set = { 0 };
	size_t len = 2, number;

	pathset_sort(&set);
	ck_assert(!pathset_find(&set, "/a", 2, &number));
	ck_assert(!pathset_above(&set, "/a", &len, &number));
	ck_assert_uint_eq(path_up_len("/a/b", 4), 2);
	ck_assert_uint_eq(path_up_len("/a", 2), 1);
	ck_assert_uint_eq(path_up_len("/", 1), 0);
	pathset_release(&set);
}
END_TEST

Suite *
suite_pathset(void)
{
	Suite *s = suite_create("pathset");
	TCase *tc = tcase_create("pathset");

	tcase_add_loop_test(tc, finds, 0, (int)(sizeof(rows) / sizeof(rows[0])));
	tcase_add_test(tc, empty);
	suite_add_tcase(s, tc);
	return s;
}
