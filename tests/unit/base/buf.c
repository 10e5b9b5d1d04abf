/* SPDX-License-Identifier: MIT */
#include "base/base.h"

#include "unit.h"

START_TEST(empty)
{
	struct buf b = { 0 };
	char *s;

	ck_assert_str_eq(buf_str(&b), "");
	buf_cut(&b, 0);
	buf_add(&b, NULL, 0);
	buf_adds(&b, "");
	buf_addf(&b, "%s", "");
	ck_assert_uint_eq(b.len, 0);
	ck_assert_str_eq(buf_str(&b), "");
	s = buf_take(&b);
	ck_assert_str_eq(s, "");
	free(s);
	buf_release(&b);
	buf_release(&b);
}
END_TEST

START_TEST(fits)
{
	struct buf b = { 0 };

	buf_fit(&b);
	ck_assert_ptr_null(b.data);
	buf_adds(&b, "one");
	buf_reserve(&b, 4096);
	buf_fit(&b);
	ck_assert_uint_eq(b.cap, 4);
	ck_assert_str_eq(b.data, "one");
	buf_adds(&b, " two");
	ck_assert_str_eq(b.data, "one two");
	buf_release(&b);
}
END_TEST

START_TEST(appends)
{
	struct buf b = { 0 };

	buf_adds(&b, "one");
	buf_addc(&b, ' ');
	buf_add(&b, "two and more", 3);
	buf_addf(&b, " %d%c", 3, '!');
	ck_assert_str_eq(buf_str(&b), "one two 3!");
	ck_assert_uint_eq(b.len, 10);
	buf_cut(&b, 3);
	ck_assert_str_eq(buf_str(&b), "one");
	buf_addc(&b, '\0');
	buf_addc(&b, 'x');
	ck_assert_uint_eq(b.len, 5);
	ck_assert_mem_eq(b.data, "one\0x", 6);
	buf_release(&b);
	ck_assert_ptr_null(b.data);
	buf_adds(&b, "again");
	ck_assert_str_eq(buf_str(&b), "again");
	buf_release(&b);
}
END_TEST

/* Every length around every growth, for each way to append. */
START_TEST(always_ends_in_nul)
{
	struct buf by_byte = { 0 }, by_format = { 0 }, whole = { 0 };
	char text[600];

	for (size_t len = 0; len < sizeof(text); len++) {
		ck_assert_uint_eq(strlen(buf_str(&by_byte)), len);
		ck_assert_uint_eq(strlen(buf_str(&by_format)), len);
		memset(text, 'a', len);
		text[len] = '\0';
		buf_addf(&whole, "%s", text);
		ck_assert_str_eq(buf_str(&whole), text);
		ck_assert_uint_eq(whole.len, len);
		buf_release(&whole);
		buf_addc(&by_byte, 'a');
		buf_addf(&by_format, "%c", 'a');
	}
	buf_release(&by_byte);
	buf_release(&by_format);
}
END_TEST

START_TEST(reserve_keeps_content)
{
	struct buf b = { 0 };
	const char *data;

	buf_adds(&b, "abc");
	buf_reserve(&b, 100000);
	ck_assert_str_eq(buf_str(&b), "abc");
	ck_assert_uint_ge(b.cap, 100004);
	data = b.data;
	for (int i = 0; i < 100000; i++)
		buf_addc(&b, 'd');
	ck_assert_ptr_eq(b.data, data);
	buf_release(&b);
}
END_TEST

START_TEST(take_leaves_nothing)
{
	struct buf b = { 0 };
	char *s;

	buf_adds(&b, "mine");
	s = buf_take(&b);
	ck_assert_str_eq(s, "mine");
	ck_assert_ptr_null(b.data);
	ck_assert_uint_eq(b.len, 0);
	ck_assert_uint_eq(b.cap, 0);
	free(s);
}
END_TEST

static const size_t too_much[] = { SIZE_MAX, SIZE_MAX - 1, SIZE_MAX - 2, SIZE_MAX - 3, SIZE_MAX - 4, SIZE_MAX / 2 };

START_TEST(dies_of_overflow)
{
	struct buf b = { 0 };

	buf_adds(&b, "abc");
	buf_reserve(&b, too_much[_i]);
}
END_TEST

static const struct {
	const char *text, *want;   /* NULL: not such digits */
} unhexes[] = {
	{ "", "" }, { "41", "A" }, { "4a6f", "Jo" }, { "0aff", "\n\xff" }, { "4", NULL }, { "4g", NULL }, { "g4", NULL }, { "4A", NULL },
	{ "4 ", NULL }, { "414", NULL },
};

START_TEST(unhex)
{
	struct buf b = { 0 };
	const int ret = buf_add_unhex(&b, unhexes[_i].text, strlen(unhexes[_i].text));

	ck_assert_int_eq(ret, unhexes[_i].want != NULL ? 0 : -1);
	if (unhexes[_i].want != NULL)
		ck_assert_str_eq(buf_str(&b), unhexes[_i].want);
	buf_release(&b);
}
END_TEST

Suite *
suite_buf(void)
{
	Suite *s = suite_create("buf");
	TCase *tc = tcase_create("buf");

	tcase_add_test(tc, empty);
	tcase_add_test(tc, fits);
	tcase_add_test(tc, appends);
	tcase_add_test(tc, always_ends_in_nul);
	tcase_add_test(tc, reserve_keeps_content);
	tcase_add_test(tc, take_leaves_nothing);
	tcase_add_loop_exit_test(tc, dies_of_overflow, MEM_EXIT_STATUS, 0, N_ROWS(too_much));
	tcase_add_loop_test(tc, unhex, 0, N_ROWS(unhexes));
	suite_add_tcase(s, tc);
	return s;
}
