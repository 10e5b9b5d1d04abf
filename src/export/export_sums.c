/* SPDX-License-Identifier: MIT */
/* sizes, and dirs: what du adds up. */
#include "base/base.h"

#include "db/stmt.h"
#include "export/export_kind.h"
#include "index/inode.h"
#include "query/dirtree.h"
#include "query/usage.h"
#include "sys/stop.h"

static const struct table_column export_sizes_columns[] = {
	{ "size", TABLE_INT64, false, false },
	{ "files", TABLE_INT64, false, true },
	{ "unread", TABLE_INT64, false, true },
	EXPORT_ORIGIN_COLUMNS,
};

static const struct table_column export_dirs_columns[] = {
	{ "dir", TABLE_TEXT, false, false },
	{ "parent", TABLE_TEXT, true, true },
	{ "files", TABLE_INT64, false, false },
	{ "bytes", TABLE_INT64, false, false },
	{ "duplicated", TABLE_INT64, false, false },
	{ "redundant", TABLE_INT64, false, false },
	EXPORT_ORIGIN_COLUMNS,
};

/* The inodes of one size after the other, from one of the indexes on contents. */
struct export_size {
	struct stmt st;
	int inode;           /* the column of the inode's number; its volume is the next one */
	int state;           /* of stmt_step(): 1: a row of the next size is there */
	int64_t size, n;     /* in hand; INT64_MAX and 0 behind the last */
};

/* Count the inodes of the next size: rows of one are together. */
static void
export_size_step(struct export_size *s)
{
	struct inode last = { 0 };

	s->size = s->state == 1 ? stmt_col_int(&s->st, 0) : INT64_MAX;
	s->n = 0;
	while (s->state == 1 && stmt_col_int(&s->st, 0) == s->size) {
		const struct inode inode = { .number = stmt_col_int(&s->st, s->inode), .volume = stmt_col_int(&s->st, s->inode + 1) };

		s->n += s->n == 0 || !inode_same(inode, last);
		last = inode;
		s->state = stmt_step(&s->st);
	}
}

int
export_sizes(struct export_work *w, struct table_size *size)
{
	struct export_size read = { .st = stmt_get(w->ix->db, SQL_FILE_CONTENTS, w->err), .inode = 2 };
	struct export_size unread = { .st = stmt_get(w->ix->db, SQL_EXPORT_UNREAD, w->err), .inode = 1 };
	struct table_file *t;
	int ret = export_open(w, EXPORT_SIZES, NULL, export_sizes_columns, EXPORT_COUNT(export_sizes_columns), &t);

	stmt_int(&read.st, ":min_size", 1);
	read.state = stmt_step(&read.st);
	unread.state = stmt_step(&unread.st);
	export_size_step(&read);
	export_size_step(&unread);
	while (ret == 0 && (read.n > 0 || unread.n > 0)) {
		const int64_t least = read.size < unread.size ? read.size : unread.size;
		const int64_t not_read = unread.size == least ? unread.n : 0;

		table_file_int(t, least);
		table_file_int(t, (read.size == least ? read.n : 0) + not_read);
		table_file_int(t, not_read);
		export_put_origin(w, t);
		ret = table_file_end_row(t, w->err) < 0 ? -1 : stop_check(w->err);
		if (read.size == least)
			export_size_step(&read);
		if (not_read > 0)
			export_size_step(&unread);
	}
	stmt_done(&read.st);
	stmt_done(&unread.st);
	if (ret == 0 && read.state == 0 && unread.state == 0)
		return table_file_close(t, size, w->err);
	table_file_drop(t);
	return -1;
}

/* Write the row of a directory. */
static int
export_dirs_put(const struct export_work *w, struct table_file *t, const struct usage *u, uint32_t dir, struct buf *text)
{
	const struct dirtree *dirs = usage_dirs(u);
	const struct usage_sum sum = usage_below(u, dir);
	const uint32_t up = dirtree_parent(dirs, dir);

	buf_cut(text, 0);
	dirtree_path(dirs, dir, text);
	export_put_shown(t, buf_str(text), text->len);
	if (up == dir || dirtree_id(dirs, up) == 0)
		table_file_null(t);
	else {
		buf_cut(text, 0);
		dirtree_path(dirs, up, text);
		export_put_shown(t, buf_str(text), text->len);
	}
	table_file_int(t, sum.files);
	table_file_int(t, sum.bytes);
	table_file_int(t, sum.duplicated);
	table_file_int(t, sum.redundant);
	export_put_origin(w, t);
	return table_file_end_row(t, w->err);
}

int
export_dirs(struct export_work *w, struct table_size *size)
{
	const struct usage_query q = { .asked = NULL };
	struct table_file *t = NULL;
	struct usage *u = NULL;
	struct buf text = { 0 };
	int ret = usage_load(&u, w->ix, &q, w->err);

	if (ret == 0)
		ret = export_open(w, EXPORT_DIRS, NULL, export_dirs_columns, EXPORT_COUNT(export_dirs_columns), &t);
	for (uint32_t dir = 0; ret == 0 && dir < dirtree_count(usage_dirs(u)); dir++) {
		if (dirtree_id(usage_dirs(u), dir) != 0)
			ret = export_dirs_put(w, t, u, dir, &text);
		if (ret == 0)
			ret = stop_check(w->err);
	}
	if (ret == 0)
		ret = table_file_close(t, size, w->err);
	else
		table_file_drop(t);
	usage_free(u);
	buf_release(&text);
	return ret;
}
