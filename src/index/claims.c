/* SPDX-License-Identifier: MIT */
#include "base/base.h"

#include "index/claims.h"

#include <time.h>

#include "db/bulk_insert.h"
#include "db/db.h"
#include "db/stmt.h"
#include "index/index.h"
#include "sys/stop.h"

/* Rows that are written at once. */
#define CLAIMS_BATCH 4096
/* An import of this many claims, and of more than were there, makes the indexes anew. */
#define CLAIMS_MANY 65536

/* A claim whose texts are in a buffer: from text on the name as shown, its bytes, its digest. */
struct claims_row {
	size_t text, name_len, raw_len;
	int64_t size, mtime;
	enum digest_kind kind;
};

struct claims_writer {
	struct index *ix;
	int64_t source, claims, no_digest;
	int64_t digests[DIGEST_NONE];
	int64_t there;           /* claims that were there before */
	bool indexed;            /* there are indexes; else they are made behind all rows */
	VEC(struct claims_row) rows;
	struct buf texts;
};

/* The number of a source.  Returns 1, 0 without one, or -1. */
static int
claims_find(struct index *ix, const char *name, int64_t *id, struct err *err)
{
	struct stmt st = stmt_get(ix->db, SQL_CLAIM_SOURCE_ID, err);
	int ret;

	stmt_text(&st, ":name", name, strlen(name));
	ret = stmt_step(&st);
	if (ret == 1)
		*id = stmt_col_int(&st, 0);
	stmt_done(&st);
	return ret;
}

/* Drop a source by its number. */
static int
claims_drop_source(struct index *ix, int64_t id, struct err *err)
{
	struct stmt st = stmt_get(ix->db, SQL_CLAIM_DROP, err);

	stmt_int(&st, ":source", id);
	if (stmt_run(&st) < 0)
		return -1;
	st = stmt_get(ix->db, SQL_CLAIM_SOURCE_DROP, err);
	stmt_int(&st, ":id", id);
	return stmt_run(&st);
}

/* Make the tables, or make room in them for a source of this name. */
static int
claims_make_room(struct index *ix, const char *name, bool replace, struct err *err)
{
	int64_t id;
	int ret;

	if (!ix->claims) {
		if (db_exec(ix->db, SQL_SCHEMA_CLAIM, err) < 0 || db_exec(ix->db, SQL_SCHEMA_CLAIM_INDEX, err) < 0)
			return -1;
		ix->claims = true;
		return 0;
	}
	ret = claims_find(ix, name, &id, err);
	if (ret == 1 && !replace)
		return err_set(err, ERR_USAGE, "there are claims of '%s' already: --replace takes their place, or choose another name", name);
	return ret == 1 ? claims_drop_source(ix, id, err) : ret;
}

/* Add the row of the source. */
static int
claims_add_source(struct claims_writer *w, const char *name, const char *file, struct err *err)
{
	struct stmt st = stmt_get(w->ix->db, SQL_CLAIM_SOURCE_ADD, err);

	stmt_text(&st, ":name", name, strlen(name));
	/* It is known once the first lines are read. */
	stmt_text(&st, ":kind", "", 0);
	stmt_text(&st, ":file", file, strlen(file));
	stmt_int(&st, ":imported", (int64_t)time(NULL));
	if (stmt_run(&st) < 0 || claims_find(w->ix, name, &w->source, err) < 0)
		return -1;
	w->indexed = true;
	return stmt_ask(w->ix->db, SQL_CLAIM_LAST, &w->there, err);
}

struct claims_writer *
claims_begin(struct index *ix, const char *name, const char *file, bool replace, struct err *err)
{
	const bool there = ix->claims;
	struct claims_writer *w;

	/* Sorting ten million rows for the indexes must not take memory for all of them. */
	if (db_pragma(ix->db, "temp_store", 1, err) < 0 || db_begin(ix->db, err) < 0)
		return NULL;
	w = mem_zalloc(1, sizeof(*w));
	w->ix = ix;
	if (claims_make_room(ix, name, replace, err) == 0 && claims_add_source(w, name, file, err) == 0)
		return w;
	free(w);
	ix->claims = there;
	db_end(ix->db, -1, err);
	return NULL;
}

/* bulk_insert_fn; columns in the order of claim_put. */
static void
claims_column(void *arg, size_t row, int column, struct bulk_insert_value *v)
{
	const struct claims_writer *w = arg;
	const struct claims_row *r = &w->rows.v[row];
	const char *text = w->texts.data + r->text;

	switch (column - COL_FEED_C1) {
	case 0: bulk_insert_int(v, w->source); break;
	case 1: bulk_insert_text(v, text, r->name_len); break;
	case 2:
		if (r->raw_len > 0)
			bulk_insert_blob(v, text + r->name_len, r->raw_len);
		break;
	case 3:
		if (r->size >= 0)
			bulk_insert_int(v, r->size);
		break;
	case 4:
		if (r->mtime != INT64_MIN)
			bulk_insert_int(v, r->mtime);
		break;
	case 5:
		if (r->kind != DIGEST_NONE)
			bulk_insert_text(v, digest_name(r->kind), strlen(digest_name(r->kind)));
		break;
	case 6:
		if (r->kind != DIGEST_NONE)
			bulk_insert_blob(v, text + r->name_len + r->raw_len, digest_size(r->kind));
		break;
	}
}

/* Write the rows that have gathered. */
static int
claims_flush(struct claims_writer *w, struct err *err)
{
	int ret = 0;

	if (w->indexed && w->claims >= CLAIMS_MANY && w->claims >= w->there) {
		ret = db_exec(w->ix->db, SQL_CLAIM_INDEX_DROP, err);
		w->indexed = false;
	}
	if (ret == 0 && w->rows.n > 0)
		ret = bulk_insert_run(w->ix->db, SQL_CLAIM_PUT, w->rows.n, claims_column, w, err);
	w->rows.n = 0;
	buf_cut(&w->texts, 0);
	return ret < 0 ? -1 : stop_check(err);
}

int
claims_add(struct claims_writer *w, const struct claim *claim, struct err *err)
{
	struct claims_row r = { .text = w->texts.len, .size = claim->size, .mtime = claim->mtime, .kind = claim->kind };

	if (name_is_utf8(claim->name, claim->name_len))
		buf_add(&w->texts, claim->name, claim->name_len);
	else {
		name_store(&w->texts, claim->name, claim->name_len);
		r.raw_len = claim->name_len;
	}
	r.name_len = w->texts.len - r.text;
	if (r.raw_len > 0)
		buf_add(&w->texts, claim->name, claim->name_len);
	if (claim->kind != DIGEST_NONE) {
		buf_add(&w->texts, claim->digest, digest_size(claim->kind));
		w->digests[claim->kind]++;
	} else
		w->no_digest++;
	w->claims++;
	vec_push(&w->rows, r);
	return w->rows.n < CLAIMS_BATCH ? 0 : claims_flush(w, err);
}

/* Write what is known at the end. */
static int
claims_finish(struct claims_writer *w, struct claim_source *source, int64_t *twice, struct err *err)
{
	struct stmt st;

	if (claims_flush(w, err) < 0 || (!w->indexed && db_exec(w->ix->db, SQL_SCHEMA_CLAIM_INDEX, err) < 0))
		return -1;
	st = stmt_get(w->ix->db, SQL_CLAIM_TWICE, err);
	stmt_int(&st, ":source", w->source);
	if (stmt_number(&st, twice) < 0)
		return -1;
	st = stmt_get(w->ix->db, SQL_CLAIM_SOURCE_END, err);
	stmt_int(&st, ":id", w->source);
	stmt_text(&st, ":kind", source->kind, strlen(source->kind));
	if (source->made >= 0)
		stmt_int(&st, ":made", source->made);
	stmt_int(&st, ":claims", w->claims);
	stmt_int(&st, ":no_digest", w->no_digest);
	stmt_int(&st, ":bad", source->bad);
	source->id = w->source;
	source->claims = w->claims;
	source->no_digest = w->no_digest;
	memcpy(source->digests, w->digests, sizeof(source->digests));
	return stmt_run(&st) < 0 ? -1 : stop_check(err);
}

int
claims_end(struct claims_writer *w, int ret, struct claim_source *source, int64_t *twice, struct err *err)
{
	struct db *db = w->ix->db;

	*twice = 0;
	if (ret == 0)
		ret = claims_finish(w, source, twice, err);
	vec_release(&w->rows);
	buf_release(&w->texts);
	free(w);
	return db_end(db, ret, err);
}

int
claims_drop(struct index *ix, const char *name, struct err *err)
{
	int64_t id;
	int ret;

	if (!ix->claims)
		return 0;
	if (db_begin(ix->db, err) < 0)
		return -1;
	ret = claims_find(ix, name, &id, err);
	if (ret == 1 && claims_drop_source(ix, id, err) < 0)
		ret = -1;
	return db_end(ix->db, ret < 0 ? -1 : 0, err) < 0 ? -1 : ret;
}

/* Count the digests of a source by kind. */
static int
claims_count(struct index *ix, struct claim_source *source, struct err *err)
{
	struct stmt st = stmt_get(ix->db, SQL_CLAIM_KINDS, err);
	int ret;

	stmt_int(&st, ":source", source->id);
	while ((ret = stmt_step(&st)) == 1) {
		size_t len;
		const char *name = stmt_col_text(&st, 0, &len);
		const enum digest_kind kind = digest_find(name, len);

		if (kind != DIGEST_NONE)
			source->digests[kind] = stmt_col_int(&st, 1);
	}
	return ret;
}

int
claims_sources(struct index *ix, claims_source_fn *fn, void *arg, struct err *err)
{
	struct stmt st;
	int ret;

	if (!ix->claims)
		return 0;
	st = stmt_get(ix->db, SQL_CLAIM_SOURCES, err);
	while ((ret = stmt_step(&st)) == 1) {
		size_t len;
		struct claim_source s = {
			.id = stmt_col_int(&st, 0), .name = stmt_col_text(&st, 1, &len), .kind = stmt_col_text(&st, 2, &len),
			.file = stmt_col_text(&st, 3, &len), .imported = stmt_col_int(&st, 4),
			.made = stmt_col_is_null(&st, 5) ? -1 : stmt_col_int(&st, 5), .claims = stmt_col_int(&st, 6),
			.no_digest = stmt_col_int(&st, 7), .bad = stmt_col_int(&st, 8),
		};

		if (claims_count(ix, &s, err) < 0 || fn(arg, &s, err) < 0) {
			stmt_done(&st);
			return -1;
		}
	}
	return ret;
}
