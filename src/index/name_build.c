/* SPDX-License-Identifier: MIT */
/*
 * Hides how names get into order.  Every name of a row is looked up in a table, so that each is
 * kept once: a tree has less than half as many names as files.  Then its places are counted and put
 * together, the names sorted, and blocks of them written.
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

/* A name; there are as many as half of all files, so it is small. */
struct name_build_name {
	uint32_t at;         /* in texts */
	uint32_t first, n;   /* its places: where in places, and how many */
};

struct name_build {
	struct buf texts;    /* each with a NUL behind */
	struct table by_text;
	VEC(struct name_build_name) names;
	VEC(uint64_t) came;  /* places as they came, */
	VEC(uint32_t) of;    /* and the names they are of */
	uint64_t *places;    /* owned; those of one name together, in order */
	size_t *order;       /* owned; names in the order of their bytes */
	/* The block in work. */
	int64_t id;
	size_t first;        /* its first name */
	struct buf block;
	/* The lists of all blocks, which are written last: a pass over names reads blocks alone. */
	struct buf lists;
	VEC(size_t) ends;    /* of those of a block */
	bool unfit;          /* a row has what no scan writes */
};

static void
name_build_release(struct name_build *b)
{
	buf_release(&b->texts);
	table_release(&b->by_text);
	vec_release(&b->names);
	vec_release(&b->came);
	vec_release(&b->of);
	free(b->places);
	free(b->order);
	buf_release(&b->block);
	buf_release(&b->lists);
	vec_release(&b->ends);
}

struct name_build *
name_build_new(void)
{
	return mem_zalloc(1, sizeof(struct name_build));
}

void
name_build_take(struct name_build *b, const char *text, size_t len, int64_t dir, bool is_dir)
{
	const uint64_t hash = table_hash_bytes(text, len);
	size_t name = TABLE_END;

	b->unfit |= dir < 1 || dir > NAME_BUILD_MOST || memchr(text, '\0', len) != NULL ||
	            b->texts.len > UINT32_MAX - len - 1 || b->came.n == UINT32_MAX;
	if (b->unfit)
		return;
	TABLE_EACH(i, &b->by_text, hash) {
		const char *other = b->texts.data + b->names.v[i].at;

		if (memcmp(other, text, strnlen(other, len)) == 0 && other[len] == '\0') {
			name = i;
			break;
		}
	}
	if (name == TABLE_END) {
		name = b->names.n;
		vec_push(&b->names, ((struct name_build_name){ .at = (uint32_t)b->texts.len }));
		buf_add(&b->texts, text, len);
		buf_addc(&b->texts, '\0');
		table_add(&b->by_text, hash, name);
	}
	b->names.v[name].n++;
	vec_push(&b->came, (uint64_t)dir << 1 | is_dir);
	vec_push(&b->of, (uint32_t)name);
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

/* Put the places of each name together, in order. */
static void
name_build_gather(struct name_build *b)
{
	uint32_t at = 0;

	table_release(&b->by_text);
	b->places = mem_alloc((b->came.n + 1) * sizeof(*b->places));
	for (size_t i = 0; i < b->names.n; i++) {
		b->names.v[i].first = at;
		at += b->names.v[i].n;
		b->names.v[i].n = 0;
	}
	for (size_t i = 0; i < b->came.n; i++) {
		struct name_build_name *name = &b->names.v[b->of.v[i]];

		b->places[name->first + name->n++] = b->came.v[i];
	}
	vec_release(&b->came);
	vec_release(&b->of);
	for (size_t i = 0; i < b->names.n; i++) {
		const struct name_build_name *name = &b->names.v[i];
		uint64_t *v = b->places + name->first;

		for (size_t j = 1; j < name->n; j++) {
			if (v[j - 1] > v[j]) {
				qsort(v, name->n, sizeof(*v), order_cmp_uint64);
				break;
			}
		}
	}
}

/* order_sort_by's comparison of names whose first bytes are equal. */
static int
name_build_cmp(const void *a, const void *b, void *arg)
{
	const struct name_build *build = arg;

	return strcmp(build->texts.data + build->names.v[((const struct order *)a)->pos].at,
	              build->texts.data + build->names.v[((const struct order *)b)->pos].at);
}

/* Sort the names: by eight bytes at once, then those that are equal in these. */
static void
name_build_sort(struct name_build *b)
{
	const size_t n = b->names.n;
	struct order *v = mem_alloc((n + 1) * sizeof(*v));

	for (size_t i = 0; i < n; i++) {
		const unsigned char *text = (const unsigned char *)b->texts.data + b->names.v[i].at;
		size_t j = 0;

		v[i] = (struct order){ 0, i };
		for (; j < sizeof(v[i].key) && text[j] != '\0'; j++)
			v[i].key = v[i].key << 8 | text[j];
		for (; j < sizeof(v[i].key); j++)
			v[i].key <<= 8;
	}
	order_sort(v, n);
	for (size_t from = 0, to; from < n; from = to) {
		for (to = from + 1; to < n && v[to].key == v[from].key; to++)
			continue;
		if (to - from > 1)
			order_sort_by(v + from, to - from, sizeof(*v), name_build_cmp, b);
	}
	b->order = mem_alloc((n + 1) * sizeof(*b->order));
	for (size_t i = 0; i < n; i++)
		b->order[i] = v[i].pos;
	free(v);
}

/* Write the block in work.  Nothing stops it: what a signal leaves is committed. */
static int
name_build_put_block(struct name_build *b, struct db *db, struct err *err)
{
	const char *first = b->texts.data + b->names.v[b->first].at;
	struct stmt st;
	int ret;

	if (b->block.len == 0)
		return 0;
	st = stmt_get(db, SQL_NAME_BLOCK_PUT, err);
	b->id++;
	stmt_int(&st, ":id", b->id);
	stmt_blob(&st, ":first", first, strlen(first));
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

/* Append the places of a name to the block in work. */
static void
name_build_list(struct name_build *b, const struct name_build_name *name)
{
	const uint64_t *v = b->places + name->first;
	uint64_t last = 0;

	for (size_t i = 0; i < name->n; i++) {
		varint_add(&b->lists, (v[i] - last) << 1 | (i + 1 < name->n));
		last = v[i];
	}
}

/* Write the names in their order. */
static int
name_build_write(struct name_build *b, struct db *db, struct err *err)
{
	for (size_t i = 0; i < b->names.n; i++) {
		const struct name_build_name *name = &b->names.v[b->order[i]];
		const char *text = b->texts.data + name->at;
		const size_t len = strlen(text);
		const size_t lists = b->lists.len - (b->ends.n > 0 ? b->ends.v[b->ends.n - 1] : 0);

		if (b->block.len > 0 && (b->block.len + len + 1 > NAME_INDEX_BLOCK || lists > NAME_INDEX_PLACES) &&
		    name_build_put_block(b, db, err) < 0)
			return -1;
		if (b->block.len == 0)
			b->first = b->order[i];
		buf_add(&b->block, text, len + 1);
		name_build_list(b, name);
	}
	return name_build_put_block(b, db, err) < 0 ? -1 : name_build_put_places(b, db, err);
}

int
name_build_finish(struct name_build *b, struct index *ix, bool files, int ret, struct err *err)
{
	if (b == NULL)
		return ret;
	if (ret == 0 && !files)
		ret = name_build_read_files(b, ix->db, name_build_take, err);
	if (ret == 0)
		ret = name_build_read_dirs(b, ix->db, name_build_take, err);
	if (ret == 0) {
		ix->names = false;
		ix->names_most = 0;
		ret = db_exec(ix->db, SQL_SCHEMA_NAME_DROP, err);
	}
	if (ret == 0 && !b->unfit) {
		ret = meta_put_int(ix->db, "names", (int64_t)b->came.n, err);
		name_build_gather(b);
		name_build_sort(b);
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

/* A number for a name at a place: two of them are equal only by a chance of one in 2^64. */
static uint64_t
name_build_hash(const char *text, size_t len, int64_t dir, bool is_dir)
{
	return table_hash(table_hash_bytes(text, len), (uint64_t)dir << 1 | is_dir);
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

/* name_build_fn: keep the number of a name. */
static void
name_build_number(struct name_build *b, const char *text, size_t len, int64_t dir, bool is_dir)
{
	vec_push(&b->came, name_build_hash(text, len, dir, is_dir));
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

	if (ix->names && (name_index_each(ix, &all, name_build_has, &has, err) < 0 ||
	                  name_build_read_files(&rows, ix->db, name_build_number, err) < 0 ||
	                  name_build_read_dirs(&rows, ix->db, name_build_number, err) < 0))
		ret = -1;
	if (has.came.n > 1)
		qsort(has.came.v, has.came.n, sizeof(*has.came.v), order_cmp_uint64);
	for (size_t i = 0; ret == 0 && i < rows.came.n; i++) {
		size_t at;

		ORDER_FIRST(at, has.came.n, has.came.v[at] < rows.came.v[i]);
		n += at == has.came.n || has.came.v[at] != rows.came.v[i];
	}
	name_build_release(&rows);
	name_build_release(&has);
	return ret < 0 ? -1 : n;
}
