/* SPDX-License-Identifier: MIT */
/*
 * line_chars - private to line: the bytes of a line as characters that libedit can hold, draw and
 * count the columns of, and back.
 */
#ifndef SHELL_LINE_CHARS_H
#define SHELL_LINE_CHARS_H

#include <wchar.h>

/** Decode the first character of len bytes, at least 1; *used: its bytes. */
wchar_t line_chars_first(const char *text, size_t len, size_t *used);
/** Decode len bytes.  Returns an owned string of *n characters; none of them is L'\0'. */
wchar_t *line_chars_decode(const char *text, size_t len, size_t *n);
/** Whether a character is a newline, or the picture of one that decoding makes of it. */
bool line_chars_is_newline(wchar_t c);
/** Turn the pictures of newlines into newlines, each of which ends a row. */
void line_chars_break(wchar_t *chars);
/** Append the bytes of n characters: those that were decoded. */
void line_chars_encode(struct buf *b, const wchar_t *chars, size_t n);

/** The cells that libedit draws for n characters, from column on, in rows of width cells. */
int line_chars_cells(const wchar_t *chars, size_t n, int column, int width);

#endif
