/* SPDX-License-Identifier: MIT */
/* line_view - private to line: draw prompt, text and cursor on a terminal of any size. */
#ifndef SHELL_LINE_VIEW_H
#define SHELL_LINE_VIEW_H

#include <stddef.h>

struct buf;

/** What is to be seen; all borrowed. */
struct line_shown {
	const char *prompt;   /* harmless, and decodable in the locale */
	const char *text;
	size_t len, at;       /* of the text, in bytes; at is the cursor */
	int width, height;    /* of the terminal */
};

/** Where the last drawing left the cursor; zeroed: in an empty row.  Owns nothing. */
struct line_view {
	int top;              /* the first row shown of all; above 0 if they are too many */
	int row;              /* the cursor's, below top */
	int rows;             /* shown */
};

/**
 * Append what draws the line over the last drawing.  Of a line that is higher than the terminal
 * as many rows as fit are drawn, with that of the cursor.
 */
void line_view_draw(struct line_view *v, const struct line_shown *s, struct buf *out);

/**
 * Append what draws all of the line, however high it is, leaves the cursor behind its end, and
 * v zeroed.
 */
void line_view_finish(struct line_view *v, const struct line_shown *s, struct buf *out);

/**
 * Append what moves the cursor to the row below the drawing, and leave v zeroed: others may
 * print there.
 */
void line_view_leave(struct line_view *v, struct buf *out);

/** The terminal's size became that of s: find where its wrapping may have moved the cursor to. */
void line_view_resize(struct line_view *v, const struct line_shown *s);

#endif
