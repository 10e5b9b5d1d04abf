/* SPDX-License-Identifier: MIT */
/*
 * out_columns - text for people: one directory, its names in as many columns as the terminal has
 * room for.
 *
 *	  music/     d a.jpg    u notes.txt
 *	? new/       d b.jpg    ! private
 *
 * The columns depend on all names, so nothing is printed before the end.
 * They are filled from top to bottom, subdirectories first.  Names are
 * escaped always, be it for a terminal or not: a newline would tear the
 * columns apart.
 */
#include "base/base.h"

#include "query/answer.h"
#include "ui/out_format.h"
#include "ui/out_put.h"
#include "ui/width.h"

enum { DEFAULT_WIDTH = 80, GAP = 2, MAX_COLUMNS = 128 };

static const char state_marks[STATE_COUNT] = {
	[STATE_DUP] = 'd',
	[STATE_UNIQUE] = 'u',
	[STATE_LINKED] = 'l',
	[STATE_EMPTY] = 'e',
	[STATE_SKIPPED] = 's',
	[STATE_UNREADABLE] = '!',
	[STATE_CHANGED] = '~',
	[STATE_GONE] = 'x',
	[STATE_UNKNOWN] = '?',
};

/* A name in the listing. */
struct cell {
	size_t at;           /* in names: the name, a NUL, what is shown of it, a NUL */
	const char *name;    /* valid at the end */
	size_t width;        /* of what is shown, with its number and mark */
	const char *color;   /* of the mark, or NULL */
	char mark;
	int64_t number;      /* from 1; 0: a directory, which has none */
	enum mark_decision decision;
};

struct out_columns {
	VEC(struct cell) dirs, files;
	struct buf names;
};

static void
columns_begin(struct out *o)
{
	o->columns = mem_zalloc(1, sizeof(*o->columns));
}

static void
columns_release(struct out *o)
{
	if (o->columns == NULL)
		return;
	vec_release(&o->columns->dirs);
	vec_release(&o->columns->files);
	buf_release(&o->columns->names);
	free(o->columns);
}

static struct cell
make_cell(struct out *o, const char *path, char mark, const char *color, int64_t number)
{
	struct buf *names = &o->columns->names;
	struct cell cell = { .at = names->len, .mark = mark, .color = color, .number = number };
	const char *name = out_put_cut(o, path);
	size_t len, shown;

	/* The name below the listed directory; a listed file's own name. */
	if (name == path)
		name = path_base(path);
	else if (*name == '/')
		name++;
	len = strlen(name);
	shown = names->len + len + 1;
	buf_add(names, name, len + 1);
	name_show(names, name, len);
	if (number == 0)
		buf_addc(names, '/');
	buf_addc(names, '\0');
	cell.width = 2 + (size_t)width_of(names->data + shown);
	return cell;
}

static void
columns_file(struct out *o, const void *record)
{
	const struct file_answer *f = record;
	struct cell cell = make_cell(o, f->path, state_marks[f->state], out_put_state_colors[f->state], o->n + 1);

	cell.decision = f->mark;
	if (f->mark != MARK_NONE)
		cell.width += strlen(" []") + strlen(mark_name(f->mark));
	vec_push(&o->columns->files, cell);
}

static void
columns_dir(struct out *o, const void *record)
{
	const struct subdir_answer *d = record;
	const enum file_state look = out_put_dir_looks[d->state];

	if (d->state == DIR_INDEXED)
		vec_push(&o->columns->dirs, make_cell(o, d->path, ' ', NULL, 0));
	else
		vec_push(&o->columns->dirs, make_cell(o, d->path, state_marks[look], out_put_state_colors[look], 0));
}

static int
cmp_names(const void *a, const void *b)
{
	return strcmp(((const struct cell *)a)->name, ((const struct cell *)b)->name);
}

/* A layout that is tried: n cells in rows rows. */
struct grid {
	const struct cell *v;
	size_t n, rows;
	size_t widths[MAX_COLUMNS];
};

/*
 * Find the widths of the columns.  Returns whether all fit into width with a column to spare: a
 * line that is filled to its end wraps on some terminals.
 */
static bool
grid_fits(struct grid *g, size_t width)
{
	size_t sum = 0;

	for (size_t i = 0; i < g->n; i++) {
		size_t *column = &g->widths[i / g->rows];

		if (i % g->rows == 0) {
			sum += i > 0 ? GAP : 0;
			*column = 0;
		}
		if (g->v[i].width > *column) {
			sum += g->v[i].width - *column;
			*column = g->v[i].width;
		}
		if (sum >= width)
			return false;
	}
	return true;
}

/* Choose the layout with the fewest rows; one column always fits. */
static void
grid_choose(struct grid *g, size_t width)
{
	for (size_t columns = g->n < MAX_COLUMNS ? g->n : MAX_COLUMNS; columns > 1; columns--) {
		g->rows = (g->n + columns - 1) / columns;
		if (grid_fits(g, width))
			return;
	}
	g->rows = g->n;
	g->widths[0] = 0;
}

static void
add_cell(struct out *o, const struct cell *cell, int number_width)
{
	const char mark[] = { cell->mark, '\0' }, *at;
	struct buf path = { 0 };

	if (number_width > 0 && cell->number == 0)
		out_put_blanks(o, (size_t)number_width + 1);
	else if (number_width > 0)
		buf_addf(&o->text, "%*" PRId64 " ", number_width, cell->number);
	out_put_word(o, mark, cell->color);
	buf_addc(&o->text, ' ');
	if (*cell->name != '/') {
		buf_adds(&path, o->style.cut);
		path_append(&path, cell->name, strlen(cell->name));
	}
	at = path.len > 0 ? buf_str(&path) : cell->name;
	out_put_name_begin(o, at, cell->number == 0);
	buf_adds(&o->text, cell->name + strlen(cell->name) + 1);
	out_put_name_end(o, at, cell->number == 0);
	buf_release(&path);
	out_put_mark(o, cell->decision);
}

static void
print_grid(struct out *o, const struct grid *g, int number_width)
{
	for (size_t row = 0; row < g->rows; row++) {
		for (size_t i = row; i < g->n; i += g->rows) {
			add_cell(o, &g->v[i], number_width);
			if (i + g->rows < g->n)
				out_put_blanks(o, g->widths[i / g->rows] + GAP - g->v[i].width);
		}
		buf_addc(&o->text, '\n');
		out_put_flow(o);
	}
}

static void
columns_end(struct out *o)
{
	struct out_columns *c = o->columns;
	const size_t n_dirs = c->dirs.n;
	const int number_width = o->style.numbers ? snprintf(NULL, 0, "%zu", c->files.n) : 0;
	struct grid grid = { .n = n_dirs + c->files.n };

	for (size_t i = 0; i < c->files.n; i++)
		vec_push(&c->dirs, c->files.v[i]);
	for (size_t i = 0; i < grid.n; i++) {
		c->dirs.v[i].name = c->names.data + c->dirs.v[i].at;
		if (number_width > 0)
			c->dirs.v[i].width += (size_t)number_width + 1;
	}
	/*
	 * Directories of the index came first, then those outside it: sort them.  Files are in
	 * the order that was asked for.
	 */
	if (n_dirs > 0)
		qsort(c->dirs.v, n_dirs, sizeof(*c->dirs.v), cmp_names);
	grid.v = c->dirs.v;
	grid_choose(&grid, o->style.width > 0 ? (size_t)o->style.width : DEFAULT_WIDTH);
	print_grid(o, &grid, number_width);
}

const struct out_format_ops out_columns_ops = {
	.begin = columns_begin,
	.record = columns_file,
	.dir = columns_dir,
	.end = columns_end,
	.release = columns_release,
};
