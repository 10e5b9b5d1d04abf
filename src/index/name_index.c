/* SPDX-License-Identifier: MIT */
/*
 * Hides how names are found without a look at every directory.  sql/name.sql says how they are
 * kept: blocks of names, their places, and what was added since those were made.
 *
 * Invariants
 *  1. The name of each row of file and dir (of a directory without parent: the last part of its
 *     path) has its place here.  The code that writes a row with a new name calls
 *     name_added_put in the same transaction.  The reverse does not hold: places of rows that
 *     went stay, and the caller looks at the row.
 *  2. All or nothing: the tables are made and filled in one transaction, and dropped in one.
 *
 * One thread has the index.
 */
#include "base/base.h"

#include "index/name_index.h"

#include "base/varint.h"
#include "db/db.h"
#include "db/stmt.h"
#include "index/schema.h"
#include "sys/stop.h"

/* Page cache of a pass over all names, of which each page is read once. */
#define NAME_INDEX_CACHE_KIB 256

/* A name of a block: where in it, and which of its names. */
struct name_index_found {
	size_t at, number;
};

/* One call of name_index_each. */
struct name_index_search {
	struct db *db;
	const struct name_index_query *q;
	name_index_fn *fn;
	void *arg;
	struct err *err;
	size_t part_len;
	struct buf folded;                   /* a block in lower case */
	VEC(struct name_index_found) found;  /* of one block, in order */
	struct buf names;                    /* that block */
	struct buf behind;                   /* the first text behind all that begin so */
};

static int
name_index_damaged(const struct name_index_search *s, int64_t id)
{
	return db_corrupt(s->db, s->err, "name_block", id, NULL, "has no valid places for its names");
}

/* Deliver a place.  Returns what fn does. */
static int
name_index_deliver(const struct name_index_search *s, const char *name, uint64_t place)
{
	return s->fn(s->arg, name, strlen(name), (int64_t)(place >> 1), (place & 1) != 0);
}

/*
 * Read the places of the next name of a block, and deliver them if name is not NULL.  Returns what
 * fn does; -2: they are damaged.
 */
static int
name_index_list(const struct name_index_search *s, const unsigned char **at, const unsigned char *end, const char *name)
{
	uint64_t place = 0, v;
	int ret = 0;

	do {
		if (!varint_read(at, end, &v) || v >> 1 > (uint64_t)SCHEMA_MAX_ID * 2 + 1 - place)
			return -2;
		place += v >> 1;
		if (place < 2)
			return -2;
		if (name != NULL)
			ret = name_index_deliver(s, name, place);
	} while (ret == 0 && (v & 1) != 0);
	return ret;
}

/* Deliver the places of the names of a block that were found. */
static int
name_index_places(struct name_index_search *s, int64_t id)
{
	struct stmt st = stmt_get(s->db, SQL_NAME_PLACES, s->err);
	const unsigned char *at, *end;
	size_t len, number = 0;
	int ret;

	stmt_int(&st, ":id", id);
	ret = stmt_step(&st);
	if (ret == 0)
		return name_index_damaged(s, id);
	if (ret < 0)
		return -1;
	at = stmt_col_blob(&st, 0, &len);
	end = at + len;
	ret = 0;
	for (size_t i = 0; ret == 0 && i < s->found.n; i++) {
		for (; ret == 0 && number < s->found.v[i].number; number++)
			ret = name_index_list(s, &at, end, NULL);
		if (ret == 0)
			ret = name_index_list(s, &at, end, s->names.data + s->found.v[i].at);
		number++;
	}
	stmt_done(&st);
	return ret == -2 ? name_index_damaged(s, id) : ret;
}

/* Whether a text has a byte that is not ASCII. */
static bool
name_index_beyond_ascii(const char *text, size_t len)
{
	unsigned char all = 0;

	for (size_t i = 0; i < len; i++)
		all |= (unsigned char)text[i];
	return (all & 0x80) != 0;
}

/* The block in lower case, as far as it is ASCII. */
static const char *
name_index_fold(struct name_index_search *s, const char *names, size_t len)
{
	buf_cut(&s->folded, 0);
	buf_add(&s->folded, names, len);
	for (size_t i = 0; i < len; i++) {
		const unsigned char c = (unsigned char)names[i];

		s->folded.data[i] = (char)(c + ((unsigned char)(c - 'A') < 26) * ('a' - 'A'));
	}
	return s->folded.data;
}

/* Find a part in a text, or NULL. */
static const char *
name_index_part(const char *text, size_t len, const char *part, size_t part_len)
{
#ifdef LINUX_PATHS
	return memmem(text, len, part, part_len);
#else
	/* POSIX had no memmem before 2024. */
	for (const char *at = text, *end = text + len; (size_t)(end - at) >= part_len; at++) {
		at = memchr(at, part[0], (size_t)(end - at) - part_len + 1);
		if (at == NULL || memcmp(at, part, part_len) == 0)
			return at;
	}
	return NULL;
#endif
}

/* Whether a name is wanted. */
static bool
name_index_wants(const struct name_index_search *s, const char *name, size_t len)
{
	const struct name_index_query *q = s->q;

	return q->name != NULL ? strcmp(q->name, name) == 0 :
	       q->begin != NULL ? strncmp(q->begin, name, strlen(q->begin)) == 0 : q->matches(s->arg, name, len);
}

/* Find the names of a block that match.  Returns whether some do. */
static bool
name_index_find(struct name_index_search *s, const char *names, size_t len)
{
	const struct name_index_query *q = s->q;
	/* A character beyond ASCII may become one of ASCII when it is folded. */
	const bool each = s->part_len == 0 || (q->fold && name_index_beyond_ascii(names, len));
	const char *where = q->fold && !each ? name_index_fold(s, names, len) : names;
	size_t at = 0, number = 0;

	s->found.n = 0;
	while (at < len) {
		size_t next, name_len;

		if (!each) {
			const char *hit = name_index_part(where + at, len - at, q->part, s->part_len);

			if (hit == NULL)
				break;
			/* Count the names before the one that has it. */
			for (const char *nul; (nul = memchr(names + at, '\0', (size_t)(hit - where) - at)) != NULL; number++)
				at = (size_t)(nul - names) + 1;
		}
		name_len = strlen(names + at);
		next = at + name_len + 1;
		if (name_index_wants(s, names + at, name_len)) {
			vec_push(&s->found, ((struct name_index_found){ at, number }));
			if (q->name != NULL)
				break;
		}
		at = next;
		number++;
	}
	return s->found.n > 0;
}

/* Deliver what a block has. */
static int
name_index_block(struct name_index_search *s, const struct stmt *st)
{
	const int64_t id = stmt_col_int(st, 0);
	size_t len;
	const char *names = stmt_col_blob(st, 1, &len);

	if (len == 0 || names[len - 1] != '\0')
		return name_index_damaged(s, id);
	if (!name_index_find(s, names, len))
		return 0;
	buf_cut(&s->names, 0);
	buf_add(&s->names, names, len);
	return name_index_places(s, id);
}

/* Bind the names that begin as asked: up to the first behind them, if there can be any. */
static void
name_index_bind_begin(struct name_index_search *s, struct stmt *st)
{
	buf_cut(&s->behind, 0);
	buf_adds(&s->behind, s->q->begin);
	while (s->behind.len > 0 && (unsigned char)s->behind.data[s->behind.len - 1] == 0xff)
		buf_cut(&s->behind, s->behind.len - 1);
	stmt_blob(st, ":name", s->q->begin, strlen(s->q->begin));
	if (s->behind.len > 0) {
		s->behind.data[s->behind.len - 1]++;
		stmt_blob(st, ":behind", s->behind.data, s->behind.len);
	}
}

/* Deliver what a statement selects of the blocks, or with added of the other names. */
static int
name_index_run(struct name_index_search *s, enum sql_id id, bool added)
{
	struct stmt st = stmt_get(s->db, id, s->err);
	int ret;

	if (s->q->name != NULL)
		stmt_blob(&st, ":name", s->q->name, strlen(s->q->name));
	else if (s->q->begin != NULL)
		name_index_bind_begin(s, &st);
	while ((ret = stmt_step(&st)) == 1) {
		ret = stop_check(s->err);
		if (ret == 0 && !added)
			ret = name_index_block(s, &st);
		else if (ret == 0) {
			size_t len;
			const char *name = stmt_col_blob(&st, 0, &len);
			const int64_t place = stmt_col_int(&st, 1);

			buf_cut(&s->names, 0);
			buf_add(&s->names, len > 0 ? name : "", len);
			if (place < 2 || strlen(buf_str(&s->names)) != len)
				ret = db_corrupt(s->db, s->err, "name_added", place, NULL, "is no place of a name");
			else if (name_index_wants(s, buf_str(&s->names), len))
				ret = name_index_deliver(s, buf_str(&s->names), (uint64_t)place);
		}
		if (ret != 0)
			break;
	}
	stmt_done(&st);
	return ret;
}

bool
name_index_is_there(struct db *db)
{
	return db_has_table(db, "name_block") && db_has_table(db, "name_place") && db_has_table(db, "name_added");
}

int
name_index_each(struct db *db, const struct name_index_query *q, name_index_fn *fn, void *arg, struct err *err)
{
	struct name_index_search s = { .db = db, .q = q, .fn = fn, .arg = arg, .err = err, .part_len = strlen(q->part) };
	const bool all = q->name == NULL && q->begin == NULL;
	struct err ignored = { 0 };
	int ret;

	assert(name_index_is_there(db));
	/* A pass over all names: reuse memory that the processor has at hand. */
	if (all && db_pragma(db, "cache_size", -NAME_INDEX_CACHE_KIB, err) < 0)
		return -1;
	ret = name_index_run(&s, q->name != NULL ? SQL_NAME_BLOCK_OF : all ? SQL_NAME_BLOCKS : SQL_NAME_BLOCKS_FROM, false);
	if (ret == 0)
		ret = name_index_run(&s, q->name != NULL ? SQL_NAME_ADDED_OF : all ? SQL_NAME_ADDED_ALL : SQL_NAME_ADDED_FROM, true);
	if (all && db_small_cache(db, false, ret == 0 ? err : &ignored) < 0 && ret == 0)
		ret = -1;
	vec_release(&s.found);
	buf_release(&s.folded);
	buf_release(&s.names);
	buf_release(&s.behind);
	return ret;
}
