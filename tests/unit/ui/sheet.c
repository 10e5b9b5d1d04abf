/* SPDX-License-Identifier: MIT */
#include "base/base.h"

#include <locale.h>

#include "ui/sheet.h"
#include "unit.h"

/* Values of two columns, row by row: one that begins with a digit is a number, "-" is nothing. */
static const struct {
	const char *names[2];
	bool header;
	int width;
	const char *values[8];
	const char *want;
} rows[] = {
	{ { "name", "size" }, true, 80, { "a", "1", "bcdef", "1000", NULL }, "name   size\na         1\nbcdef  1000\n" },
	{ { "name", "size" }, false, 80, { "a", "1", "bc", "10", NULL }, "a    1\nbc  10\n" },
	{ { "n", "text" }, true, 80, { "1", "a", "-", "bc", NULL }, "n  text\n1  a\n-  bc\n" },
	{ { "n", "b" }, true, 80, { "100", "2", "-", "-", NULL }, "  n  b\n100  2\n  -  -\n" },
	{ { "mixed", "b" }, true, 80, { "100", "2", "x", "-", NULL }, "mixed  b\n100    2\nx      -\n" },
	{ { "a\nb", "\033[1m" }, true, 80, { NULL }, "a\\nb  \\x1b[1m\n" },
	/* The widest are cut, those in between are not; a number never is. */
	{ { "a", "b" }, true, 20, { "0123456789abcdefgh", "2", "x", "-", NULL }, "a                   b\n0123456789abcdefgh  2\nx                   -\n" },
	{ { "a", "b" }, true, 20, { "_123456789abcdefgh", "2", "x", "-", NULL }, "a                 b\n...56789abcdefgh  2\nx                 -\n" },
	{ { "a", "b" }, true, 20, { "_123456789", "_123456789abc", NULL }, "a         b\n...56789  ...89abc\n" },
	{ { "long name", "b" }, true, 12, { "x", "1", NULL }, "... name  b\nx         1\n" },
	{ { "a", "b" }, true, 0, { "_123456789abcdefgh", "_123456789abcdefgh", NULL },
	  "a                   b\n_123456789abcdefgh  _123456789abcdefgh\n" },
	/* A line for each value where a row needs more than one, but without names. */
	{ { "a", "name" }, true, 17, { "123456789", "123456780", "-", "x", NULL },
	  "a     123456789\nname  123456780\n\na     -\nname  x\n" },
	{ { "a", "b" }, false, 17, { "123456789", "123456780", "-", "x", NULL }, "123456789  123456780\n        -  x\n" },
	{ { "名前", "b" }, true, 20, { "日本日本日本日本日本", "2", "é", "-", NULL }, "名前              b\n...日本日本日本   2\né                 -\n" },
};

START_TEST(aligns)
{
	struct buf b = { 0 };
	struct sheet *t;

	ck_assert_ptr_nonnull(setlocale(LC_CTYPE, "C.UTF-8"));
	t = sheet_new(rows[_i].names, 2, rows[_i].header, rows[_i].width);
	for (size_t i = 0; rows[_i].values[i] != NULL; i++) {
		const char *v = rows[_i].values[i];

		sheet_add(t, v, *v >= '0' && *v <= '9' ? SHEET_NUMBER : *v == '-' ? SHEET_NOTHING : SHEET_TEXT);
	}
	sheet_show(t, &b);
	ck_assert_str_eq(buf_str(&b), rows[_i].want);
	sheet_free(t);
	buf_release(&b);
}
END_TEST

/* Rows are held by the hundred; the header is shown once, and columns never get narrower. */
START_TEST(holds_a_part)
{
	static const char *const names[] = { "n", "t" };
	struct sheet *t = sheet_new(names, 2, true, 30);
	struct buf b = { 0 };
	size_t n = 0;

	while (!sheet_is_full(t)) {
		sheet_add(t, "1", SHEET_NUMBER);
		sheet_add(t, "x", SHEET_TEXT);
		n++;
	}
	ck_assert_uint_ge(n, 100);
	ck_assert_uint_le(n, 1000);
	sheet_show(t, &b);
	ck_assert_int_eq(strncmp(buf_str(&b), "n  t\n1  x\n1  x\n", 15), 0);
	ck_assert_uint_eq(b.len, (n + 1) * 5);
	ck_assert(!sheet_is_full(t));
	for (int i = 0; i < 2; i++) {
		sheet_add(t, i == 0 ? "100" : "2", SHEET_NUMBER);
		sheet_add(t, "y", SHEET_TEXT);
		buf_cut(&b, 0);
		sheet_show(t, &b);
		ck_assert_str_eq(buf_str(&b), i == 0 ? "100  y\n" : "  2  y\n");
	}
	buf_cut(&b, 0);
	sheet_show(t, &b);
	ck_assert_str_eq(buf_str(&b), "");
	sheet_free(t);
	buf_release(&b);
}
END_TEST

Suite *
suite_sheet(void)
{
	Suite *s = suite_create("sheet");
	TCase *tc = tcase_create("sheet");

	tcase_add_loop_test(tc, aligns, 0, (int)(sizeof(rows) / sizeof(rows[0])));
	tcase_add_test(tc, holds_a_part);
	suite_add_tcase(s, tc);
	return s;
}
