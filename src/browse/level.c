/* SPDX-License-Identifier: MIT */
#include <config.h>

#include "browse/level.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "base/buf.h"
#include "base/mem.h"
#include "base/name.h"
#include "base/order.h"
#include "base/path.h"
#include "db/stmt.h"
#include "index/index.h"
#include "query/dirtree.h"
#include "sys/stop.h"

/* Whether another inode has a file's content, as indexed.  Returns 1, 0 or -1. */
static int
level_has_copy(struct index *ix, const struct file_row *row, struct err *err)
{
	struct stmt st;

	if (!row->has_hash || row->size <= 0)
		return 0;
	st = stmt_get(ix->db, SQL_FILE_CONTENT_OTHER, err);
	stmt_int(&st, ":size", row->size);
	stmt_blob(&st, ":hash", row->hash, HASH_SIZE);
	stmt_int(&st, ":volume", row->inode.volume);
	stmt_int(&st, ":inode", row->inode.number);
	return stmt_truth(&st);
}

static int
level_add_file(struct level *l, struct index *ix, const struct file_row *row, struct buf *path, struct err *err)
{
	const int64_t size = row->size > 0 ? row->size : 0;
	struct level_line line = { .name = row->name, .dir = DIRTREE_NONE, .sum = { .files = 1, .bytes = size } };
	const int copy = level_has_copy(ix, row, err);
	struct mark mark;
	int marked = 0;

	if (copy == 1) {
		line.sum.duplicated = size;
		line.sum.redundant = row->nlink > 1 ? 0 : size;
	}
	if (copy >= 0 && ix->marks) {
		const size_t len = path->len;

		path_append(path, row->name, row->name_len);
		marked = mark_get(ix, buf_str(path), &mark, err);
		buf_cut(path, len);
	}
	if (marked == 1) {
		line.mark = mark.decision;
		line.sum.marked = mark.decision == MARK_DROP && row->nlink <= 1 ? size : 0;
	}
	vec_push(&l->lines, line);
	return copy < 0 || marked < 0 ? -1 : stop_check(err);
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
		vec_push(&l->lines, ((struct level_line){ .name = arena_str(&l->names, dirtree_name(dirs, in)), .dir = in, .sum = usage_below(u, in) }));
	/* Directories above all roots have no files. */
	if (dirtree_id(dirs, dir) != 0)
		ret = rows_load(&l->rows, ix->db, dirtree_id(dirs, dir), err);
	for (size_t i = 0; ret == 0 && i < l->rows.n; i++)
		ret = level_add_file(l, ix, &l->rows.v[i], &path, err);
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
	rows_release(&l->rows);
	arena_release(&l->names);
	free(l->path);
	free(l);
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

struct level_by {
	enum level_sort sort;
	bool reverse;
};

static int
level_cmp(const void *a, const void *b, void *arg)
{
	const struct level_line *x = a, *y = b;
	const struct level_by *by = arg;
	int cmp = 0;

	if (by->sort != LEVEL_NAME)
		cmp = (level_value(x, by->sort) < level_value(y, by->sort)) - (level_value(x, by->sort) > level_value(y, by->sort));
	else
		cmp = (x->dir == DIRTREE_NONE) - (y->dir == DIRTREE_NONE);
	if (cmp == 0 && by->sort != LEVEL_NAME)
		cmp = (x->sum.bytes < y->sum.bytes) - (x->sum.bytes > y->sum.bytes);
	if (cmp == 0)
		cmp = strcmp(x->name, y->name);
	return by->reverse ? -cmp : cmp;
}

void
level_order(struct level *l, enum level_sort sort, bool reverse)
{
	struct level_by by = { sort, reverse };

	if (l->lines.n > 1)
		order_sort_by(l->lines.v, l->lines.n, sizeof(*l->lines.v), level_cmp, &by);
}

size_t
level_find(const struct level *l, const char *text, size_t from)
{
	struct buf want = { 0 }, name = { 0 };
	size_t found = SIZE_MAX;

	name_fold(&want, text, strlen(text));
	for (size_t i = 0; i < l->lines.n && found == SIZE_MAX; i++) {
		const size_t at = (from + 1 + i) % l->lines.n;

		buf_cut(&name, 0);
		name_fold(&name, l->lines.v[at].name, strlen(l->lines.v[at].name));
		if (strstr(buf_str(&name), buf_str(&want)) != NULL)
			found = at;
	}
	buf_release(&want);
	buf_release(&name);
	return found;
}

size_t
level_named(const struct level *l, const char *name)
{
	for (size_t i = 0; i < l->lines.n; i++) {
		if (strcmp(l->lines.v[i].name, name) == 0)
			return i;
	}
	return SIZE_MAX;
}

void
level_path(const struct level *l, size_t line, struct buf *path)
{
	assert(line < l->lines.n);
	buf_adds(path, l->path);
	path_append(path, l->lines.v[line].name, strlen(l->lines.v[line].name));
}
