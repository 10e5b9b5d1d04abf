/* SPDX-License-Identifier: MIT */
/*
 * libedit holds characters and drops bytes that are none.  It draws what iswprint() accepts as it
 * is, and all else as \U+ and the code.  So codes that are no characters of Unicode stand for
 * what it must not drop or draw: for a byte that the locale can't decode (as Python's surrogate
 * escapes do), and for a character that a terminal may act on or that has no column of its own,
 * which libedit would count wrongly.  A tab becomes the picture of one, for libedit does not find
 * the cursor behind one that a row has no room for, and so does a newline, which is put in place
 * of its picture where the rows have room.
 */
#include "base/base.h"

#include "shell/line_chars.h"

#include <wctype.h>

#include "ui/cell.h"

/* A byte is CHARS_BYTE + its value: a low surrogate. */
#define CHARS_BYTE 0xdc00
/* A character that is not drawn is CHARS_HIDDEN + its code; the last 20 bits are what is shown. */
#define CHARS_HIDDEN 0x1000000
/* The pictures of a tab and a newline. */
#define CHARS_TAB L'\u2409'
#define CHARS_NEWLINE L'\u2424'

wchar_t
line_chars_first(const char *text, size_t len, size_t *used)
{
	const struct cell cell = cell_at(text, len, 0);

	*used = cell.len;
	if (cell.kind == CELL_NEWLINE)
		return CHARS_NEWLINE;
	if (cell.kind == CELL_TAB)
		return CHARS_TAB;
	/* The C library may decode more than Unicode has. */
	if (cell.c == L'\0' || cell.c > 0x10ffff) {
		*used = 1;
		return CHARS_BYTE + (unsigned char)*text;
	}
	if (cell.c < 0x80)
		return cell.c;
	if (cell.kind == CELL_ESCAPED || cell.columns < 1 || cell.c == CHARS_NEWLINE || cell.c == CHARS_TAB)
		return CHARS_HIDDEN + cell.c;
	return cell.c;
}

wchar_t *
line_chars_decode(const char *text, size_t len, size_t *n)
{
	wchar_t *chars = mem_zalloc(len + 1, sizeof(*chars));

	*n = 0;
	for (size_t i = 0, used; i < len; i += used)
		chars[(*n)++] = line_chars_first(text + i, len - i, &used);
	return chars;
}

bool
line_chars_is_newline(wchar_t c)
{
	return c == L'\n' || c == CHARS_NEWLINE;
}

void
line_chars_break(wchar_t *chars)
{
	for (; (chars = wcschr(chars, CHARS_NEWLINE)) != NULL;)
		*chars = L'\n';
}

void
line_chars_encode(struct buf *b, const wchar_t *chars, size_t n)
{
	for (size_t i = 0; i < n; i++) {
		const wchar_t c = chars[i] >= CHARS_HIDDEN ? chars[i] - CHARS_HIDDEN : chars[i];
		mbstate_t state = { 0 };
		size_t len;

		if (c >= CHARS_BYTE && c < CHARS_BYTE + 0x100)
			buf_addc(b, (char)(c - CHARS_BYTE));
		else if (chars[i] == CHARS_NEWLINE || chars[i] == CHARS_TAB)
			buf_addc(b, chars[i] == CHARS_TAB ? '\t' : '\n');
		else {
			buf_reserve(b, MB_LEN_MAX);
			len = wcrtomb(b->data + b->len, c, &state);
			if (len != (size_t)-1)
				b->len += len;
			b->data[b->len] = '\0';
		}
	}
}

int
line_chars_cells(const wchar_t *chars, size_t n, int column, int width)
{
	int cells = column;

	for (size_t i = 0; i < n; i++) {
		const wchar_t c = chars[i];
		int one = 2;

		/* ^X, \U+ and 4 or 5 digits, or its columns. */
		if (c >= 0x20 && c != 0x7f)
			one = iswprint((wint_t)c) ? wcwidth(c) : c > 0xffff ? 8 : 7;
		/* A wide character that does not fit into a row begins the next one. */
		if (c == L'\n')
			cells = (cells / width + 1) * width;
		else
			cells += one == 2 && c > 0x7f && cells % width == width - 1 ? 3 : one;
	}
	return cells - column;
}
