/* SPDX-License-Identifier: MIT */
/*
 * The rows, from above: a title, the heads of columns where there is room, the list, and below it,
 * where there is room, a line about what is under the cursor and some of its copies; at last the
 * bottom line.  Columns are left out on narrow screens, the name never is.
 *
 * Everything is drawn anew each time; curses sends what differs.
 */
#include "base/base.h"

#include "browse/view.h"

#include "browse/copies.h"
#include "browse/look.h"
#include "browse/screen.h"
#include "query/dirtree.h"
#include "ui/bar.h"
#include "ui/width.h"

/* Rows from which on there are heads, and a part below the list; columns for each column. */
enum { VIEW_ROWS_HEADS = 16, VIEW_ROWS_COPIES = 8, VIEW_SIZE = 10, VIEW_SHARE = 10, VIEW_COLUMNS_SHARE = 55, VIEW_COLUMNS_HINT = 60,
       VIEW_COLUMNS_BAR = 64, VIEW_COLUMNS_MARKED = 90, VIEW_BAR_MAX = 40,
       VIEW_HELP_INDENT = 2, VIEW_HELP_KEYS = 19 };

/* Its columns at the right end of the last line. */
#define VIEW_HINT "? help, q quit"
#define VIEW_HINT_ROOM 18

/* What the bar shows; see level_value(). */
static const char *const view_bars[] = { "redundant", "size", "marked", "share", "size" };

/* Keys and what they do; without keys: a paragraph. */
static const struct {
	const char *keys, *text;
} view_help[] = {
	{ "up, down, j", "move (PgUp, PgDn, Home, End)" },
	{ "Enter, right, l", "into a directory; on a copy, to where it is" },
	{ "left, h, <", "out of it" },
	{ NULL, "" },
	{ "d", "mark drop: the file, or all files of the directory that keep a copy; removes nothing" },
	{ "k", "mark keep (up in ncdu: here it keeps)" },
	{ "x", "clear marks" },
	{ "u", "undo the last marks" },
	{ "c", "show all copies: for a directory, the directories that hold its contents as well; Enter goes to one" },
	{ NULL, "" },
	{ "r, s, m, n", "sort by redundant bytes, size, marked bytes, name" },
	{ "%", "sort by share with a copy (each again: the other way round)" },
	{ "/", "find a name here; / Enter: the next one" },
	{ "?, q", "this help, quit" },
	{ NULL, "" },
	{ NULL, "Size: bytes below, hard links once.  Redundant: what could be freed by removing from there alone, so that one "
	        "copy remains.  Twice: how much of it has another copy.  D: marked drop, K: keep, d: something below is marked "
	        "drop.  The bottom line tells what was not judged in the directory: hidden, unreadable, offline ..." },
	{ NULL, "" },
	{ NULL, "'rm --marked' removes what is marked drop, after a last check." },
};

/* How the screen is divided. */
struct view_rows {
	int all, columns;
	int heads;       /* 1 or 0 */
	int list;
	int below;       /* 0, or 1 and rows of copies */
};

static struct view_rows
view_rows(const struct screen *s, const struct view *v)
{
	struct view_rows r = { .all = screen_rows(s), .columns = screen_columns(s) };

	if (v->mode == VIEW_LINES) {
		r.heads = r.all >= VIEW_ROWS_HEADS;
		r.below = r.all >= VIEW_ROWS_COPIES ? 1 + r.all / 5 : 0;
	}
	r.list = r.all - 2 - r.heads - r.below;
	if (r.list < 1)
		r.list = 1;
	return r;
}

struct view_list *
view_list(struct view *v)
{
	return v->mode == VIEW_COPIES ? &v->copies : v->mode == VIEW_HELP ? &v->help : &v->lines;
}

size_t
view_page(const struct screen *s, const struct view *v)
{
	return (size_t)view_rows(s, v).list;
}

static void
view_scroll(struct view_list *l, size_t page)
{
	if (l->at >= l->n)
		l->at = l->n > 0 ? l->n - 1 : 0;
	if (l->first > l->at)
		l->first = l->at;
	if (l->at >= l->first + page)
		l->first = l->at + 1 - page;
	/* No empty rows where a line could be. */
	if (l->first + page > l->n)
		l->first = l->n > page ? l->n - page : 0;
}

/* Append a path, harmless for a terminal, relative to the directory of the person. */
static void
view_add_path(const struct view *v, struct buf *b, const char *path)
{
	const char *prefix, *rest = near_rest(&v->style->near, path, &prefix);

	buf_adds(b, prefix);
	name_show(b, rest, strlen(rest));
}

/* Put text, cut at its beginning: the end of a path says more. */
static int
view_put_end(struct screen *s, int row, int column, const char *text, int columns, unsigned look)
{
	struct buf cut = { 0 };
	int used;

	if (columns <= 0)
		return 0;
	width_cut(&cut, text, columns);
	used = screen_put(s, row, column, buf_str(&cut), columns, look);
	buf_release(&cut);
	return used;
}

/* Put text that is cut at its end.  Returns its columns. */
static int
view_put_begin(struct screen *s, int row, int column, const char *text, int columns, unsigned look)
{
	int used;

	if (width_of(text) <= columns)
		return screen_put(s, row, column, text, columns, look);
	used = screen_put(s, row, column, text, columns - 3, look);
	return used + screen_put(s, row, column + used, "...", 3, look);
}

/* Put text so that it ends at a column.  Returns the column behind it and a gap. */
static int
view_put_right(struct screen *s, int row, int column, int columns, const char *text, unsigned look)
{
	const int width = width_of(text);

	screen_put(s, row, column + (width < columns ? columns - width : 0), text, columns, look);
	return column + columns + 1;
}

static void
view_title(struct screen *s, const struct view *v, const struct view_rows *r)
{
	struct buf path = { 0 }, sums = { 0 };
	char x[NUM_SHOW_MAX], y[NUM_SHOW_MAX], z[NUM_SHOW_MAX];
	int width;

	if (v->level == NULL) {
		buf_adds(&path, "reading the index ...");
	} else {
		view_add_path(v, &path, v->level->path);
		buf_addf(&sums, "%s, %s redundant", num_show_size(v->level->sum.bytes, v->style->units, x),
		         num_show_size(v->level->sum.redundant, v->style->units, y));
		if (v->level->sum.marked > 0)
			buf_addf(&sums, ", %s marked", num_show_size(v->level->sum.marked, v->style->units, z));
	}
	/* The path comes first; sums that do not fit beside it are in the lines above this one. */
	width = width_of(buf_str(&sums));
	if (width + 12 > r->columns)
		width = 0;
	view_put_end(s, 0, 1, buf_str(&path), r->columns - width - 3, SCREEN_PLAIN);
	if (width > 0)
		screen_put(s, 0, r->columns - width - 1, buf_str(&sums), width, SCREEN_PLAIN);
	screen_row(s, 0, SCREEN_FRAME);
	buf_release(&path);
	buf_release(&sums);
}

/* The columns that there is room for. */
struct view_columns {
	bool share, marked;
	int bar;
	int64_t most;       /* what a full bar stands for */
};

static struct view_columns
view_columns(const struct view *v, const struct view_rows *r)
{
	struct view_columns c = { .share = r->columns >= VIEW_COLUMNS_SHARE };

	c.marked = r->columns >= VIEW_COLUMNS_MARKED && v->level->sum.marked > 0;
	if (r->columns >= VIEW_COLUMNS_BAR)
		c.bar = r->columns / 6 < VIEW_BAR_MAX ? r->columns / 6 : VIEW_BAR_MAX;
	for (size_t i = 0; i < v->level->n; i++) {
		const int64_t value = level_value(level_line(v->level, i), v->sort);

		c.most = value > c.most ? value : c.most;
	}
	return c;
}

static void
view_heads(struct screen *s, const struct view *v, const struct view_columns *c)
{
	int column = view_put_right(s, 1, 2, VIEW_SIZE, "size", SCREEN_DIM);

	column = view_put_right(s, 1, column, VIEW_SIZE, "redundant", SCREEN_DIM);
	if (c->share)
		column = view_put_right(s, 1, column, VIEW_SHARE, "duplicated", SCREEN_DIM);
	if (c->marked)
		column = view_put_right(s, 1, column, VIEW_SIZE, "marked", SCREEN_DIM);
	if (c->bar > 0) {
		screen_put(s, 1, column + 1, view_bars[v->sort], c->bar, SCREEN_DIM);
		column += c->bar + 2;
	}
	screen_put(s, 1, column + 1, "name", 4, SCREEN_DIM);
}

static void
view_line(struct screen *s, const struct view *v, const struct view_rows *r, const struct view_columns *c, size_t i, int row)
{
	const struct level_line *line = level_line(v->level, i);
	const unsigned cursor = i == v->lines.at ? SCREEN_CURSOR : 0;
	const bool dir = line->dir != DIRTREE_NONE;
	struct buf text = { 0 };
	char x[NUM_SHOW_MAX];
	int column;

	if (line->mark != MARK_NONE)
		screen_put(s, row, 0, line->mark == MARK_DROP ? "D" : "K", 1, SCREEN_STRONG | (line->mark == MARK_DROP ? SCREEN_DROP : SCREEN_KEEP));
	else if (dir && line->sum.marked > 0)
		screen_put(s, row, 0, "d", 1, SCREEN_DROP);
	column = view_put_right(s, row, 2, VIEW_SIZE, num_show_size(line->sum.bytes, v->style->units, x), SCREEN_PLAIN);
	column = view_put_right(s, row, column, VIEW_SIZE, num_show_size(line->sum.redundant, v->style->units, x),
	                        line->sum.redundant > 0 ? SCREEN_PLAIN : SCREEN_DIM);
	if (c->share)
		column = view_put_right(s, row, column, VIEW_SHARE, num_show_share(line->sum.duplicated, line->sum.bytes, x), SCREEN_PLAIN);
	if (c->marked)
		column = view_put_right(s, row, column, VIEW_SIZE, num_show_size(line->sum.marked, v->style->units, x),
		                        line->sum.marked > 0 ? SCREEN_DROP : SCREEN_DIM);
	if (c->bar > 0) {
		bar_add(&text, v->style->utf8, level_value(line, v->sort), c->most, (size_t)c->bar);
		screen_put(s, row, column + 1, buf_str(&text), c->bar, SCREEN_BAR);
		column += c->bar + 2;
	}
	buf_cut(&text, 0);
	name_show(&text, line->name, strlen(line->name));
	if (dir)
		buf_addc(&text, '/');
	screen_put(s, row, column + 1, buf_str(&text), r->columns - column - 1, dir ? SCREEN_STRONG : SCREEN_PLAIN);
	if (cursor != 0)
		screen_row(s, row, SCREEN_CURSOR);
	buf_release(&text);
}

/* Append the details of a file. */
static unsigned
view_add_state(const struct look *k, struct buf *b)
{
	const struct file_answer *a = &k->a;
	char x[NUM_SHOW_MAX];

	if (!k->known) {
		buf_adds(b, "gone: neither the index nor the file system has it any more");
		return SCREEN_WARN;
	}
	buf_adds(b, state_name(a->state));
	if (a->why != NULL)
		buf_addf(b, ": %s", a->why);
	if (a->n_copies > 0)
		buf_addf(b, ", %s", num_show_things(a->n_copies, "other copy", "other copies", x));
	if (a->nlink > 1)
		buf_addf(b, ", %s", num_show_things(a->nlink, "link", "links", x));
	if (a->mark != MARK_NONE)
		buf_addf(b, ", marked %s", mark_name(a->mark));
	if (a->state != STATE_GONE)
		buf_addf(b, ", %s", num_show_local(a->mtime.sec, x));
	return a->state == STATE_GONE || a->state == STATE_CHANGED || a->state == STATE_UNREADABLE || a->state == STATE_UNKNOWN ?
	       SCREEN_WARN : SCREEN_PLAIN;
}

/* Put a line for a copy. */
static void
view_member(struct screen *s, const struct view *v, const struct member *m, int row, int columns)
{
	struct buf text = { 0 };
	int column = 2;

	if (m->mark != MARK_NONE)
		screen_put(s, row, 0, m->mark == MARK_DROP ? "D" : "K", 1, SCREEN_STRONG | (m->mark == MARK_DROP ? SCREEN_DROP : SCREEN_KEEP));
	column += screen_put(s, row, column, member_kind_name(m->kind), columns, m->kind == MEMBER_COPY ? SCREEN_DIM :
	                     m->kind == MEMBER_LINK ? SCREEN_DIM : SCREEN_WARN);
	if (m->disk != NULL)
		column += 1 + screen_put(s, row, column + 1, m->disk, columns - column - 1, SCREEN_DIM);
	view_add_path(v, &text, m->path);
	view_put_end(s, row, column + 1, buf_str(&text), columns - column - 1, SCREEN_PLAIN);
	buf_release(&text);
}

/* What is below the list: of the line under the cursor. */
static void
view_below(struct screen *s, const struct view *v, const struct view_rows *r, int row)
{
	const struct level_line *line;
	struct buf text = { 0 };
	unsigned look = SCREEN_PLAIN;
	char x[NUM_SHOW_MAX], y[NUM_SHOW_MAX];
	size_t shown = 0, name;

	if (v->lines.n == 0) {
		screen_put(s, row, 0, "  nothing of this directory is in the index", r->columns, SCREEN_DIM);
		return;
	}
	line = level_line(v->level, v->lines.at);
	name_show(&text, line->name, strlen(line->name));
	buf_adds(&text, line->dir != DIRTREE_NONE ? "/: " : ": ");
	name = text.len;
	if (line->dir != DIRTREE_NONE) {
		buf_addf(&text, "%s, %s of them with another copy%s", num_show_things(line->sum.files, "file", "files", x),
		         num_show_size(line->sum.duplicated, v->style->units, y),
		         line->sum.duplicated > 0 ? ": c shows where" : "");
		if (line->sum.duplicated > 0 && width_of(buf_str(&text)) > r->columns) {
			buf_cut(&text, name);
			buf_addf(&text, "c shows where %s have another copy", y);
		}
	} else if (v->look != NULL) {
		look = view_add_state(v->look, &text);
	} else {
		buf_adds(&text, "...");
	}
	/* The line under the cursor has the name; only this one tells what the file is now. */
	view_put_begin(s, row, 0, buf_str(&text) + (width_of(buf_str(&text)) > r->columns ? name : 0), r->columns, look | SCREEN_STRONG);
	for (size_t i = 0; v->look != NULL && line->dir == DIRTREE_NONE && i < v->look->a.n_members && (int)shown + 1 < r->below; i++, shown++) {
		if ((int)shown + 2 == r->below && i + 1 < v->look->a.n_members) {
			buf_cut(&text, 0);
			buf_addf(&text, "  and %s more: c shows them", num_show_count((int64_t)(v->look->a.n_members - i), x));
			screen_put(s, row + 1 + (int)shown, 0, buf_str(&text), r->columns, SCREEN_DIM);
			break;
		}
		view_member(s, v, &v->look->a.members[i], row + 1 + (int)shown, r->columns);
	}
	buf_release(&text);
}

static void
view_bottom(struct screen *s, const struct view *v, const struct view_rows *r)
{
	struct buf text = { 0 };
	const int row = r->all - 1;
	/* The hint may hide the end of what was not judged, but never an answer to a key. */
	const bool hint = v->typed == NULL && v->message == NULL && r->columns >= VIEW_COLUMNS_HINT;
	const int room = r->columns - (hint ? VIEW_HINT_ROOM : 2);
	int end = 1;

	if (v->typed != NULL) {
		buf_adds(&text, "find: ");
		name_show(&text, v->typed, strlen(v->typed));
	} else if (v->message != NULL) {
		name_show_message(&text, v->message, strlen(v->message));
	} else if (v->busy) {
		buf_adds(&text, "...");
	} else {
		if (v->gaps != NULL)
			name_show_message(&text, v->gaps, strlen(v->gaps));
		if (v->gaps == NULL || v->note != NULL)
			buf_addf(&text, "%s%s", v->gaps != NULL ? "; " : "", v->note != NULL ? v->note : "as of the last scan");
	}
	if (v->typed != NULL)
		end += screen_put(s, row, 1, buf_str(&text), room, SCREEN_PLAIN);
	else
		end += view_put_begin(s, row, 1, buf_str(&text), room, SCREEN_PLAIN);
	if (hint || (end + 20 < r->columns && v->typed == NULL))
		screen_put(s, row, r->columns - 1 - (int)strlen(VIEW_HINT), VIEW_HINT, (int)strlen(VIEW_HINT), SCREEN_PLAIN);
	screen_row(s, row, SCREEN_FRAME);
	screen_cursor(s, v->typed != NULL ? row : -1, end);
	buf_release(&text);
}

/* Put a line for a directory with copies. */
static void
view_place(struct screen *s, const struct view *v, const struct tree_place *p, int row, int columns)
{
	struct buf text = { 0 };
	char x[NUM_SHOW_MAX];
	const int column = view_put_right(s, row, 2, VIEW_SIZE + 4, num_show_things(p->files, "file", "files", x), SCREEN_PLAIN);

	view_add_path(v, &text, p->path);
	buf_adds(&text, p->direct ? "/ (directly in it)" : "/");
	view_put_end(s, row, column + 1, buf_str(&text), columns - column - 1, SCREEN_STRONG);
	buf_release(&text);
}

static void
view_list_of_copies(struct screen *s, const struct view *v, const struct view_rows *r)
{
	for (int i = 0; i < r->list && v->copies.first + (size_t)i < v->copies.n; i++) {
		const size_t at = v->copies.first + (size_t)i;

		if (v->places != NULL)
			view_place(s, v, &v->places->places.v[at], 1 + i, r->columns);
		else
			view_member(s, v, &v->look->a.members[at], 1 + i, r->columns);
		if (at == v->copies.at)
			screen_row(s, 1 + i, SCREEN_CURSOR);
	}
}

/* Append the help, broken between words. */
static void
view_help_fold(struct buf *b, int columns)
{
	const bool wide = columns >= VIEW_COLUMNS_HINT;

	for (size_t i = 0; i < sizeof(view_help) / sizeof(view_help[0]); i++) {
		const char *keys = view_help[i].keys;
		const int indent = keys == NULL ? VIEW_HELP_INDENT : wide ? VIEW_HELP_KEYS : 2 * VIEW_HELP_INDENT;
		struct buf text = { 0 };

		if (keys != NULL)
			buf_addf(&text, "%*s%-*s  ", VIEW_HELP_INDENT, "", wide ? VIEW_HELP_KEYS - VIEW_HELP_INDENT - 2 : 0, keys);
		else if (*view_help[i].text != '\0')
			buf_addf(&text, "%*s", VIEW_HELP_INDENT, "");
		buf_addf(&text, "%s\n", view_help[i].text);
		width_fold(b, buf_str(&text), indent, columns);
		buf_release(&text);
	}
}

static void
view_list_of_help(struct screen *s, struct view *v, const struct view_rows *r)
{
	struct buf help = { 0 };
	char *line, *end;

	view_help_fold(&help, r->columns);
	v->help.n = 0;
	for (const char *p = help.data; (p = strchr(p, '\n')) != NULL; p++)
		v->help.n++;
	view_scroll(&v->help, (size_t)r->list);
	line = help.data;
	for (size_t i = 0; i < v->help.n && i < v->help.first + (size_t)r->list; i++, line = end + 1) {
		end = strchr(line, '\n');
		*end = '\0';
		if (i >= v->help.first)
			screen_put(s, 1 + (int)(i - v->help.first), 0, line, r->columns, SCREEN_PLAIN);
	}
	buf_release(&help);
}

void
view_draw(struct screen *s, struct view *v)
{
	struct view_rows r;
	int row = 1;

	screen_clear(s);
	r = view_rows(s, v);
	v->lines.n = v->level != NULL ? v->level->n : 0;
	v->copies.n = v->places != NULL ? v->places->places.n : v->look != NULL ? v->look->a.n_members : 0;
	if (v->mode != VIEW_HELP)
		view_scroll(view_list(v), (size_t)r.list);
	view_title(s, v, &r);
	if (v->mode == VIEW_HELP) {
		view_list_of_help(s, v, &r);
	} else if (v->mode == VIEW_COPIES) {
		view_list_of_copies(s, v, &r);
	} else if (v->level != NULL) {
		const struct view_columns c = view_columns(v, &r);

		if (r.heads > 0)
			view_heads(s, v, &c);
		row += r.heads;
		for (int i = 0; i < r.list && v->lines.first + (size_t)i < v->lines.n; i++)
			view_line(s, v, &r, &c, v->lines.first + (size_t)i, row + i);
		if (r.below > 0)
			view_below(s, v, &r, row + r.list);
	}
	view_bottom(s, v, &r);
	screen_show(s);
}
