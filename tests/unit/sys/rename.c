/* SPDX-License-Identifier: MIT */
#include "base/base.h"

#include <fcntl.h>
#include <unistd.h>

#include "fixture.h"
#include "sys/fs.h"
#include "sys/rename.h"
#include "unit.h"

START_TEST(replaces_nothing)
{
	struct fs_stat a, b, now;

	fixture_file(fixture_at, "a");
	fixture_file(fixture_at, "b");
	ck_assert_int_eq(fs_stat_at(fixture_at, "a", &a), 0);
	ck_assert_int_eq(fs_stat_at(fixture_at, "b", &b), 0);
	ck_assert_int_eq(rename_keep(fixture_at, "a", fixture_at, "b"), -1);
	ck_assert_int_eq(errno, EEXIST);
	ck_assert_int_eq(rename_back(fixture_at, "a", fixture_at, "b"), -1);
	ck_assert_int_eq(errno, EEXIST);
	ck_assert_int_eq(fs_stat_at(fixture_at, "b", &now), 0);
	ck_assert_uint_eq(now.inode, b.inode);
	ck_assert_int_eq(rename_keep(fixture_at, "a", fixture_at, "c"), 0);
	ck_assert_int_eq(fs_stat_at(fixture_at, "c", &now), 0);
	ck_assert_uint_eq(now.inode, a.inode);
	ck_assert_int_eq(rename_back(fixture_at, "c", fixture_at, "a"), 0);
	ck_assert_int_eq(fs_stat_at(fixture_at, "c", &now), -1);
}
END_TEST

START_TEST(unused_names)
{
	char a[RENAME_UNUSED_SIZE], b[RENAME_UNUSED_SIZE];

	rename_unused("rm", a);
	rename_unused("rm", b);
	ck_assert_str_ne(a, b);
	ck_assert_uint_eq(strlen(a), strlen(".twindex-rm-0123456789abcdef"));
	ck_assert(rename_is_unused(a, NULL));
	ck_assert(rename_is_unused(a, "rm"));
	ck_assert(!rename_is_unused(a, "probe"));
	ck_assert(!rename_is_unused(".twindex-rm-0123456789abcdeg", NULL));
	ck_assert(!rename_is_unused(".twindex-rm0123456789abcdef", NULL));
	ck_assert(!rename_is_unused(".twindex-0123456789abcdef", NULL));
	ck_assert(!rename_is_unused("twindex-rm-0123456789abcdef", NULL));
	ck_assert(!rename_is_unused("", NULL));
}
END_TEST

Suite *
suite_rename(void)
{
	Suite *s = suite_create("rename");
	TCase *tc = tcase_create("rename");

	tcase_add_checked_fixture(tc, fixture_setup, fixture_teardown);
	tcase_add_test(tc, replaces_nothing);
	tcase_add_test(tc, unused_names);
	suite_add_tcase(s, tc);
	return s;
}
