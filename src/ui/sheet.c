/* SPDX-License-Identifier: MIT */
#include "base/base.h"

#include "ui/sheet.h"

#include "ui/width.h"

/* Rows held back; blanks between columns; the least width that a column is cut to. */
enum { SHEET_ROWS = 500, SHEET_GAP = 2, SHEET_LEAST = 8 };

struct sheet_column {
	char *name;         /* owned */
	int widest;         /* of its name and all values so far */
	int number;         /* of its numbers */
	int columns;        /* as it is shown */
	bool text;          /* a value is text */
};

struct sheet {
	struct sheet_column *v;
	size_t n;
	bool header;        /* is still to be shown */
	bool upright;       /* rows are as many lines as there are columns */
	bool shown;         /* a row was, upright */
	int width;
	VEC(char *) cells;  /* owned, row by row */
};

static int
sheet_max(int a, int b)
{
	return a > b ? a : b;
}

struct sheet *
sheet_new(const char *const *names, size_t n, bool header, int width)
{
	struct sheet *t = mem_zalloc(1, sizeof(*t));

	assert(n > 0);
	t->v = mem_zalloc(n, sizeof(*t->v));
	t->n = n;
	t->header = header;
	t->width = width;
	for (size_t i = 0; i < n; i++) {
		struct buf name = { 0 };

		name_show(&name, names[i], strlen(names[i]));
		t->v[i].widest = header ? width_of(buf_str(&name)) : 0;
		t->v[i].name = buf_take(&name);
	}
	return t;
}

/* Forget the rows that are held. */
static void
sheet_clear(struct sheet *t)
{
	while (t->cells.n > 0)
		free(t->cells.v[--t->cells.n]);
}

void
sheet_free(struct sheet *t)
{
	if (t == NULL)
		return;
	sheet_clear(t);
	vec_release(&t->cells);
	for (size_t i = 0; i < t->n; i++)
		free(t->v[i].name);
	free(t->v);
	free(t);
}

void
sheet_add(struct sheet *t, const char *text, enum sheet_kind kind)
{
	struct sheet_column *c = &t->v[t->cells.n % t->n];
	struct buf shown = { 0 };
	int columns = width_of(text);

	if (kind == SHEET_NUMBER)
		c->number = sheet_max(c->number, columns);
	c->text |= kind == SHEET_TEXT;
	/* More than a line of it is not kept. */
	if (kind == SHEET_TEXT && t->width > 0 && columns >= t->width) {
		columns = t->width;
		width_cut(&shown, text, columns);
	} else
		buf_adds(&shown, text);
	c->widest = sheet_max(c->widest, columns);
	vec_push(&t->cells, buf_take(&shown));
}

bool
sheet_is_full(const struct sheet *t)
{
	return t->cells.n >= SHEET_ROWS * t->n;
}

/* Give each column what it needs, at most cap but for numbers.  Returns the line's width. */
static int
sheet_layout(struct sheet *t, int cap)
{
	int total = 0;

	for (size_t i = 0; i < t->n; i++) {
		struct sheet_column *c = &t->v[i];

		c->columns = c->widest <= cap ? c->widest : sheet_max(cap, c->number);
		total += c->columns + (i > 0 ? SHEET_GAP : 0);
	}
	return total;
}

/* Append text, cut to this number of columns, on the left or right, and a gap or line end. */
static void
sheet_put(struct buf *b, const char *text, int columns, bool right, bool last)
{
	struct buf cut = { 0 };
	int blanks = columns - width_of(text);

	if (blanks < 0) {
		width_cut(&cut, text, columns);
		text = buf_str(&cut);
		blanks = sheet_max(columns - width_of(text), 0);
	}
	/* Blanks at the end of a line would wrap where it is narrower. */
	buf_addf(b, "%*s%s", right ? blanks : 0, "", text);
	if (last)
		buf_addc(b, '\n');
	else
		buf_addf(b, "%*s", (right ? 0 : blanks) + SHEET_GAP, "");
	buf_release(&cut);
}

/* Append a cell of column i, or the name of the column. */
static void
sheet_cell(const struct sheet *t, struct buf *b, size_t i, const char *text)
{
	const struct sheet_column *c = &t->v[i];

	sheet_put(b, text, c->columns, c->number > 0 && !c->text, i + 1 == t->n);
}

/* Columns that the names take where rows are upright: half of the width at most. */
static int
sheet_names(const struct sheet *t)
{
	int names = 0;

	for (size_t i = 0; i < t->n; i++)
		names = sheet_max(names, width_of(t->v[i].name));
	return names > t->width / 2 ? t->width / 2 : names;
}

/* Columns that are left for a value then. */
static int
sheet_rest(const struct sheet *t)
{
	return t->width - 1 - sheet_names(t) - SHEET_GAP;
}

/* Append the rows that are held: a line for each value, and a blank line between rows. */
static void
sheet_upright(struct sheet *t, struct buf *b)
{
	const int names = sheet_names(t), rest = sheet_rest(t);

	for (size_t i = 0; i < t->cells.n; i++) {
		const struct sheet_column *c = &t->v[i % t->n];

		if (i % t->n == 0 && t->shown)
			buf_addc(b, '\n');
		t->shown = true;
		sheet_put(b, c->name, names, false, false);
		sheet_put(b, t->cells.v[i], sheet_max(rest, c->number), false, true);
	}
	sheet_clear(t);
}

void
sheet_show(struct sheet *t, struct buf *b)
{
	int cap = 0;

	assert(t->cells.n % t->n == 0);
	for (size_t i = 0; i < t->n; i++)
		cap = sheet_max(cap, t->v[i].widest);
	/* A line that is filled to the last column would wrap on some terminals. */
	while (sheet_layout(t, cap) >= t->width && t->width > 0 && cap > SHEET_LEAST)
		cap--;
	if (t->header) {
		const int rest = sheet_rest(t);
		bool fits = true;

		/* Upright rows need room for all numbers, which are never cut. */
		for (size_t i = 0; i < t->n; i++)
			fits &= t->v[i].number <= rest;
		/* Lines that wrap can't be told apart: then a line holds one value. */
		t->upright = t->width > 0 && sheet_layout(t, cap) >= t->width && fits;
	}
	if (t->upright && t->cells.n > 0) {
		t->header = false;
		sheet_upright(t, b);
		return;
	}
	for (size_t i = 0; t->header && i < t->n; i++)
		sheet_cell(t, b, i, t->v[i].name);
	t->header = false;
	for (size_t i = 0; i < t->cells.n; i++)
		sheet_cell(t, b, i % t->n, t->cells.v[i]);
	sheet_clear(t);
}
