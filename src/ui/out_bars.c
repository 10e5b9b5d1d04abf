/* SPDX-License-Identifier: MIT */
/*
 * out_bars - directories with what lies below them, for people: a line each,
 * in columns, with a bar if they are not a tree.  The name comes last and is
 * never cut, but where the answer says so; the bar takes what is left of a
 * terminal's line, and is left out where that is less than BARS_MIN columns.
 */
#include "base/base.h"

#include "query/answer.h"
#include "ui/out_format.h"
#include "ui/out_put.h"
#include "ui/width.h"

/* Columns of a line where the terminal does not tell, of a bar, and where lines are paths. */
enum { BARS_LINE = 80, BARS_MIN = 8, BARS_MAX = 40, BARS_PATHS_MAX = OUT_PUT_BAR };

/* The least columns of a name that is cut. */
enum { BARS_NAME = 24 };

/* Columns of a number; two blanks follow. */
enum { BARS_NUMBER = 4 };

static const char heads[5][12] = { "size", "redundant", "duplicated", "marked", "grown" };

/* The columns of a listing. */
struct bars {
	struct out *o;
	size_t grown;                   /* width; 0: no such column, else only this and the size */
	size_t size, redundant, share;  /* widths; without room for it the share is 0 */
	size_t marked;                  /* the same; 0: no such column */
	size_t bar;                     /* 0: none */
	size_t name;                    /* most columns of a name; 0: it is never cut */
	int64_t most;                   /* what a full bar stands for */
	int64_t n;                      /* lines with a number so far */
	const struct dirs_answer *all;
};

/* The columns that text takes, if each character takes one. */
static size_t
bars_width(const char *text, size_t len)
{
	size_t n = 0;

	for (size_t i = 0; i < len; i++)
		n += ((unsigned char)text[i] & 0xc0) != 0x80;
	return n;
}

/* A number with its sign: "+1.2 GiB". */
static const char *
bars_signed(int64_t n, enum num_units units, char text[NUM_SHOW_MAX + 1])
{
	text[0] = n < 0 ? '-' : '+';
	num_show_size(n < 0 ? num_sub(0, n) : n, units, text + (n != 0));
	return text;
}

/* What a bar stands for. */
static int64_t
bars_of(const struct dirs_answer *all, const struct dir_answer *d)
{
	return !all->grown ? (all->by_redundant ? d->redundant : d->bytes) : d->grown < 0 ? num_sub(0, d->grown) : d->grown;
}

static void
bars_widen(size_t *width, const char *text)
{
	if (*width < strlen(text))
		*width = strlen(text);
}

static void
bars_fit(struct bars *bars, const struct dir_answer *d)
{
	const enum num_units units = bars->o->style.units;
	char text[NUM_SHOW_MAX + 1];

	bars_widen(&bars->size, num_show_size(d->bytes, units, text));
	if (bars->grown > 0) {
		bars_widen(&bars->grown, bars_signed(d->grown, units, text));
		return;
	}
	bars_widen(&bars->redundant, num_show_size(d->redundant, units, text));
	if (bars->share > 0)
		bars_widen(&bars->share, num_show_share(d->duplicated, d->bytes, text));
	if (bars->marked > 0)
		bars_widen(&bars->marked, num_show_size(d->marked, units, text));
}

/* Append the name of a line, or its path. */
static void
bars_name(const struct bars *bars, struct buf *b, const struct dir_answer *d, bool path)
{
	if (d->kind == DIR_FILES && !path) {
		buf_adds(b, "./");
		return;
	}
	if (path)
		out_put_path(bars->o, b, d->path);
	else
		out_put_shown(bars->o, b, path_base(d->path));
	if (strcmp(d->path, "/") != 0)
		buf_addc(b, '/');
	if (d->kind == DIR_FILES)
		buf_addc(b, '.');
}

/* The columns before the name of a line, without a number and a bar. */
static size_t
bars_used(const struct bars *bars)
{
	return bars->size + 2 + (bars->grown > 0 ? bars->grown + 2 : bars->redundant + 2) + (bars->share > 0 ? bars->share + 2 : 0) + (bars->marked > 0 ? bars->marked + 2 : 0);
}

static void
bars_column(const struct bars *bars, const char *text, size_t width)
{
	out_put_blanks(bars->o, width - strlen(text));
	buf_adds(&bars->o->text, text);
	out_put_blanks(bars->o, 2);
}

/* Append a number where lines have them; 0: blanks. */
static void
bars_number(const struct bars *bars, int64_t n)
{
	if (bars->o->style.numbers && n > 0)
		buf_addf(&bars->o->text, "%*" PRId64 "  ", BARS_NUMBER, n);
	else if (bars->o->style.numbers)
		out_put_blanks(bars->o, BARS_NUMBER + 2);
}

/* Append the columns before the name. */
static void
bars_columns(const struct bars *bars, const struct dir_answer *d, bool bar)
{
	const enum num_units units = bars->o->style.units;
	char text[NUM_SHOW_MAX + 1];

	bars_column(bars, bars->grown > 0 ? bars_signed(d->grown, units, text) : num_show_size(d->bytes, units, text),
	            bars->grown > 0 ? bars->grown : bars->size);
	if (bars->bar > 0 && bar)
		out_put_bar(bars->o, bars_of(bars->all, d), bars->most, bars->bar);
	else if (bars->bar > 0)
		out_put_blanks(bars->o, bars->bar + 2);
	if (bars->grown > 0) {
		bars_column(bars, num_show_size(d->bytes, units, text), bars->size);
		return;
	}
	bars_column(bars, num_show_size(d->redundant, units, text), bars->redundant);
	if (bars->share > 0)
		bars_column(bars, num_show_share(d->duplicated, d->bytes, text), bars->share);
	if (bars->marked > 0)
		bars_column(bars, num_show_size(d->marked, units, text), bars->marked);
}

static void
bars_head(const struct bars *bars)
{
	struct buf *b = &bars->o->text;

	if (bars->o->style.color)
		buf_adds(b, "\033[2m");
	bars_number(bars, 0);
	bars_column(bars, heads[bars->grown > 0 ? 4 : 0], bars->grown > 0 ? bars->grown : bars->size);
	if (bars->bar > 0)
		out_put_blanks(bars->o, bars->bar + 2);
	bars_column(bars, heads[bars->grown > 0 ? 0 : 1], bars->grown > 0 ? bars->size : bars->redundant);
	if (bars->share > 0)
		bars_column(bars, heads[2], bars->share);
	if (bars->marked > 0)
		bars_column(bars, heads[3], bars->marked);
	buf_cut(b, b->len - 2);
	buf_adds(b, bars->o->style.color ? "\033[0m\n" : "\n");
}

/*
 * Append the line that counts what is not listed.  It has no sizes: files with several names would
 * be counted in several of its directories.
 */
static void
bars_rest(const struct bars *bars, const struct dirs_answer *all, const struct dir_answer *d)
{
	struct buf *b = &bars->o->text;
	char text[NUM_SHOW_MAX];

	bars_number(bars, 0);
	out_put_blanks(bars->o, bars_used(bars) + (bars->bar > 0 ? bars->bar + 2 : 0));
	if (all->tree)
		out_put_blanks(bars->o, (size_t)d->depth * 2);
	buf_addf(b, "%s %s more%s%s\n", bars->o->style.utf8 ? "…" : "...", num_show_count(d->files, text), all->more != NULL ? " " : "",
	         all->more != NULL ? all->more : "");
}

static void
bars_line(struct bars *bars, const struct dirs_answer *all, const struct dir_answer *d)
{
	struct buf name = { 0 };

	if (d->kind == DIR_REST) {
		bars_rest(bars, all, d);
		return;
	}
	/* The files directly there are no place: its number would mean all that lies below, too. */
	bars_number(bars, d->kind == DIR_WHOLE ? ++bars->n : 0);
	bars_columns(bars, d, true);
	if (all->tree)
		out_put_blanks(bars->o, (size_t)d->depth * 2);
	out_put_name_begin(bars->o, d->path, true);
	bars_name(bars, bars->name > 0 ? &name : &bars->o->text, d, all->paths);
	if (bars->name > 0)
		width_cut_middle(&bars->o->text, buf_str(&name), (int)bars->name);
	buf_release(&name);
	out_put_name_end(bars->o, d->path, true);
	buf_addc(&bars->o->text, '\n');
	out_put_flow(bars->o);
}

static void
bars_total(const struct bars *bars, const struct dirs_answer *d)
{
	bars_number(bars, 0);
	bars_columns(bars, &d->total, false);
	out_put_name_begin(bars->o, d->total.path, true);
	bars_name(bars, &bars->o->text, &d->total, true);
	out_put_name_end(bars->o, d->total.path, true);
	buf_addc(&bars->o->text, '\n');
}

/* Choose the widths of columns. */
static void
bars_layout(struct bars *bars, const struct dirs_answer *d)
{
	const size_t line = bars->o->style.width > 0 ? (size_t)bars->o->style.width : BARS_LINE;
	const size_t most = d->paths ? BARS_PATHS_MAX : BARS_MAX;
	struct buf name = { 0 };
	size_t used, longest = 0;

	bars->marked = d->marks && d->total.marked > 0 ? strlen(heads[3]) : 0;
	bars_fit(bars, &d->total);
	for (size_t i = 0; i < d->n; i++) {
		const struct dir_answer *a = &d->v[i];
		const int64_t n = bars_of(d, a);

		if (a->kind == DIR_REST)
			continue;
		bars_fit(bars, a);
		buf_cut(&name, 0);
		bars_name(bars, &name, a, d->paths);
		if (longest < bars_width(buf_str(&name), name.len))
			longest = bars_width(buf_str(&name), name.len);
		if (bars->most < n)
			bars->most = n;
	}
	buf_release(&name);
	if (d->tree || d->n == 0)
		return;
	used = (bars->o->style.numbers ? BARS_NUMBER + 2 : 0) + bars_used(bars);
	if (d->cut && used + longest > line && used + BARS_NAME > line && bars->share > 0) {
		used -= bars->share + 2;
		bars->share = 0;
	}
	if (d->cut && used + longest > line)
		bars->name = longest = line > used ? line - used : 1;
	used += 2 + longest;
	/* Lines without a bar may fit where those with a short one would wrap. */
	bars->bar = used + BARS_MIN > line ? 0 : line - used > most ? most : line - used;
}

void
out_bars(struct out *o, const void *record)
{
	const struct dirs_answer *d = record;
	struct bars bars = { .o = o, .all = d, .size = strlen(heads[0]), .redundant = strlen(heads[1]),
	                     .share = d->grown ? 0 : strlen(heads[2]), .grown = d->grown ? strlen(heads[4]) : 0 };

	bars_layout(&bars, d);
	bars_head(&bars);
	if (d->tree)
		bars_total(&bars, d);
	for (size_t i = 0; i < d->n; i++)
		bars_line(&bars, d, &d->v[i]);
	if (!d->tree && !d->paths)
		bars_total(&bars, d);
}
