/* SPDX-License-Identifier: MIT */
#include "base/base.h"

#include "browse/level.h"

#include "db/stmt.h"
#include "index/index.h"
#include "query/dirtree.h"
#include "sys/stop.h"

/* Set the mark of a file: the bytes that its name alone frees count as marked. */
static void
level_set_mark(struct level_line *line, enum mark_decision mark)
{
	line->mark = mark;
	line->sum.marked = mark == MARK_DROP && !line->linked ? line->sum.bytes : 0;
}

static int
level_add_file(struct level *l, struct index *ix, const struct usage *u, const struct file_row *row, struct buf *path, struct err *err)
{
	struct level_line line = { .name = row->name, .dir = DIRTREE_NONE, .linked = row->nlink > 1, .sum = usage_file(u, row) };
	struct mark mark;
	int marked = 0;

	if (ix->marks) {
		const size_t len = path->len;

		path_append(path, row->name, row->name_len);
		marked = mark_get(ix, buf_str(path), &mark, err);
		buf_cut(path, len);
	}
	if (marked == 1)
		level_set_mark(&line, mark.decision);
	vec_push(&l->lines, line);
	return marked < 0 ? -1 : stop_check(err);
}

int
level_load(struct level **level, struct index *ix, const struct usage *u, uint32_t dir, struct err *err)
{
	const struct dirtree *dirs = usage_dirs(u);
	struct level *l = mem_zalloc(1, sizeof(*l));
	struct buf path = { 0 };
	int ret = 0;

	l->sum = usage_below(u, dir);
	dirtree_path(dirs, dir, &path);
	for (uint32_t in = dirtree_first(dirs, dir); in != DIRTREE_NONE; in = dirtree_next(dirs, in))
		vec_push(&l->lines, ((struct level_line){ .name = arena_str(&l->names, dirtree_name(dirs, in)), .dir = in,
		                                          .sum = usage_below(u, in) }));
	l->n_dirs = l->lines.n;
	/* Directories above all roots have no files. */
	if (dirtree_id(dirs, dir) != 0)
		ret = rows_load(&l->rows, ix->db, dirtree_id(dirs, dir), err);
	for (size_t i = 0; ret == 0 && i < l->rows.n; i++)
		ret = level_add_file(l, ix, u, &l->rows.v[i], &path, err);
	l->n = l->lines.n;
	for (size_t i = 0; i < l->n; i++)
		vec_push(&l->order, ((struct order){ .pos = i }));
	l->path = buf_take(&path);
	if (ret == 0)
		*level = l;
	else
		level_free(l);
	return ret;
}

void
level_free(struct level *l)
{
	if (l == NULL)
		return;
	vec_release(&l->lines);
	vec_release(&l->order);
	rows_release(&l->rows);
	arena_release(&l->names);
	free(l->path);
	free(l);
}

const struct level_line *
level_line(const struct level *l, size_t at)
{
	assert(at < l->n);
	return &l->lines.v[l->order.v[at].pos];
}

int64_t
level_value(const struct level_line *line, enum level_sort sort)
{
	switch (sort) {
	case LEVEL_REDUNDANT:
		return line->sum.redundant;
	case LEVEL_MARKED:
		return line->sum.marked;
	case LEVEL_SHARE:
		return line->sum.bytes > 0 ? (int64_t)((double)line->sum.duplicated / (double)line->sum.bytes * 1000) : -1;
	case LEVEL_SIZE:
	case LEVEL_NAME:
		break;
	}
	return line->sum.bytes;
}

/* Put those with a greater value first; equal ones stay as they are. */
static void
level_order_by(struct level *l, enum level_sort sort)
{
	for (size_t i = 0; i < l->n; i++) {
		struct order *o = &l->order.v[i];

		/* As numbers without a sign, the greatest first. */
		o->key = ~((uint64_t)level_value(&l->lines.v[o->pos], sort) ^ UINT64_C(1) << 63);
	}
	order_sort(l->order.v, l->n);
}

void
level_order(struct level *l, enum level_sort sort, bool reverse)
{
	for (size_t i = 0; i < l->n; i++)
		l->order.v[i].pos = i;
	if (sort != LEVEL_NAME) {
		level_order_by(l, LEVEL_SIZE);
		level_order_by(l, sort);
	}
	for (size_t i = 0; reverse && i < l->n / 2; i++) {
		const struct order first = l->order.v[i];

		l->order.v[i] = l->order.v[l->n - 1 - i];
		l->order.v[l->n - 1 - i] = first;
	}
}

size_t
level_find(const struct level *l, const char *text, size_t from)
{
	struct buf want = { 0 }, name = { 0 };
	size_t found = SIZE_MAX;

	name_fold(&want, text, strlen(text));
	for (size_t i = 0; i < l->n && found == SIZE_MAX; i++) {
		const size_t at = (from + 1 + i) % l->n;
		const char *shown = level_line(l, at)->name;

		buf_cut(&name, 0);
		name_fold(&name, shown, strlen(shown));
		if (strstr(buf_str(&name), buf_str(&want)) != NULL)
			found = at;
	}
	buf_release(&want);
	buf_release(&name);
	return found;
}

/* The position of a name among n lines, or SIZE_MAX. */
static size_t
level_search(const struct level_line *lines, size_t n, const char *name)
{
	size_t at;

	ORDER_FIRST(at, n, strcmp(lines[at].name, name) < 0);
	return at < n && strcmp(lines[at].name, name) == 0 ? at : SIZE_MAX;
}

size_t
level_named(const struct level *l, const char *name)
{
	size_t pos = level_search(l->lines.v, l->n_dirs, name), at = 0;

	if (pos == SIZE_MAX) {
		pos = level_search(l->lines.v + l->n_dirs, l->n - l->n_dirs, name);
		if (pos == SIZE_MAX)
			return SIZE_MAX;
		pos += l->n_dirs;
	}
	while (l->order.v[at].pos != pos)
		at++;
	return at;
}

void
level_path(const struct level *l, size_t at, struct buf *path)
{
	const char *name = level_line(l, at)->name;

	buf_adds(path, l->path);
	path_append(path, name, strlen(name));
}

void
level_marks_add(struct level_marks *m, const char *name, enum mark_decision mark)
{
	vec_push(&m->files, ((struct level_mark){ arena_str(&m->names, name), mark }));
}

void
level_marks_sum(struct level_marks *m, const struct usage *u, uint32_t dir)
{
	const struct dirtree *dirs = usage_dirs(u);

	m->marked = usage_below(u, dir).marked;
	for (uint32_t in = dirtree_first(dirs, dir); in != DIRTREE_NONE; in = dirtree_next(dirs, in))
		vec_push(&m->dirs, usage_below(u, in).marked);
}

void
level_marks_release(struct level_marks *m)
{
	vec_release(&m->files);
	vec_release(&m->dirs);
	arena_release(&m->names);
}

void
level_take_marks(struct level *l, const struct level_marks *m)
{
	assert(m->dirs.n == l->n_dirs);
	l->sum.marked = m->marked;
	for (size_t i = 0; i < l->n_dirs; i++)
		l->lines.v[i].sum.marked = m->dirs.v[i];
	for (size_t i = 0; i < m->files.n; i++) {
		const size_t at = level_search(l->lines.v + l->n_dirs, l->n - l->n_dirs, m->files.v[i].name);

		if (at != SIZE_MAX)
			level_set_mark(&l->lines.v[l->n_dirs + at], m->files.v[i].mark);
	}
}
