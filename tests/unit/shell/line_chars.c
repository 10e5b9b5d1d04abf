/* SPDX-License-Identifier: MIT */
#include "base/base.h"

#include <locale.h>

#include "shell/line_chars.h"
#include "unit.h"

static const struct {
	const char *locale, *text;
	size_t n;
	wchar_t first;
	int cells;               /* in rows of 10 */
} texts[] = {
	{ "C.UTF-8", "", 0, L'\0', 0 },
	{ "C.UTF-8", "abc", 3, L'a', 3 },
	{ "C.UTF-8", "\xc3\xa9z", 2, 0xe9, 2 },
	{ "C.UTF-8", "\xe7\x9b\xae", 1, 0x76ee, 2 },
	/* A wide character that does not fit into the row. */
	{ "C.UTF-8", "abcdefghi\xe7\x9b\xae", 10, L'a', 12 },
	{ "C.UTF-8", "\001\177", 2, 1, 4 },
	{ "C.UTF-8", "\t\n", 2, 0x2409, 2 },
	/* The pictures themselves are typed, too. */
	{ "C.UTF-8", "\xe2\x90\xa4\xe2\x90\x89", 2, 0x1002424, 16 },
	{ "C.UTF-8", "\xff\xe2\x82z", 4, 0xdcff, 22 },
	{ "C.UTF-8", "e\xcc\x81", 2, L'e', 9 },
	{ "C.UTF-8", "\xe2\x80\xae", 1, 0x100202e, 8 },
	{ "C.UTF-8", "\xc2\x9b", 1, 0x100009b, 8 },
	{ "C.UTF-8", "\xf0\x9f\x98\x80", 1, 0x1f600, 2 },
	/* A surrogate in UTF-8 is none. */
	{ "C.UTF-8", "\xed\xa0\x80", 3, 0xdced, 21 },
	{ "C.UTF-8", "\xfd\xbf\xb8\x98\xa0\x81", 6, 0xdcfd, 42 },
	{ "C", "\xc3\xa9z", 3, 0xdcc3, 15 },
};

START_TEST(kept)
{
	struct buf bytes = { 0 };
	wchar_t *chars;
	size_t n;

	ck_assert_ptr_nonnull(setlocale(LC_CTYPE, texts[_i].locale));
	chars = line_chars_decode(texts[_i].text, strlen(texts[_i].text), &n);
	ck_assert_uint_eq(n, texts[_i].n);
	ck_assert_uint_eq(wcslen(chars), n);
	ck_assert_int_eq(chars[0], texts[_i].first);
	ck_assert_int_eq(line_chars_cells(chars, n, 0, 10), texts[_i].cells);
	line_chars_encode(&bytes, chars, n);
	ck_assert_str_eq(buf_str(&bytes), texts[_i].text);
	/* With a newline in place of its picture they are the same bytes. */
	line_chars_break(chars);
	buf_cut(&bytes, 0);
	line_chars_encode(&bytes, chars, n);
	ck_assert_str_eq(buf_str(&bytes), texts[_i].text);
	buf_release(&bytes);
	free(chars);
}
END_TEST

START_TEST(any_bytes)
{
	struct buf bytes = { 0 };
	char text[1024];
	wchar_t *chars;
	size_t n;

	ck_assert_ptr_nonnull(setlocale(LC_CTYPE, "C.UTF-8"));
	srand(1);
	for (int round = 0; round < 300; round++) {
		for (size_t i = 0; i < sizeof(text); i++)
			text[i] = (char)(rand() % 3 == 0 ? rand() : 0x80 + rand() % 0x80);
		chars = line_chars_decode(text, sizeof(text), &n);
		buf_cut(&bytes, 0);
		line_chars_encode(&bytes, chars, n);
		if (wcslen(chars) != n || bytes.len != sizeof(text) || memcmp(bytes.data, text, sizeof(text)) != 0)
			ck_abort_msg("other bytes in round %d", round);
		free(chars);
	}
	buf_release(&bytes);
}
END_TEST

START_TEST(rows)
{
	/* A newline ends a row, and one behind a full row an empty one. */
	ck_assert_int_eq(line_chars_cells(L"ab\nc", 4, 0, 10), 11);
	ck_assert_int_eq(line_chars_cells(L"ab\nc", 4, 8, 10), 13);
	ck_assert_int_eq(line_chars_cells(L"\n\n", 2, 2, 10), 18);
}
END_TEST

Suite *
suite_line_chars(void)
{
	Suite *s = suite_create("line_chars");
	TCase *tc = tcase_create("characters");

	tcase_add_loop_test(tc, kept, 0, N_ROWS(texts));
	tcase_add_test(tc, any_bytes);
	tcase_add_test(tc, rows);
	suite_add_tcase(s, tc);
	return s;
}
