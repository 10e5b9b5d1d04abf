/* SPDX-License-Identifier: MIT */
/*
 * keys: one row for each content and volume.  Contents come by size, and are wanted by hash: they
 * are divided first, and each part is sorted.
 */
#include "base/base.h"

#include "export/export_kind.h"
#include "query/content_walk.h"
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

/* content_walk_fn: names of one inode are together. */
static int
export_keys_content(void *arg, const struct content_walk_content *c, const struct content_walk_name *names, struct err *err)
{
	struct export_keys_work *k = arg;
	struct export_key content = { .size = c->size };
	bool lasts = false;

	if (!c->has_hash || c->size == 0)
		return 0;
	export_halves(c->hash, &content.hi, &content.lo);
	k->rows.n = 0;
	for (size_t i = 0; i < c->n; i++) {
		const bool new_inode = i == 0 || !inode_same(names[i - 1].inode, names[i].inode);
		struct export_key *row;
		size_t at = 0;

		/* Of an inode that has changed since, nobody knows the content. */
		if (names[i].link != NULL && names[i].link->overtaken)
			continue;
		content.volume = names[i].inode.volume;
		while (at < k->rows.n && k->rows.v[at].volume != content.volume)
			at++;
		if (at == k->rows.n)
			vec_push(&k->rows, content);
		row = &k->rows.v[at];
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

/* export_part_fn */
static int
export_keys_part(void *arg, const char *part, struct buf *records, struct table_size *size)
{
	const size_t n = records->len / sizeof(struct export_key);
	struct export_key *rows = (struct export_key *)(void *)records->data;
	struct export_work *w = arg;
	struct table_file *t;

	qsort(rows, n, sizeof(*rows), export_keys_cmp);
	if (export_open(w, EXPORT_KEYS, part, export_keys_columns, EXPORT_COUNT(export_keys_columns), &t) < 0)
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
	int ret;

	buckets_open(&k.buckets, w->staging.dir);
	ret = content_walk(&walk, w->err);
	content_walk_release(&walk);
	if (ret == 0)
		ret = export_parts(w, &k.buckets, export_keys_part, w, size);
	buckets_release(&k.buckets);
	vec_release(&k.rows);
	return ret;
}
