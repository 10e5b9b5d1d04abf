/* SPDX-License-Identifier: MIT */
/*
 * The layout of a file:
 *
 *	"PAR1"
 *	for each group, for each column: the chunk, which is a page header and a page of the
 *	    distinct values where these are kept once, then a page header and a page of values
 *	the footer: struct FileMetaData in Thrift's compact protocol
 *	its length, 4 bytes, little endian
 *	"PAR1"
 *
 * struct parquet_values   a column of the group in hand
 * struct parquet_chunk    what the footer says of a chunk
 *
 * A group is one page a column: readers decompress a page as a whole, and a group is small.
 */
#include "base/base.h"

#include "export/parquet.h"

#ifdef HAVE_ZSTD
#include <zstd.h>

#include "sys/library.h"
#endif

#include "export/thrift.h"
#include "base/varint.h"

static const char parquet_magic[4] = { 'P', 'A', 'R', '1' };

/* Numbers of the format's enums. */
enum { PARQUET_INT32 = 1, PARQUET_INT64 = 2, PARQUET_BYTE_ARRAY = 6 };
enum { PARQUET_PLAIN = 0, PARQUET_RLE = 3, PARQUET_RLE_DICTIONARY = 8 };
enum { PARQUET_DATA_PAGE = 0, PARQUET_DICTIONARY_PAGE = 2 };
enum { PARQUET_UNCOMPRESSED = 0, PARQUET_ZSTD = 6 };
enum { PARQUET_REQUIRED = 0, PARQUET_OPTIONAL = 1 };
enum { PARQUET_UTF8 = 0 };

/* Longer values stand in no statistics. */
enum { PARQUET_STAT_MAX = 256 };

/* The least and the greatest value, as PLAIN has them without lengths. */
struct parquet_stats {
	bool any;
	int64_t min, max;
	struct buf min_bytes, max_bytes;
};

struct parquet_values {
	struct buf plain;              /* values as PLAIN has them; those that repeat once */
	VEC(uint32_t) starts;          /* of each in plain, where they repeat */
	VEC(uint32_t) indices;         /* of the value of a row that has one, where they repeat */
	struct table by_value;         /* of starts */
	VEC(uint8_t) defined;          /* by row, where it may be null: whether it has a value */
	int64_t nulls;
	struct parquet_stats stats;
};

struct parquet_chunk {
	int64_t dictionary_at;         /* 0: without one */
	int64_t data_at;
	int64_t plain_bytes, bytes;    /* pages with their headers, before and after compression */
	int64_t nulls;
	struct parquet_stats stats;
};

struct parquet_group {
	int64_t rows;
	struct parquet_chunk *chunks;  /* by column; owned */
};

struct parquet {
	FILE *out;
	int64_t at;                    /* bytes written */
	int codec;
	const struct table_column *columns;
	size_t n;
	struct parquet_values *values; /* by column */
	int64_t rows, all_rows;        /* of the group in hand, and before */
	size_t held;                   /* bytes of text of the group in hand */
	VEC(struct parquet_group) groups;
	struct buf page, packed, head; /* in hand */
};

#ifdef HAVE_ZSTD

static struct parquet_library {
	size_t (*bound)(size_t);
	size_t (*compress)(void *, size_t, const void *, size_t, int);
	unsigned (*is_error)(size_t);
} zstd;

static const struct library_function parquet_functions[] = {
	ZSTD_FUNCTION(zstd.bound, ZSTD_compressBound),
	ZSTD_FUNCTION(zstd.compress, ZSTD_compress),
	ZSTD_FUNCTION(zstd.is_error, ZSTD_isError),
};

#endif

/* zstd, unless the build or the machine has no libzstd. */
static int
parquet_find_codec(void)
{
#ifdef HAVE_ZSTD
	struct err err = { 0 };

	if (library_load(ZSTD_FILE, parquet_functions, sizeof(parquet_functions) / sizeof(parquet_functions[0]), &err) == 0)
		return PARQUET_ZSTD;
#endif
	return PARQUET_UNCOMPRESSED;
}

struct parquet *
parquet_begin(FILE *out, const struct table_column *columns, size_t n)
{
	struct parquet *p = mem_zalloc(1, sizeof(*p));

	p->out = out;
	p->codec = parquet_find_codec();
	p->columns = columns;
	p->n = n;
	p->values = mem_zalloc(n, sizeof(*p->values));
	fwrite(parquet_magic, 1, sizeof(parquet_magic), out);
	p->at = sizeof(parquet_magic);
	return p;
}

static void
parquet_stats_release(struct parquet_stats *s)
{
	buf_release(&s->min_bytes);
	buf_release(&s->max_bytes);
}

void
parquet_free(struct parquet *p)
{
	for (size_t i = 0; i < p->n; i++) {
		struct parquet_values *v = &p->values[i];

		buf_release(&v->plain);
		vec_release(&v->starts);
		vec_release(&v->indices);
		table_release(&v->by_value);
		vec_release(&v->defined);
		parquet_stats_release(&v->stats);
	}
	for (size_t i = 0; i < p->groups.n; i++) {
		for (size_t j = 0; j < p->n; j++)
			parquet_stats_release(&p->groups.v[i].chunks[j].stats);
		free(p->groups.v[i].chunks);
	}
	vec_release(&p->groups);
	buf_release(&p->page);
	buf_release(&p->packed);
	buf_release(&p->head);
	free(p->values);
	free(p);
}

/* Append a number of n bytes, little endian. */
static void
parquet_add_le(struct buf *b, uint64_t v, int n)
{
	for (int i = 0; i < n; i++)
		buf_addc(b, (char)(v >> 8 * i));
}

/*
 * The value that was appended to plain at start is that of the row: where values repeat, keep the
 * first one like it alone.
 */
static void
parquet_take(struct parquet_values *v, const struct table_column *c, size_t start, uint64_t hash)
{
	const size_t len = v->plain.len - start;

	if (c->optional)
		vec_push(&v->defined, 1);
	if (!c->repeats)
		return;
	TABLE_EACH(i, &v->by_value, hash) {
		const size_t end = i + 1 < v->starts.n ? v->starts.v[i + 1] : start;

		if (end - v->starts.v[i] == len && memcmp(v->plain.data + v->starts.v[i], v->plain.data + start, len) == 0) {
			buf_cut(&v->plain, start);
			vec_push(&v->indices, (uint32_t)i);
			return;
		}
	}
	table_add(&v->by_value, hash, v->starts.n);
	vec_push(&v->indices, (uint32_t)v->starts.n);
	vec_push(&v->starts, (uint32_t)start);
}

void
parquet_int(struct parquet *p, size_t column, int64_t n)
{
	const struct table_column *c = &p->columns[column];
	struct parquet_values *v = &p->values[column];
	const size_t start = v->plain.len;

	assert(c->type == TABLE_INT64 || (c->type == TABLE_INT32 && n >= INT32_MIN && n <= INT32_MAX));
	parquet_add_le(&v->plain, (uint64_t)n, c->type == TABLE_INT32 ? 4 : 8);
	if (!v->stats.any || n < v->stats.min)
		v->stats.min = n;
	if (!v->stats.any || n > v->stats.max)
		v->stats.max = n;
	v->stats.any = true;
	parquet_take(v, c, start, table_hash((uint64_t)n, 0));
}

/* Compare bytes as the format orders them: unsigned, a shorter one before what it begins. */
static int
parquet_cmp(const struct buf *a, const char *data, size_t len)
{
	const size_t common = a->len < len ? a->len : len;
	const int cmp = common > 0 ? memcmp(a->data, data, common) : 0;

	return cmp != 0 ? cmp : (a->len > len) - (a->len < len);
}

static void
parquet_set(struct buf *b, const char *data, size_t len)
{
	buf_cut(b, 0);
	if (len > 0)
		buf_add(b, data, len);
}

void
parquet_bytes(struct parquet *p, size_t column, const char *data, size_t len)
{
	const struct table_column *c = &p->columns[column];
	struct parquet_values *v = &p->values[column];
	const size_t start = v->plain.len;

	assert(c->type == TABLE_TEXT || c->type == TABLE_BYTES);
	parquet_add_le(&v->plain, len, 4);
	if (len > 0)
		buf_add(&v->plain, data, len);
	if (!v->stats.any || parquet_cmp(&v->stats.min_bytes, data, len) > 0)
		parquet_set(&v->stats.min_bytes, data, len);
	if (!v->stats.any || parquet_cmp(&v->stats.max_bytes, data, len) < 0)
		parquet_set(&v->stats.max_bytes, data, len);
	v->stats.any = true;
	parquet_take(v, c, start, c->repeats ? table_hash_bytes(data, len) : 0);
	p->held += v->plain.len - start;
}

void
parquet_null(struct parquet *p, size_t column)
{
	assert(p->columns[column].optional);
	vec_push(&p->values[column].defined, 0);
	p->values[column].nulls++;
}

/* Append n values, each of bits bits, packed from the lowest bit on, in groups of 8. */
static void
parquet_add_packed(struct buf *b, const uint32_t *v, size_t n, int bits)
{
	const size_t groups = (n + 7) / 8;
	uint64_t word = 0;
	int held = 0;

	varint_add(b, (uint64_t)groups << 1 | 1);
	for (size_t i = 0; i < groups * 8; i++) {
		word |= (uint64_t)(i < n ? v[i] : 0) << held;
		for (held += bits; held >= 8; held -= 8, word >>= 8)
			buf_addc(b, (char)word);
	}
}

/* How many values, from v on, are equal to the first. */
static size_t
parquet_run(const uint32_t *v, size_t n)
{
	size_t run = 1;

	while (run < n && v[run] == v[0])
		run++;
	return run;
}

/* Append n values as runs of equal ones and as groups of others: the format's hybrid. */
static void
parquet_add_hybrid(struct buf *b, const uint32_t *v, size_t n, int bits)
{
	size_t packed;

	for (size_t i = 0; i < n;) {
		const size_t run = parquet_run(v + i, n - i);

		/* A run: its length, and the value in whole bytes. */
		if (run >= 8) {
			varint_add(b, (uint64_t)run << 1);
			parquet_add_le(b, v[i], (bits + 7) / 8);
			i += run;
			continue;
		}
		for (packed = 8; i + packed < n && parquet_run(v + i + packed, n - i - packed) < 8;)
			packed += 8;
		packed = i + packed < n ? packed : n - i;
		parquet_add_packed(b, v + i, packed, bits);
		i += packed;
	}
}

/* Append which rows have a value, behind the length of that. */
static void
parquet_add_levels(struct buf *b, const uint8_t *defined, size_t n)
{
	uint32_t *levels = mem_alloc((n + 1) * sizeof(*levels));
	struct buf hybrid = { 0 };

	for (size_t i = 0; i < n; i++)
		levels[i] = defined[i];
	parquet_add_hybrid(&hybrid, levels, n, 1);
	parquet_add_le(b, hybrid.len, 4);
	buf_add(b, buf_str(&hybrid), hybrid.len);
	buf_release(&hybrid);
	free(levels);
}

static void
parquet_write(struct parquet *p, const struct buf *b)
{
	if (b->len > 0)
		fwrite(b->data, 1, b->len, p->out);
	p->at += (int64_t)b->len;
}

/* Compress the page in hand. */
static void
parquet_pack(struct parquet *p)
{
#ifdef HAVE_ZSTD
	if (p->codec == PARQUET_ZSTD) {
		const size_t bound = zstd.bound(p->page.len);
		size_t len;

		buf_cut(&p->packed, 0);
		buf_reserve(&p->packed, bound);
		len = zstd.compress(p->packed.data, bound, buf_str(&p->page), p->page.len, 1);
		assert(!zstd.is_error(len));
		p->packed.len = len;
		return;
	}
#endif
	parquet_set(&p->packed, buf_str(&p->page), p->page.len);
}

/* Write the page in hand, of n values, with its header. */
static void
parquet_write_page(struct parquet *p, struct parquet_chunk *chunk, int type, size_t n, int encoding)
{
	struct thrift t = { .out = &p->head };

	parquet_pack(p);
	buf_cut(&p->head, 0);
	thrift_i32(&t, 1, type);
	thrift_i32(&t, 2, (int64_t)p->page.len);
	thrift_i32(&t, 3, (int64_t)p->packed.len);
	thrift_begin(&t, type == PARQUET_DATA_PAGE ? 5 : 7);
	thrift_i32(&t, 1, (int64_t)n);
	thrift_i32(&t, 2, encoding);
	if (type == PARQUET_DATA_PAGE) {
		thrift_i32(&t, 3, PARQUET_RLE);    /* of what is null */
		thrift_i32(&t, 4, PARQUET_RLE);    /* of lists, which no column has */
	}
	thrift_end(&t);
	thrift_finish(&t);
	chunk->plain_bytes += (int64_t)(p->head.len + p->page.len);
	chunk->bytes += (int64_t)(p->head.len + p->packed.len);
	parquet_write(p, &p->head);
	parquet_write(p, &p->packed);
}

/* Write a column of the group in hand, and empty it. */
static void
parquet_write_chunk(struct parquet *p, size_t column, struct parquet_chunk *chunk)
{
	const struct table_column *c = &p->columns[column];
	struct parquet_values *v = &p->values[column];
	/* As many as the numbers of values need; at least one. */
	int bits = 1;

	while (v->starts.n > (size_t)1 << bits)
		bits++;
	if (c->repeats) {
		chunk->dictionary_at = p->at;
		parquet_set(&p->page, v->plain.data, v->plain.len);
		parquet_write_page(p, chunk, PARQUET_DICTIONARY_PAGE, v->starts.n, PARQUET_PLAIN);
	}
	chunk->data_at = p->at;
	buf_cut(&p->page, 0);
	if (c->optional)
		parquet_add_levels(&p->page, v->defined.v, v->defined.n);
	if (c->repeats) {
		buf_addc(&p->page, (char)bits);
		parquet_add_hybrid(&p->page, v->indices.v, v->indices.n, bits);
	} else if (v->plain.len > 0)
		buf_add(&p->page, v->plain.data, v->plain.len);
	parquet_write_page(p, chunk, PARQUET_DATA_PAGE, (size_t)p->rows, c->repeats ? PARQUET_RLE_DICTIONARY : PARQUET_PLAIN);
	chunk->nulls = v->nulls;
	chunk->stats = v->stats;
	v->stats = (struct parquet_stats){ .any = false };
	v->nulls = 0;
	buf_cut(&v->plain, 0);
	v->starts.n = v->indices.n = v->defined.n = 0;
	table_release(&v->by_value);
}

static void
parquet_end_group(struct parquet *p)
{
	struct parquet_group g = { .rows = p->rows, .chunks = mem_zalloc(p->n, sizeof(*g.chunks)) };

	for (size_t i = 0; i < p->n; i++)
		parquet_write_chunk(p, i, &g.chunks[i]);
	vec_push(&p->groups, g);
	p->all_rows += p->rows;
	p->rows = 0;
	p->held = 0;
}

void
parquet_end_row(struct parquet *p)
{
	if (++p->rows == PARQUET_GROUP_ROWS || p->held >= PARQUET_GROUP_BYTES)
		parquet_end_group(p);
}

static int
parquet_type(const struct table_column *c)
{
	return c->type == TABLE_INT32 ? PARQUET_INT32 : c->type == TABLE_INT64 ? PARQUET_INT64 : PARQUET_BYTE_ARRAY;
}

/* The schema: the root, and an element for each column. */
static void
parquet_put_schema(const struct parquet *p, struct thrift *t)
{
	thrift_list(t, 2, THRIFT_STRUCT, p->n + 1);
	thrift_begin_item(t);
	thrift_bytes(t, 4, "schema", 6);
	thrift_i32(t, 5, (int64_t)p->n);
	thrift_end(t);
	for (size_t i = 0; i < p->n; i++) {
		const struct table_column *c = &p->columns[i];

		thrift_begin_item(t);
		thrift_i32(t, 1, parquet_type(c));
		thrift_i32(t, 3, c->optional ? PARQUET_OPTIONAL : PARQUET_REQUIRED);
		thrift_bytes(t, 4, c->name, strlen(c->name));
		if (c->type == TABLE_TEXT) {
			thrift_i32(t, 6, PARQUET_UTF8);
			thrift_begin(t, 10);       /* the union of logical types ... */
			thrift_begin(t, 1);        /* ... of which this is the one of text */
			thrift_end(t);
			thrift_end(t);
		}
		thrift_end(t);
	}
}

/* The statistics of a chunk: in field 5 the greatest, in 6 the least value. */
static void
parquet_put_stats(const struct table_column *c, const struct parquet_chunk *chunk, struct thrift *t)
{
	const struct parquet_stats *s = &chunk->stats;
	const int width = c->type == TABLE_INT32 ? 4 : 8;
	struct buf min = { 0 }, max = { 0 };

	thrift_begin(t, 12);
	thrift_i64(t, 3, chunk->nulls);
	if (s->any && (c->type == TABLE_INT32 || c->type == TABLE_INT64)) {
		parquet_add_le(&min, (uint64_t)s->min, width);
		parquet_add_le(&max, (uint64_t)s->max, width);
		thrift_bytes(t, 5, max.data, max.len);
		thrift_bytes(t, 6, min.data, min.len);
	} else if (s->any && s->min_bytes.len <= PARQUET_STAT_MAX && s->max_bytes.len <= PARQUET_STAT_MAX) {
		thrift_bytes(t, 5, s->max_bytes.data, s->max_bytes.len);
		thrift_bytes(t, 6, s->min_bytes.data, s->min_bytes.len);
	}
	thrift_end(t);
	buf_release(&min);
	buf_release(&max);
}

static void
parquet_put_chunk(const struct parquet *p, const struct parquet_group *g, size_t column, struct thrift *t)
{
	const struct table_column *c = &p->columns[column];
	const struct parquet_chunk *chunk = &g->chunks[column];

	thrift_begin_item(t);
	thrift_i64(t, 2, chunk->dictionary_at > 0 ? chunk->dictionary_at : chunk->data_at);
	thrift_begin(t, 3);
	thrift_i32(t, 1, parquet_type(c));
	thrift_list(t, 2, THRIFT_I32, 1 + c->optional + c->repeats);
	thrift_item_i32(t, PARQUET_PLAIN);
	if (c->optional)
		thrift_item_i32(t, PARQUET_RLE);
	if (c->repeats)
		thrift_item_i32(t, PARQUET_RLE_DICTIONARY);
	thrift_list(t, 3, THRIFT_TEXT, 1);
	thrift_item_text(t, c->name);
	thrift_i32(t, 4, p->codec);
	thrift_i64(t, 5, g->rows);
	thrift_i64(t, 6, chunk->plain_bytes);
	thrift_i64(t, 7, chunk->bytes);
	thrift_i64(t, 9, chunk->data_at);
	if (chunk->dictionary_at > 0)
		thrift_i64(t, 11, chunk->dictionary_at);
	parquet_put_stats(c, chunk, t);
	thrift_end(t);
	thrift_end(t);
}

static void
parquet_put_group(const struct parquet *p, const struct parquet_group *g, struct thrift *t)
{
	int64_t plain = 0, bytes = 0;

	thrift_begin_item(t);
	thrift_list(t, 1, THRIFT_STRUCT, p->n);
	for (size_t i = 0; i < p->n; i++) {
		parquet_put_chunk(p, g, i, t);
		plain += g->chunks[i].plain_bytes;
		bytes += g->chunks[i].bytes;
	}
	thrift_i64(t, 2, plain);
	thrift_i64(t, 3, g->rows);
	thrift_i64(t, 6, bytes);
	thrift_end(t);
}

void
parquet_end(struct parquet *p)
{
	struct buf footer = { 0 };
	struct thrift t = { .out = &footer };

	if (p->rows > 0)
		parquet_end_group(p);
	thrift_i32(&t, 1, 2);
	parquet_put_schema(p, &t);
	thrift_i64(&t, 3, p->all_rows);
	thrift_list(&t, 4, THRIFT_STRUCT, p->groups.n);
	for (size_t i = 0; i < p->groups.n; i++)
		parquet_put_group(p, &p->groups.v[i], &t);
	thrift_bytes(&t, 6, PACKAGE_STRING, strlen(PACKAGE_STRING));
	/* Statistics are ordered as the types say: readers use them only where that is said. */
	thrift_list(&t, 7, THRIFT_STRUCT, p->n);
	for (size_t i = 0; i < p->n; i++) {
		thrift_begin_item(&t);
		thrift_begin(&t, 1);
		thrift_end(&t);
		thrift_end(&t);
	}
	thrift_finish(&t);
	parquet_add_le(&footer, footer.len, 4);
	buf_add(&footer, parquet_magic, sizeof(parquet_magic));
	parquet_write(p, &footer);
	buf_release(&footer);
}
