/* SPDX-License-Identifier: MIT */
/*
 * Hides how names get into order.  Each name waits in a record: its place, and its bytes.  Records
 * are sorted by eight bytes at once, those that agree in these by the next eight, and so on: equal
 * names stand side by side then, in the order in which they came.  A table to keep each name once
 * takes more memory than the repeated names, and no less time.
 *
 * Rows come by directories, so the places of a name ascend by themselves, but for those of
 * directories with that name, which come last.
 */
#include "base/base.h"

#include "index/name_build.h"

#include "base/varint.h"
#include "db/db.h"
#include "db/stmt.h"
#include "index/index.h"
#include "index/meta.h"
#include "index/name_index.h"
#include "sys/stop.h"

/* The largest number of a directory that has a place. */
#define NAME_BUILD_MOST (INT64_MAX / 8)
/* Bytes in which names are sorted by radix; those that agree in all of them are compared. */
#define NAME_BUILD_DEEP 1024

struct name_build {
	struct buf records;   /* place as a varint, name, NUL */
	size_t n;
	bool has_files;       /* the names of all rows of files were taken */
	bool unfit;           /* a row has what no scan writes */
	struct order *order;  /* owned; places of records, by their names */
	/* The block in work. */
	int64_t id;
	const char *first;    /* its first name */
	struct buf block;
	VEC(uint64_t) places; /* of the name in work */
	/* The lists of all blocks, which are written last: a pass over names reads blocks alone. */
	struct buf lists;
	VEC(size_t) ends;     /* of those of a block */
};

static void
name_build_release(struct name_build *b)
{
	buf_release(&b->records);
	free(b->order);
	buf_release(&b->block);
	vec_release(&b->places);
	buf_release(&b->lists);
	vec_release(&b->ends);
}

struct name_build *
name_build_new(void)
{
	return mem_zalloc(1, sizeof(struct name_build));
}

size_t
name_build_record(char *to, const char *text, size_t len, int64_t dir, bool is_dir)
{
	const size_t room = varint_put(to, (uint64_t)dir << 1 | is_dir);

	memmove(to + room, text, len);
	to[room + len] = '\0';
	return room + len + 1;
}

void
name_build_adopt(struct name_build *b, struct buf *records, size_t n)
{
	assert(b->n == 0);
	buf_release(&b->records);
	b->records = *records;
	*records = (struct buf){ 0 };
	b->n = n;
	b->has_files = true;
}

/* Take the name of a file in a directory, or of a directory itself. */
static void
name_build_take(struct name_build *b, const char *text, size_t len, int64_t dir, bool is_dir)
{
	b->unfit |= dir < 1 || dir > NAME_BUILD_MOST || memchr(text, '\0', len) != NULL;
	if (b->unfit)
		return;
	buf_reserve(&b->records, len + NAME_BUILD_ROOM);
	b->records.len += name_build_record(b->records.data + b->records.len, text, len, dir, is_dir);
	b->n++;
}

/* Called for each name of a row. */
typedef void name_build_fn(struct name_build *b, const char *text, size_t len, int64_t dir, bool is_dir);

/* Read the names of all rows of files. */
static int
name_build_read_files(struct name_build *b, struct db *db, name_build_fn *fn, struct err *err)
{
	struct stmt st = stmt_get(db, SQL_NAME_OF_FILES, err);
	int ret;

	while ((ret = stmt_step(&st)) == 1) {
		size_t len;
		const char *text = stmt_col_name(&st, 1, &len);

		fn(b, text, len, stmt_col_int(&st, 0), false);
		if (stop_check(err) < 0) {
			stmt_done(&st);
			return -1;
		}
	}
	return ret;
}

/* Read the names of all directories. */
static int
name_build_read_dirs(struct name_build *b, struct db *db, name_build_fn *fn, struct err *err)
{
	struct stmt st = stmt_get(db, SQL_NAME_OF_DIRS, err);
	int ret;

	while ((ret = stmt_step(&st)) == 1) {
		size_t len;
		const char *text = stmt_col_name(&st, 1, &len);
		const int64_t parent = stmt_col_int(&st, 3);

		/* One that was moved aside has no name. */
		if (parent < 0)
			continue;
		if (parent == 0) {
			text = path_base(text);
			len = strlen(text);
		}
		fn(b, text, len, stmt_col_int(&st, 0), true);
	}
	return ret;
}

/* The name in the record at a place. */
static const char *
name_build_text(const struct name_build *b, size_t at)
{
	while ((b->records.data[at++] & 0x80) != 0)
		continue;
	return b->records.data + at;
}

/* The eight bytes of a name from depth on, before which it does not end. */
static uint64_t
name_build_key(const char *text, size_t depth)
{
	const unsigned char *at = (const unsigned char *)text + depth;
	uint64_t key = 0;
	int left = sizeof(key);

	for (; left > 0 && *at != '\0'; left--)
		key = key << 8 | *at++;
	return left == (int)sizeof(key) ? 0 : key << 8 * left;
}

/* order_sort_by's comparison of names. */
static int
name_build_cmp(const void *x, const void *y, void *arg)
{
	const struct order *a = x, *b = y;
	const int cmp = strcmp(name_build_text(arg, a->pos), name_build_text(arg, b->pos));

	return cmp != 0 ? cmp : (a->pos > b->pos) - (a->pos < b->pos);
}

/* Sort records whose names agree in their first depth bytes. */
static void
name_build_sort(struct name_build *b, struct order *v, size_t n, size_t depth)
{
	if (depth >= NAME_BUILD_DEEP) {
		order_sort_by(v, n, sizeof(*v), name_build_cmp, b);
		return;
	}
	for (size_t i = 0; i < n; i++)
		v[i].key = name_build_key(name_build_text(b, v[i].pos), depth);
	order_sort(v, n);
	for (size_t from = 0, to; from < n; from = to) {
		const uint64_t key = v[from].key;

		for (to = from + 1; to < n && v[to].key == key; to++)
			continue;
		/* Names that end here are equal. */
		if (to - from > 1 && (key & 0xff) != 0)
			name_build_sort(b, v + from, to - from, depth + sizeof(key));
	}
}

/* Put all records in the order of their names. */
static void
name_build_order(struct name_build *b)
{
	size_t at = 0;

	b->order = mem_alloc((b->n + 1) * sizeof(*b->order));
	for (size_t i = 0; i < b->n; i++) {
		const char *text = name_build_text(b, at);

		b->order[i].pos = at;
		at = (size_t)(text - b->records.data) + strlen(text) + 1;
	}
	assert(at == b->records.len);
	name_build_sort(b, b->order, b->n, 0);
}

/* Write the block in work.  Nothing stops it: what a signal leaves is committed. */
static int
name_build_put_block(struct name_build *b, struct db *db, struct err *err)
{
	struct stmt st;
	int ret;

	if (b->block.len == 0)
		return 0;
	st = stmt_get(db, SQL_NAME_BLOCK_PUT, err);
	b->id++;
	stmt_int(&st, ":id", b->id);
	stmt_blob(&st, ":first", b->first, strlen(b->first));
	stmt_blob(&st, ":names", b->block.data, b->block.len);
	vec_push(&b->ends, b->lists.len);
	ret = stmt_run(&st);
	buf_cut(&b->block, 0);
	return ret;
}

/* Write the places of all blocks. */
static int
name_build_put_places(struct name_build *b, struct db *db, struct err *err)
{
	size_t from = 0;

	for (size_t i = 0; i < b->ends.n; i++) {
		struct stmt st = stmt_get(db, SQL_NAME_PLACE_PUT, err);

		stmt_int(&st, ":id", (int64_t)i + 1);
		stmt_blob(&st, ":places", b->lists.data + from, b->ends.v[i] - from);
		if (stmt_run(&st) < 0)
			return -1;
		from = b->ends.v[i];
	}
	return 0;
}

/* Append the places of the name of these records, in order, to the block in work. */
static void
name_build_list(struct name_build *b, const struct order *v, size_t n)
{
	uint64_t last = 0;
	bool sorted = true;

	b->places.n = 0;
	for (size_t i = 0; i < n; i++) {
		const unsigned char *at = (const unsigned char *)b->records.data + v[i].pos;
		uint64_t place;

		(void)varint_read(&at, (const unsigned char *)b->records.data + b->records.len, &place);
		sorted &= place >= last;
		last = place;
		vec_push(&b->places, place);
	}
	if (!sorted)
		qsort(b->places.v, n, sizeof(*b->places.v), order_cmp_uint64);
	last = 0;
	for (size_t i = 0; i < n; i++) {
		varint_add(&b->lists, (b->places.v[i] - last) << 1 | (i + 1 < n));
		last = b->places.v[i];
	}
}

/* Write the names in their order. */
static int
name_build_write(struct name_build *b, struct db *db, struct err *err)
{
	for (size_t from = 0, to; from < b->n; from = to) {
		const char *text = name_build_text(b, b->order[from].pos);
		const size_t len = strlen(text);
		const size_t lists = b->lists.len - (b->ends.n > 0 ? b->ends.v[b->ends.n - 1] : 0);

		for (to = from + 1; to < b->n && strcmp(name_build_text(b, b->order[to].pos), text) == 0; to++)
			continue;
		if (b->block.len > 0 && (b->block.len + len + 1 > NAME_INDEX_BLOCK || lists > NAME_INDEX_PLACES) &&
		    name_build_put_block(b, db, err) < 0)
			return -1;
		if (b->block.len == 0)
			b->first = text;
		buf_add(&b->block, text, len + 1);
		name_build_list(b, b->order + from, to - from);
	}
	return name_build_put_block(b, db, err) < 0 ? -1 : name_build_put_places(b, db, err);
}

int
name_build_finish(struct name_build *b, struct index *ix, int ret, struct err *err)
{
	if (b == NULL)
		return ret;
	if (ret == 0 && !b->has_files)
		ret = name_build_read_files(b, ix->db, name_build_take, err);
	if (ret == 0)
		ret = name_build_read_dirs(b, ix->db, name_build_take, err);
	if (ret == 0) {
		ix->names = false;
		ix->names_most = 0;
		ret = db_exec(ix->db, SQL_SCHEMA_NAME_DROP, err);
	}
	if (ret == 0 && !b->unfit) {
		ret = meta_put_int(ix->db, "names", (int64_t)b->n, err);
		name_build_order(b);
		if (ret == 0)
			ret = db_exec(ix->db, SQL_SCHEMA_NAME, err);
		if (ret == 0)
			ret = name_build_write(b, ix->db, err);
		ix->names = ret == 0;
	}
	name_build_release(b);
	free(b);
	return ret;
}

/* name_index_query's matches: all of them. */
static bool
name_build_any(void *arg, const char *name, size_t len)
{
	(void)arg;
	(void)name;
	(void)len;
	return true;
}

/*
 * name_build_fn: keep a number for a name at a place: two of them are equal only by a chance of one
 * in 2^64.
 */
static void
name_build_number(struct name_build *b, const char *text, size_t len, int64_t dir, bool is_dir)
{
	vec_push(&b->places, table_hash(table_hash_bytes(text, len), (uint64_t)dir << 1 | is_dir));
}

/* name_index_fn */
static int
name_build_has(void *arg, const char *name, size_t len, int64_t dir, bool is_dir)
{
	name_build_number(arg, name, len, dir, is_dir);
	return 0;
}

int64_t
name_build_lacking(struct index *ix, struct err *err)
{
	const struct name_index_query all = { .part = "", .matches = name_build_any };
	struct name_build rows = { 0 }, has = { 0 };
	int64_t n = 0;
	int ret = 0;

	if (ix->names && (name_index_each(ix->db, &all, name_build_has, &has, err) < 0 ||
	                  name_build_read_files(&rows, ix->db, name_build_number, err) < 0 ||
	                  name_build_read_dirs(&rows, ix->db, name_build_number, err) < 0))
		ret = -1;
	if (has.places.n > 1)
		qsort(has.places.v, has.places.n, sizeof(*has.places.v), order_cmp_uint64);
	for (size_t i = 0; ret == 0 && i < rows.places.n; i++) {
		size_t at;

		ORDER_FIRST(at, has.places.n, has.places.v[at] < rows.places.v[i]);
		n += at == has.places.n || has.places.v[at] != rows.places.v[i];
	}
	name_build_release(&rows);
	name_build_release(&has);
	return ret < 0 ? -1 : n;
}
