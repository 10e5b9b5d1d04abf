/* SPDX-License-Identifier: MIT */
/* files: one row for each name.  Those that were read are in the parts of their contents. */
#include "base/base.h"

#include "export/export_kind.h"
#include "index/rows.h"
#include "query/dirtree.h"
#include "sys/stop.h"

static const struct table_column export_files_columns[] = {
	{ "hash_hi", TABLE_INT64, true, false },
	{ "hash_lo", TABLE_INT64, true, false },
	{ "size", TABLE_INT64, false, false },
	{ "volume", TABLE_TEXT, false, true },
	{ "inode", TABLE_INT64, false, false },
	{ "mtime", TABLE_INT64, false, false },
	{ "lasting", TABLE_INT32, false, true },
	{ "dir", TABLE_TEXT, false, true },
	{ "name", TABLE_TEXT, false, false },
	{ "name_raw", TABLE_BYTES, true, false },
	EXPORT_ORIGIN_COLUMNS,
};

/* A row on its way; the bytes of its name follow. */
struct export_file {
	uint64_t hi, lo;
	int64_t size, volume, inode, mtime;
	uint32_t dir, name_len;
	bool read;
};

struct export_files_work {
	struct export_work *w;
	struct buckets buckets;
	struct table_file *unread;     /* the part of what was not read; or NULL */
	struct buf record, text;       /* in hand */
};

static int
export_files_cmp(const void *a, const void *b)
{
	const struct export_file *x = *(const struct export_file *const *)a, *y = *(const struct export_file *const *)b;

	ORDER_CMP(x->hi, y->hi);
	ORDER_CMP(x->lo, y->lo);
	ORDER_CMP(x->size, y->size);
	ORDER_CMP(x->dir, y->dir);
	/* They were added in the order of names. */
	ORDER_CMP(x, y);
	return 0;
}

static int
export_files_put(struct export_files_work *f, struct table_file *t, const struct export_file *row)
{
	const struct export_work *w = f->w;
	const char *name = (const char *)(row + 1);

	if (row->read) {
		table_file_int(t, (int64_t)row->hi);
		table_file_int(t, (int64_t)row->lo);
	} else {
		table_file_null(t);
		table_file_null(t);
	}
	table_file_int(t, row->size);
	export_put_volume(w, t, row->volume);
	table_file_int(t, row->inode);
	table_file_int(t, row->mtime);
	table_file_int(t, w->reasons[row->dir] == 0);
	buf_cut(&f->text, 0);
	dirtree_path(w->dirs, row->dir, &f->text);
	export_put_shown(t, buf_str(&f->text), f->text.len);
	buf_cut(&f->text, 0);
	name_show(&f->text, name, row->name_len);
	table_file_text(t, buf_str(&f->text), f->text.len);
	/* Twice only where the text is not the name. */
	if (f->text.len == row->name_len && memcmp(f->text.data, name, row->name_len) == 0)
		table_file_null(t);
	else
		table_file_text(t, name, row->name_len);
	export_put_origin(w, t);
	return table_file_end_row(t, w->err);
}

/* Put a row where it belongs. */
static int
export_files_add(struct export_files_work *f, uint32_t dir, const struct file_row *row)
{
	struct export_work *w = f->w;
	struct export_file file = {
		.size = row->size, .volume = row->inode.volume, .inode = row->inode.number, .mtime = row->mtime.sec,
		.dir = dir, .name_len = (uint32_t)row->name_len, .read = row->has_hash,
	};

	if (row->has_hash)
		export_halves(row->hash, &file.hi, &file.lo);
	buf_cut(&f->record, 0);
	buf_add(&f->record, &file, sizeof(file));
	buf_add(&f->record, row->name, row->name_len);
	while (f->record.len % sizeof(uint64_t) != 0)
		buf_addc(&f->record, '\0');
	if (row->has_hash)
		return buckets_add(&f->buckets, row->hash[0], f->record.data, f->record.len, w->err);
	if (f->unread == NULL && export_open(w, EXPORT_FILES, "b=none", export_files_columns, EXPORT_COUNT(export_files_columns), &f->unread) < 0)
		return -1;
	return export_files_put(f, f->unread, (const struct export_file *)(const void *)f->record.data);
}

/* Divide the files of all directories. */
static int
export_files_divide(struct export_files_work *f)
{
	const struct dirtree *t = f->w->dirs;
	int ret = 0;

	for (uint32_t dir = 0; ret == 0 && dir < dirtree_count(t); dir++) {
		struct rows rows = { 0 };

		if (dirtree_id(t, dir) == 0)
			continue;
		ret = rows_load(&rows, f->w->ix->db, dirtree_id(t, dir), f->w->err);
		for (size_t i = 0; ret == 0 && i < rows.n; i++)
			ret = export_files_add(f, dir, &rows.v[i]);
		if (ret == 0)
			ret = stop_check(f->w->err);
		rows_release(&rows);
	}
	return ret;
}

/* export_part_fn */
static int
export_files_part(void *arg, const char *part, struct buf *records, struct table_size *size)
{
	struct export_files_work *f = arg;
	VEC(const struct export_file *) rows = { 0 };
	struct table_file *t = NULL;
	int ret = 0;

	for (size_t at = 0; at < records->len;) {
		const struct export_file *row = (const struct export_file *)(const void *)(records->data + at);

		vec_push(&rows, row);
		at += (sizeof(*row) + row->name_len + sizeof(uint64_t) - 1) / sizeof(uint64_t) * sizeof(uint64_t);
	}
	qsort(rows.v, rows.n, sizeof(*rows.v), export_files_cmp);
	ret = export_open(f->w, EXPORT_FILES, part, export_files_columns, EXPORT_COUNT(export_files_columns), &t);
	for (size_t i = 0; ret == 0 && i < rows.n; i++)
		ret = export_files_put(f, t, rows.v[i]);
	if (ret == 0)
		ret = table_file_close(t, size, f->w->err);
	else
		table_file_drop(t);
	vec_release(&rows);
	return ret;
}

int
export_files(struct export_work *w, struct table_size *size)
{
	struct export_files_work f = { .w = w };
	int ret;

	buckets_open(&f.buckets, w->staging.dir);
	ret = export_files_divide(&f);
	if (ret == 0 && f.unread != NULL)
		ret = table_file_close(f.unread, size, w->err);
	else
		table_file_drop(f.unread);
	if (ret == 0)
		ret = export_parts(w, &f.buckets, export_files_part, &f, size);
	buckets_release(&f.buckets);
	buf_release(&f.record);
	buf_release(&f.text);
	return ret;
}
