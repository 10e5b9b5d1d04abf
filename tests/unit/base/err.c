/* SPDX-License-Identifier: MIT */
#include "base/base.h"

#include "unit.h"

/* The longest text of an error, and a text that is much longer. */
#define TEXT_MAX (sizeof(((struct err *)0)->text) - 1)
#define LONG_LEN 5000

static char long_text[LONG_LEN + 1];

static void
fill_long_text(void)
{
	memset(long_text, 'x', LONG_LEN);
	long_text[LONG_LEN] = '\0';
}

static bool
ends_with(const char *text, const char *end)
{
	return strlen(text) >= strlen(end) && strcmp(text + strlen(text) - strlen(end), end) == 0;
}

START_TEST(set)
{
	struct err err = { .code = ERR_SYS, .sys = 5 };

	ck_assert_int_eq(err_set(&err, ERR_BUSY, "process %d is writing", 17), -1);
	ck_assert_int_eq(err.code, ERR_BUSY);
	ck_assert_int_eq(err.sys, 0);
	ck_assert_str_eq(err.text, "process 17 is writing");
}
END_TEST

START_TEST(sys_names_the_cause)
{
	struct err err = { 0 };

	errno = ENOENT;
	ck_assert_int_eq(err_sys(&err, "open '%s'", "/a"), -1);
	ck_assert_int_eq(err.code, ERR_SYS);
	ck_assert_int_eq(err.sys, ENOENT);
	ck_assert_str_eq(err.text, "open '/a': No such file or directory");
	errno = 12345;
	err_sys(&err, "open");
	ck_assert_int_eq(err.sys, 12345);
	ck_assert_ptr_nonnull(strstr(err.text, "12345"));
}
END_TEST

START_TEST(prefix_goes_before)
{
	struct err err = { 0 };

	err_set(&err, ERR_DB, "disk full");
	ck_assert_int_eq(err_prefix(&err, "index '%s'", "/i"), -1);
	ck_assert_int_eq(err.code, ERR_DB);
	ck_assert_str_eq(err.text, "index '/i': disk full");
	err_prefix(&err, "scan");
	ck_assert_str_eq(err.text, "scan: index '/i': disk full");
}
END_TEST

/* A percent sign in a path is no format. */
START_TEST(percent_is_plain)
{
	struct err err = { 0 };

	err_set(&err, ERR_USAGE, "%s", "100%n%s");
	err_prefix(&err, "%s", "%d%n");
	ck_assert_str_eq(err.text, "%d%n: 100%n%s");
}
END_TEST

START_TEST(long_text_is_cut)
{
	struct err err = { 0 };

	err_set(&err, ERR_USAGE, "%s", long_text);
	ck_assert_uint_eq(strlen(err.text), TEXT_MAX);
	ck_assert(ends_with(err.text, "x..."));
}
END_TEST

START_TEST(cause_survives_a_long_path)
{
	struct err err = { 0 };

	errno = EACCES;
	err_sys(&err, "open '%s'", long_text);
	ck_assert_uint_eq(strlen(err.text), TEXT_MAX);
	ck_assert(ends_with(err.text, "x...: Permission denied"));
	ck_assert(strncmp(err.text, "open 'xxx", 9) == 0);
	err_prefix(&err, "scan");
	ck_assert(ends_with(err.text, "x...: Permission denied"));
}
END_TEST

START_TEST(long_prefix_is_cut)
{
	struct err err = { 0 };

	err_set(&err, ERR_DB, "disk full");
	err_prefix(&err, "%s", long_text);
	ck_assert_uint_eq(strlen(err.text), TEXT_MAX);
	ck_assert(ends_with(err.text, "x...: disk full"));
}
END_TEST

/* Every remaining room, so that the loop crosses each limit. */
START_TEST(prefix_of_every_text_length)
{
	for (size_t len = TEXT_MAX - 40; len <= TEXT_MAX; len++) {
		struct err err = { 0 };

		err_set(&err, ERR_DB, "%.*s", (int)len, long_text);
		err_prefix(&err, "%s", "some context");
		ck_assert_uint_ge(strlen(err.text), len);
		ck_assert_uint_le(strlen(err.text), TEXT_MAX);
		ck_assert(ends_with(err.text, "xxx"));
	}
}
END_TEST

/* With 1 to 4 bytes in front, the cut meets each byte of a three-byte character. */
START_TEST(cut_spares_characters)
{
	struct err err = { 0 };
	char euros[3 * 600 + 1];
	const char *p;

	for (size_t i = 0; i < sizeof(euros) - 1; i++)
		euros[i] = "\xe2\x82\xac"[i % 3];
	euros[sizeof(euros) - 1] = '\0';
	err_set(&err, ERR_USAGE, "%.*s%s", _i, "aaaa", euros);
	ck_assert(ends_with(err.text, "..."));
	for (p = err.text + _i; strcmp(p, "...") != 0; p += 3)
		ck_assert_mem_eq(p, "\xe2\x82\xac", 3);
}
END_TEST

Suite *
suite_err(void)
{
	Suite *s = suite_create("err");
	TCase *tc = tcase_create("err");

	tcase_add_checked_fixture(tc, fill_long_text, NULL);
	tcase_add_test(tc, set);
	tcase_add_test(tc, sys_names_the_cause);
	tcase_add_test(tc, prefix_goes_before);
	tcase_add_test(tc, percent_is_plain);
	tcase_add_test(tc, long_text_is_cut);
	tcase_add_test(tc, cause_survives_a_long_path);
	tcase_add_test(tc, long_prefix_is_cut);
	tcase_add_test(tc, prefix_of_every_text_length);
	tcase_add_loop_test(tc, cut_spares_characters, 1, 5);
	suite_add_tcase(s, tc);
	return s;
}
