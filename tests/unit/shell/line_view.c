/* SPDX-License-Identifier: MIT */
#include <config.h>

#include <locale.h>
#include <string.h>

#include "base/buf.h"
#include "shell/line_view.h"
#include "unit.h"

static const struct {
	int width, height;
	const char *text;
	size_t at;
	const char *want;    /* what is written */
	int top, row, rows;
} views[] = {
	{ 10, 5, "", 0, "\r> \033[J", 0, 0, 1 },
	{ 10, 5, "abc", 3, "\r> abc\033[J", 0, 0, 1 },
	{ 10, 5, "abc", 1, "\r> abc\033[J\r\033[3C", 0, 0, 1 },
	/* Full to the last column: the cursor goes to the next row. */
	{ 5, 5, "abc", 3, "\r> abc\r\n\033[J", 0, 1, 2 },
	{ 5, 5, "abc", 0, "\r> abc\r\n\033[J\033[1A\r\033[2C", 0, 0, 2 },
	/* A row that runs on wraps by itself. */
	{ 5, 5, "abcde", 5, "\r> abcde\033[J", 0, 1, 2 },
	/* A wide character that does not fit. */
	{ 5, 5, "ab\xe7\x9b\xae", 5, "\r> ab\033[K\r\n\xe7\x9b\xae\033[J", 0, 1, 2 },
	{ 5, 5, "ab\xe7\x9b\xae", 2, "\r> ab\033[K\r\n\xe7\x9b\xae\033[J\r", 0, 1, 2 },
	{ 1, 9, "\xe7\x9b\xae", 3, "\r> ?\r\n\033[J", 0, 3, 4 },
	/* Escapes may be cut in two. */
	{ 5, 5, "a\xff" "b", 3, "\r> a\033[7m\\xff\033[27mb\033[J", 0, 1, 2 },
	{ 10, 5, "a\nb", 3, "\r> a\033[K\r\nb\033[J", 0, 1, 2 },
	{ 12, 5, "a\tb", 3, "\r> a     b\033[J", 0, 0, 1 },
	/* Higher than the terminal: the rows of the cursor. */
	{ 4, 2, "abcdefghijkl", 12, "\rghijkl\033[J", 2, 1, 2 },
	{ 4, 2, "abcdefghijkl", 0, "\r> abcdef\033[1A\r\033[2C", 0, 0, 2 },
	{ 4, 1, "abcdefghijkl", 4, "\rcdef\r\033[2C", 1, 0, 1 },
	{ 1, 1, "abc", 3, "\r\033[J", 5, 0, 1 },
};

START_TEST(drawn)
{
	struct line_view v = { 0 };
	struct line_shown s = { .prompt = "> ", .text = views[_i].text, .len = strlen(views[_i].text), .at = views[_i].at,
		.width = views[_i].width, .height = views[_i].height };
	struct buf got = { 0 };

	ck_assert_ptr_nonnull(setlocale(LC_CTYPE, "C.UTF-8"));
	line_view_draw(&v, &s, &got);
	ck_assert_str_eq(buf_str(&got), views[_i].want);
	ck_assert_int_eq(v.top, views[_i].top);
	ck_assert_int_eq(v.row, views[_i].row);
	ck_assert_int_eq(v.rows, views[_i].rows);
	/* Whatever the size becomes, the cursor's row stays on the terminal. */
	for (s.width = 0; s.width < 30; s.width++) {
		for (s.height = 0; s.height < 5; s.height++) {
			line_view_resize(&v, &s);
			ck_assert_int_ge(v.row, 0);
			ck_assert_int_le(v.row, s.height > 0 ? s.height - 1 : 0);
			line_view_draw(&v, &s, &got);
			ck_assert_int_lt(v.row, v.rows);
			ck_assert_int_le(v.rows, s.height > 0 ? s.height : 1);
		}
	}
	buf_release(&got);
}
END_TEST

Suite *
suite_line_view(void)
{
	Suite *s = suite_create("line_view");
	TCase *tc = tcase_create("rows");

	tcase_add_loop_test(tc, drawn, 0, N_ROWS(views));
	suite_add_tcase(s, tc);
	return s;
}
