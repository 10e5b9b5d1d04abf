/* SPDX-License-Identifier: MIT */
/*
 * Prompt and text are one sequence of cells, laid out in rows of the
 * terminal's width: a cell that does not fit begins the next row, a newline
 * ends one.  The layout is made anew for each drawing, first to find the
 * cursor's row, then to write the rows from top on.  Nothing is remembered of
 * it but three numbers, so no length, width or resize can lead out of an array.
 *
 * The cursor is moved relative to where it is, by ESC [ A and ESC [ C.  Rows
 * are overwritten and then cleared to their end, from top to bottom, which
 * does not flicker.  A row that is full runs on into the next one without a
 * newline: then terminals join them again when the text is copied or the
 * window becomes wider.  Behind a full row the cursor still stands on its last
 * column, and clearing to the end would take that column away.
 */
#include <config.h>

#include "shell/line_view.h"

#include <limits.h>
#include <stdbool.h>
#include <string.h>

#include "base/buf.h"
#include "ui/cell.h"

/* Columns between tab stops. */
#define LINE_VIEW_TAB 8

/* A layout in progress. */
struct line_layout {
	int width;
	int row, col;            /* where the next cell goes; col is width behind a full row */
	int at_row, at_col;      /* of the cursor, once it was met */
	int first, last;         /* the rows to write */
	bool reversed;           /* what was written last is shown in reverse */
	struct buf *out;         /* NULL: nothing is written */
};

/* Whether the present row is written. */
static bool
layout_writes(const struct line_layout *l)
{
	return l->out != NULL && l->row >= l->first && l->row <= l->last;
}

static void
layout_reverse(struct line_layout *l, bool on)
{
	if (l->reversed == on || !layout_writes(l))
		return;
	buf_adds(l->out, on ? "\033[7m" : "\033[27m");
	l->reversed = on;
}

/*
 * Begin the next row.  wraps: the terminal does so by itself, as the row is full and another
 * cell follows.
 */
static void
layout_break(struct line_layout *l, bool wraps)
{
	const bool full = l->col >= l->width;

	if (layout_writes(l) && !full) {
		layout_reverse(l, false);
		buf_adds(l->out, "\033[K");
	}
	if (layout_writes(l) && l->row < l->last && !(wraps && full))
		buf_adds(l->out, "\r\n");
	l->row++;
	l->col = 0;
}

/* Put text of some columns, which does not break. */
static void
layout_put(struct line_layout *l, const char *text, size_t len, int columns)
{
	/* A terminal of one column has no place for wide characters. */
	if (columns > l->width) {
		text = "?";
		len = 1;
		columns = 1;
	}
	if (l->col + columns > l->width)
		layout_break(l, true);
	if (layout_writes(l))
		buf_add(l->out, text, len);
	l->col += columns;
}

/* Put a cell.  is_cursor: the cursor is on it. */
static void
layout_cell(struct line_layout *l, const char *text, const struct cell *c, bool is_cursor)
{
	struct buf escape = { 0 };
	int columns = c->columns;

	if (c->kind == CELL_TAB)
		columns = 1;
	else if (c->kind == CELL_ESCAPED) {
		cell_escape(&escape, text, c);
		columns = 1;
	}
	/* The cursor stands where the first column goes. */
	if (is_cursor) {
		const bool breaks = c->kind != CELL_NEWLINE && l->col + (columns < l->width ? columns : l->width) > l->width;

		l->at_row = l->row + (breaks ? 1 : 0);
		l->at_col = breaks ? 0 : l->col;
	}
	switch (c->kind) {
	case CELL_NEWLINE:
		layout_break(l, false);
		break;
	case CELL_TAB:
		layout_reverse(l, false);
		do
			layout_put(l, " ", 1, 1);
		while (l->col % LINE_VIEW_TAB != 0 && l->col < l->width);
		break;
	case CELL_ESCAPED:
		layout_reverse(l, true);
		for (size_t i = 0; i < escape.len; i++)
			layout_put(l, escape.data + i, 1, 1);
		break;
	case CELL_PLAIN:
		layout_reverse(l, false);
		layout_put(l, text, c->len, c->columns);
		break;
	}
	buf_release(&escape);
}

/* Lay out the whole; rows first to last are appended to out unless that is NULL. */
static void
layout_run(struct line_layout *l, const struct line_shown *s, int first, int last, struct buf *out)
{
	const size_t prompt_len = strlen(s->prompt);
	struct cell c;

	*l = (struct line_layout){ .width = s->width > 0 ? s->width : 1, .first = first, .last = last, .out = out, .at_row = -1 };
	for (size_t i = 0; i < prompt_len; i += c.len) {
		c = cell_at(s->prompt, prompt_len, i);
		layout_cell(l, s->prompt + i, &c, false);
	}
	for (size_t i = 0; i < s->len; i += c.len) {
		c = cell_at(s->text, s->len, i);
		layout_cell(l, s->text + i, &c, s->at >= i && s->at < i + c.len);
	}
	/* The cursor behind a full row is at the beginning of the next one. */
	if (l->col >= l->width)
		layout_break(l, false);
	if (l->reversed)
		buf_adds(l->out, "\033[27m");
	if (l->at_row < 0) {
		l->at_row = l->row;
		l->at_col = l->col;
	}
}

/*
 * The cursor's column; on the newline behind a full row that is the last one, where terminals
 * show it.
 */
static int
layout_column(const struct line_layout *l)
{
	return l->at_col < l->width ? l->at_col : l->width - 1;
}

static void
view_up(int rows, struct buf *out)
{
	if (rows > 0)
		buf_addf(out, "\033[%dA", rows);
	buf_addc(out, '\r');
}

void
line_view_draw(struct line_view *v, const struct line_shown *s, struct buf *out)
{
	const int height = s->height > 0 ? s->height : 1;
	struct line_layout l;
	int last;

	layout_run(&l, s, 0, 0, NULL);
	/* Scroll no more than it takes, and leave no rows free that could be filled. */
	if (v->top > l.at_row)
		v->top = l.at_row;
	if (v->top < l.at_row - height + 1)
		v->top = l.at_row - height + 1;
	if (v->top > l.row - height + 1)
		v->top = l.row - height + 1;
	if (v->top < 0)
		v->top = 0;
	last = l.row < v->top + height - 1 ? l.row : v->top + height - 1;
	view_up(v->row, out);
	layout_run(&l, s, v->top, last, out);
	/*
	 * Rows of an older, longer line; a drawing that ends before the line does fills the
	 * terminal.
	 */
	if (last == l.row)
		buf_adds(out, "\033[J");
	if (last != l.row || l.at_row != l.row || l.at_col != l.col) {
		view_up(last - l.at_row, out);
		if (layout_column(&l) > 0)
			buf_addf(out, "\033[%dC", layout_column(&l));
	}
	v->row = l.at_row - v->top;
	v->rows = last - v->top + 1;
}

void
line_view_finish(struct line_view *v, const struct line_shown *s, struct buf *out)
{
	struct line_layout l;

	view_up(v->row, out);
	layout_run(&l, s, 0, INT_MAX, out);
	buf_adds(out, "\033[J");
	*v = (struct line_view){ 0 };
}

void
line_view_leave(struct line_view *v, struct buf *out)
{
	for (int i = v->row; i < v->rows; i++)
		buf_addc(out, '\n');
	buf_addc(out, '\r');
	*v = (struct line_view){ 0 };
}

void
line_view_resize(struct line_view *v, const struct line_shown *s)
{
	struct line_layout l;
	int row;

	layout_run(&l, s, 0, 0, NULL);
	/*
	 * Some terminals wrap rows anew, some don't: rather leave a row of the old line than
	 * erase another one.
	 */
	row = l.at_row - v->top;
	if (row < 0 || row > v->row)
		row = v->row;
	if (row > s->height - 1)
		row = s->height > 0 ? s->height - 1 : 0;
	*v = (struct line_view){ .row = row };
}
