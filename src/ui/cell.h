/* SPDX-License-Identifier: MIT */
/*
 * cell - the bytes of a typed line as a terminal shows them: one character after the other,
 * whatever the bytes are.
 */
#ifndef UI_CELL_H
#define UI_CELL_H

#include <wchar.h>

enum cell_kind {
	CELL_PLAIN,    /* shown as it is */
	CELL_ESCAPED,  /* no character, or one that does not print: ^X, \xHH for each byte */
	CELL_TAB,
	CELL_NEWLINE
};

/** A character, or a byte that the locale can't decode. */
struct cell {
	size_t len;           /* in bytes, at least 1 */
	wchar_t c;            /* the character; L'\0' for a byte that can't be decoded */
	int columns;          /* 0: combines with the cell before it, or a tab or newline */
	enum cell_kind kind;
};

/** Decode the cell at text[at]; at < len. */
struct cell cell_at(const char *text, size_t len, size_t at);

/** Append what stands for an escaped cell: columns ASCII characters. */
void cell_escape(struct buf *b, const char *text, const struct cell *c);

#endif
