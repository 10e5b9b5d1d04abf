/* SPDX-License-Identifier: MIT */
/*
 * keys: one row for each content and volume.  Contents come by size, and are wanted by hash: they
 * are divided first, and each part is sorted.
 */
#include "base/base.h"

#include "export/buckets.h"
#include "export/export_kind.h"
#include "query/content_walk.h"
#include "query/dirtree.h"
#include "sys/stop.h"

static const struct table_column export_keys_columns[] = {
	{ "hash_hi", TABLE_INT64, false, false },
	{ "hash_lo", TABLE_INT64, false, false },
	{ "size", TABLE_INT64, false, false },
	{ "volume", TABLE_TEXT, false, true },
	{ "inodes", TABLE_INT32, false, true },
	{ "names", TABLE_INT32, false, true },
	{ "lasting", TABLE_INT32, false, true },
	EXPORT_ORIGIN_COLUMNS,
};

/* A row on its way. */
struct export_key {
	uint64_t hi, lo;
	int64_t size, volume;
	int32_t inodes, names, lasting;
};

struct export_keys_work {
	struct export_work *w;
	struct buckets buckets;
	VEC(struct export_key) rows;   /* of the content in hand, by volume */
};

static int
export_keys_cmp(const void *a, const void *b)
{
	const struct export_key *x = a, *y = b;

	ORDER_CMP(x->hi, y->hi);
	ORDER_CMP(x->lo, y->lo);
	ORDER_CMP(x->size, y->size);
	ORDER_CMP(x->volume, y->volume);
	return 0;
}

/* The row of a volume, of the content in hand. */
static struct export_key *
export_keys_row(struct export_keys_work *k, const struct export_key *content, int64_t volume)
{
	for (size_t i = 0; i < k->rows.n; i++) {
		if (k->rows.v[i].volume == volume)
			return &k->rows.v[i];
	}
	vec_push(&k->rows, *content);
	k->rows.v[k->rows.n - 1].volume = volume;
	return &k->rows.v[k->rows.n - 1];
}

/* content_walk_fn: names of one inode are together. */
static int
export_keys_content(void *arg, const struct content_walk_content *c, const struct content_walk_name *names, struct err *err)
{
	struct export_keys_work *k = arg;
	struct export_key content = { .size = c->size };
	bool lasts = false;

	if (!c->has_hash || c->size == 0)
		return 0;
	for (size_t i = 0; i < 8; i++) {
		content.hi = content.hi << 8 | c->hash[i];
		content.lo = content.lo << 8 | c->hash[8 + i];
	}
	k->rows.n = 0;
	for (size_t i = 0; i < c->n; i++) {
		const bool new_inode = i == 0 || !inode_same(names[i - 1].inode, names[i].inode);
		struct export_key *row;

		/* Of an inode that has changed since, nobody knows the content. */
		if (names[i].link != NULL && names[i].link->overtaken)
			continue;
		row = export_keys_row(k, &content, names[i].inode.volume);
		lasts = lasts && !new_inode;
		row->names += row->names < INT32_MAX;
		row->inodes += new_inode && row->inodes < INT32_MAX;
		if (!lasts && k->w->reasons[names[i].dir] == 0) {
			row->lasting += row->lasting < INT32_MAX;
			lasts = true;
		}
	}
	for (size_t i = 0; i < k->rows.n; i++) {
		if (buckets_add(&k->buckets, c->hash[0], &k->rows.v[i], sizeof(*k->rows.v), err) < 0)
			return -1;
	}
	return stop_check(err);
}

static int
export_keys_put(const struct export_work *w, struct table_file *t, const struct export_key *row)
{
	table_file_int(t, (int64_t)row->hi);
	table_file_int(t, (int64_t)row->lo);
	table_file_int(t, row->size);
	export_put_volume(w, t, row->volume);
	table_file_int(t, row->inodes);
	table_file_int(t, row->names);
	table_file_int(t, row->lasting);
	export_put_origin(w, t);
	return table_file_end_row(t, w->err);
}

/* Sort a part, and write its file, if it has rows. */
static int
export_keys_part(struct export_work *w, int bucket, struct buf *records, struct table_size *size)
{
	const size_t n = records->len / sizeof(struct export_key);
	struct export_key *rows = (struct export_key *)(void *)records->data;
	struct table_file *t;
	char part[8];

	if (n == 0)
		return 0;
	qsort(rows, n, sizeof(*rows), export_keys_cmp);
	if (export_open(w, EXPORT_KEYS, export_part(bucket, part), export_keys_columns, EXPORT_COUNT(export_keys_columns), &t) < 0)
		return -1;
	for (size_t i = 0; i < n; i++) {
		if (export_keys_put(w, t, &rows[i]) < 0) {
			table_file_drop(t);
			return -1;
		}
	}
	return table_file_close(t, size, w->err);
}

int
export_keys(struct export_work *w, struct table_size *size)
{
	struct export_keys_work k = { .w = w };
	struct content_walk walk = { .ix = w->ix, .dirs = w->dirs, .read_only = true, .min_size = 1, .fn = export_keys_content, .arg = &k };
	struct buf records = { 0 };
	int ret;

	buckets_open(&k.buckets, w->staging.dir);
	ret = content_walk(&walk, w->err);
	content_walk_release(&walk);
	for (int i = 0; ret == 0 && i < BUCKETS; i++) {
		ret = buckets_read(&k.buckets, i, &records, w->err);
		if (ret == 0)
			ret = export_keys_part(w, i, &records, size);
		if (ret == 0)
			ret = stop_check(w->err);
	}
	buckets_release(&k.buckets);
	vec_release(&k.rows);
	buf_release(&records);
	return ret;
}
