/* SPDX-License-Identifier: MIT */
#include "base/base.h"

#include <locale.h>

#include "ui/cell.h"
#include "unit.h"

static const struct {
	const char *locale, *text;
	size_t len;
	int columns;
	enum cell_kind kind;
	const char *escape;
} cells[] = {
	{ "C.UTF-8", "a", 1, 1, CELL_PLAIN, NULL },
	{ "C.UTF-8", "\\", 1, 1, CELL_PLAIN, NULL },
	{ "C.UTF-8", "\n", 1, 0, CELL_NEWLINE, NULL },
	{ "C.UTF-8", "\t", 1, 0, CELL_TAB, NULL },
	{ "C.UTF-8", "\001", 1, 2, CELL_ESCAPED, "^A" },
	{ "C.UTF-8", "\033[", 1, 2, CELL_ESCAPED, "^[" },
	{ "C.UTF-8", "\177", 1, 2, CELL_ESCAPED, "^?" },
	{ "C.UTF-8", "\xc3\xa9z", 2, 1, CELL_PLAIN, NULL },
	{ "C.UTF-8", "\xe7\x9b\xae", 3, 2, CELL_PLAIN, NULL },
	{ "C.UTF-8", "\xcc\x81", 2, 0, CELL_PLAIN, NULL },
	{ "C.UTF-8", "\xff", 1, 4, CELL_ESCAPED, "\\xff" },
	{ "C.UTF-8", "\xc3(", 1, 4, CELL_ESCAPED, "\\xc3" },
	{ "C.UTF-8", "\xe2\x82", 1, 4, CELL_ESCAPED, "\\xe2" },
	{ "C.UTF-8", "\xc2\x9b", 2, 8, CELL_ESCAPED, "\\xc2\\x9b" },
	{ "C.UTF-8", "\xe2\x80\xae", 3, 12, CELL_ESCAPED, "\\xe2\\x80\\xae" },
	{ "C", "a", 1, 1, CELL_PLAIN, NULL },
	{ "C", "\xc3\xa9", 1, 4, CELL_ESCAPED, "\\xc3" },
};

START_TEST(decoded)
{
	struct cell c;
	struct buf escape = { 0 };

	ck_assert_ptr_nonnull(setlocale(LC_CTYPE, cells[_i].locale));
	c = cell_at(cells[_i].text, strlen(cells[_i].text), 0);
	ck_assert_uint_eq(c.len, cells[_i].len);
	ck_assert_int_eq(c.columns, cells[_i].columns);
	ck_assert_int_eq(c.kind, cells[_i].kind);
	if (cells[_i].escape != NULL) {
		cell_escape(&escape, cells[_i].text, &c);
		ck_assert_str_eq(buf_str(&escape), cells[_i].escape);
	}
	buf_release(&escape);
}
END_TEST

START_TEST(nul)
{
	const struct cell c = cell_at("\0a", 2, 0);

	ck_assert_uint_eq(c.len, 1);
	ck_assert_int_eq(c.kind, CELL_ESCAPED);
	ck_assert_int_eq(c.columns, 2);
}
END_TEST

Suite *
suite_cell(void)
{
	Suite *s = suite_create("cell");
	TCase *tc = tcase_create("cells");

	tcase_add_loop_test(tc, decoded, 0, N_ROWS(cells));
	tcase_add_test(tc, nul);
	suite_add_tcase(s, tc);
	return s;
}
