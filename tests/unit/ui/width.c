/* SPDX-License-Identifier: MIT */
#include "base/base.h"

#include <locale.h>

#include "ui/width.h"
#include "unit.h"

static const struct {
	const char *locale, *text;
	int max;
	const char *want;
	int width;
} cuts[] = {
	{ "C.UTF-8", "", 10, "", 0 },
	{ "C.UTF-8", "twindex> ", 40, "twindex> ", 9 },
	{ "C.UTF-8", "abcdefghij", 10, "abcdefghij", 10 },
	{ "C.UTF-8", "abcdefghijk", 10, "...efghijk", 10 },
	{ "C.UTF-8", "日本日本", 8, "日本日本", 8 },
	{ "C.UTF-8", "日本日本x", 8, "...日本x", 8 },
	{ "C.UTF-8", "日本日本", 7, "...日本", 7 },
	{ "C.UTF-8", "日本日本", 6, "...本", 5 },
	{ "C.UTF-8", "aaaae\xcc\x81z", 4, "...z", 4 },
	{ "C.UTF-8", "bad\xff\033[2J\n> ", 40, "bad\\xff\\x1b[2J\\n> ", 18 },
	{ "C.UTF-8", "abc", 3, "abc", 3 },
	{ "C.UTF-8", "abcd", 3, "...", 3 },
	{ "C", "é> ", 40, "?\?> ", 4 },
	{ "C", "bad\xff> ", 40, "bad\\xff> ", 9 },
};

static const struct {
	const char *text;
	int width, want;
} rows[] = {
	{ "", 10, 0 },
	{ "\n", 10, 1 },
	{ "\n\n", 10, 2 },
	{ "abc", 10, 1 },
	{ "abc\n", 10, 1 },
	{ "0123456789\n", 10, 1 },
	{ "0123456789a\n", 10, 2 },
	{ "0123456789\nabc\n", 10, 2 },
	{ "0123456789012345678901", 10, 3 },
	{ "äöüäöüäöüä\n", 10, 1 },
	{ "日本日本日\n", 10, 1 },
	{ "a日本日本日\n", 10, 2 },
	{ "日本日\n", 5, 2 },
	{ "\033[31mabc\033[0m\n", 3, 1 },
	{ "\033[1;31mabcd\033[0m\n", 3, 2 },
	{ "a\tb\n", 9, 1 },
	{ "a\tbc\n", 9, 2 },
};

static const struct {
	const char *text;
	int indent, width;
	const char *want;
} folds[] = {
	{ "", 2, 10, "" },
	{ "one two three", 2, 0, "one two three" },
	{ "one two three", 2, 14, "one two three" },
	{ "one two three", 2, 13, "one two\n  three" },
	{ "one two three\nfour  five\n", 2, 10, "one two\n  three\nfour\n  five\n" },
	{ "files   1 new, 2 old\n", 8, 16, "files   1 new,\n        2 old\n" },
	{ "files   1234567890\n", 8, 10, "files   1234567890\n" },
	{ "it 'was a b' (it 'c d', e's)", 2, 9, "it 'was a b'\n  (it\n  'c d',\n  e's)" },
	{ "'a b c d", 1, 5, "'a b\n c d" },
	{ "日本 日本 x", 1, 9, "日本\n 日本 x" },
	{ "of 1.5 KiB each, 12 in 3,", 2, 12, "of 1.5 KiB\n  each,\n  12 in 3," },
	{ "  two  blanks  ", 2, 40, "  two  blanks  " },
};

START_TEST(folds_at_blanks)
{
	struct buf b = { 0 };
	char *printed;
	size_t len;
	FILE *f = open_memstream(&printed, &len);

	ck_assert_ptr_nonnull(setlocale(LC_CTYPE, "C.UTF-8"));
	width_fold(&b, folds[_i].text, folds[_i].indent, folds[_i].width);
	ck_assert_str_eq(buf_str(&b), folds[_i].want);
	buf_release(&b);
	ck_assert_ptr_nonnull(f);
	width_print(f, folds[_i].text, folds[_i].indent, folds[_i].width);
	ck_assert_int_eq(fclose(f), 0);
	ck_assert_str_eq(printed, folds[_i].want);
	free(printed);
}
END_TEST

START_TEST(takes_rows)
{
	ck_assert_ptr_nonnull(setlocale(LC_CTYPE, "C.UTF-8"));
	ck_assert_int_eq(width_rows(rows[_i].text, strlen(rows[_i].text), rows[_i].width), rows[_i].want);
}
END_TEST

START_TEST(cut)
{
	struct buf got = { 0 };

	ck_assert_ptr_nonnull(setlocale(LC_CTYPE, cuts[_i].locale));
	width_cut(&got, cuts[_i].text, cuts[_i].max);
	ck_assert_str_eq(buf_str(&got), cuts[_i].want);
	ck_assert_int_eq(width_of(buf_str(&got)), cuts[_i].width);
	buf_release(&got);
}
END_TEST

static const struct { const char *text; int max; const char *want; } middles[] = {
	{ "/a/short/path", 13, "/a/short/path" },
	{ "/home/user/pictures/2019", 15, "/hom...res/2019" },
	{ "/home/user/pictures/2019", 6, "/...19" },
	{ "/home/user/pictures/2019", 3, "..." },
	{ "日本語日本語日本語", 12, "日...日本語" },
};

START_TEST(cut_middle)
{
	struct buf got = { 0 };

	ck_assert_ptr_nonnull(setlocale(LC_CTYPE, "C.UTF-8"));
	width_cut_middle(&got, middles[_i].text, middles[_i].max);
	ck_assert_str_eq(buf_str(&got), middles[_i].want);
	ck_assert_int_le(width_of(buf_str(&got)), middles[_i].max);
	buf_release(&got);
}
END_TEST

static const struct {
	int width;
	char *names[8];
	const char *want;
} columns[] = {
	{ 80, { NULL }, "" },
	{ 80, { "a" }, "a\n" },
	{ 80, { "a", "bb", "c" }, "a  bb  c\n" },
	{ 9, { "a", "bb", "c" }, "a  bb  c\n" },
	{ 8, { "a", "bb", "c" }, "a   c\nbb\n" },
	{ 5, { "a", "bb", "c" }, "a\nbb\nc\n" },
	{ 1, { "a", "bb", "c" }, "a\nbb\nc\n" },
	{ 12, { "日本", "x", "é", "four" }, "日本  é\nx     four\n" },
	{ 80, { "new\nline", "\033" }, "new\\nline  \\x1b\n" },
};

START_TEST(in_columns)
{
	struct buf got = { 0 };
	size_t n = 0;

	ck_assert_ptr_nonnull(setlocale(LC_CTYPE, "C.UTF-8"));
	while (columns[_i].names[n] != NULL)
		n++;
	width_columns(&got, columns[_i].names, n, columns[_i].width);
	ck_assert_str_eq(buf_str(&got), columns[_i].want);
	buf_release(&got);
}
END_TEST

Suite *
suite_width(void)
{
	Suite *s = suite_create("width");
	TCase *tc = tcase_create("width");

	tcase_add_loop_test(tc, cut, 0, N_ROWS(cuts));
	tcase_add_loop_test(tc, cut_middle, 0, N_ROWS(middles));
	tcase_add_loop_test(tc, in_columns, 0, N_ROWS(columns));
	tcase_add_loop_test(tc, folds_at_blanks, 0, N_ROWS(folds));
	tcase_add_loop_test(tc, takes_rows, 0, N_ROWS(rows));
	suite_add_tcase(s, tc);
	return s;
}
