/* SPDX-License-Identifier: MIT */
#include "base/base.h"

#include "unit.h"

START_TEST(nothing_is_not_null)
{
	char *p;

	p = mem_alloc(0);
	ck_assert_ptr_nonnull(p);
	p = mem_resize(p, 0, 8);
	ck_assert_ptr_nonnull(p);
	free(p);
	p = mem_zalloc(0, 8);
	ck_assert_ptr_nonnull(p);
	free(p);
}
END_TEST

START_TEST(zalloc_zeroes)
{
	unsigned char *p = mem_zalloc(1000, 3);

	for (int i = 0; i < 3000; i++)
		ck_assert_int_eq(p[i], 0);
	free(p);
}
END_TEST

START_TEST(resize_keeps_content)
{
	char *p = mem_resize(NULL, 4, 1);

	memcpy(p, "abc", 4);
	p = mem_resize(p, 100000, 4);
	ck_assert_str_eq(p, "abc");
	free(p);
}
END_TEST

START_TEST(copies)
{
	char *p;

	p = mem_dup("a\0b", 3);
	ck_assert_mem_eq(p, "a\0b", 4);
	free(p);
	p = mem_dup(NULL, 0);
	ck_assert_str_eq(p, "");
	free(p);
	p = mem_str("name");
	ck_assert_str_eq(p, "name");
	free(p);
}
END_TEST

/* Volatile, for a compiler that sees the size refuses to compile the call. */
static volatile size_t huge = SIZE_MAX;

START_TEST(dies_of_resize)
{
	free(mem_resize(NULL, huge / 2, 1));
}
END_TEST

START_TEST(dies_of_overflow_in_resize)
{
	free(mem_resize(NULL, huge / 8 + 2, 8));
}
END_TEST

START_TEST(dies_of_overflow_in_zalloc)
{
	free(mem_zalloc(huge / 8 + 2, 8));
}
END_TEST

START_TEST(dies_of_overflow_in_dup)
{
	free(mem_dup("", huge));
}
END_TEST

Suite *
suite_mem(void)
{
	Suite *s = suite_create("mem");
	TCase *tc = tcase_create("mem");

	tcase_add_test(tc, nothing_is_not_null);
	tcase_add_test(tc, zalloc_zeroes);
	tcase_add_test(tc, resize_keeps_content);
	tcase_add_test(tc, copies);
	tcase_add_exit_test(tc, dies_of_resize, MEM_EXIT_STATUS);
	tcase_add_exit_test(tc, dies_of_overflow_in_resize, MEM_EXIT_STATUS);
	tcase_add_exit_test(tc, dies_of_overflow_in_zalloc, MEM_EXIT_STATUS);
	tcase_add_exit_test(tc, dies_of_overflow_in_dup, MEM_EXIT_STATUS);
	suite_add_tcase(s, tc);
	return s;
}
