/* SPDX-License-Identifier: MIT */
/*
 * Compares a schema with the statements that make it: SQLite keeps the text of every CREATE.
 * Comments and the length of blanks do not count.
 */
#include "base/base.h"

#include "index/schema.h"

#include <time.h>

#include "db/db.h"
#include "db/stmt.h"
#include "index/contents.h"
#include "index/meta.h"
#include "sys/random.h"

/* The versions that brought marks; today's indexes on contents; today's rows of files. */
#define SCHEMA_MARKS 2
#define SCHEMA_CONTENTS 3
#define SCHEMA_ROWS 5

/* Blocks of statements, and the versions that have them. */
static const struct schema_block {
	enum sql_id id;
	int64_t first, last;
	bool contents;       /* indexes on contents: not there before rows are */
	bool later;          /* may be missing: its first use, or the next writer, makes it */
} schema_blocks[] = {
	{ SQL_SCHEMA, 1, INT64_MAX, false, false },
	{ SQL_SCHEMA_FILE, SCHEMA_ROWS, INT64_MAX, false, false },
	{ SQL_SCHEMA_FILE_1, 1, SCHEMA_ROWS - 1, false, false },
	{ SQL_SCHEMA_INDEX, 1, INT64_MAX, false, false },
	{ SQL_VIEWS, 1, INT64_MAX, false, false },
	{ SQL_SCHEMA_MARK, SCHEMA_MARKS, INT64_MAX, false, false },
	{ SQL_VIEWS_MARK, SCHEMA_MARKS, INT64_MAX, false, false },
	{ SQL_VIEWS_DUP, SCHEMA_CONTENTS, INT64_MAX, false, false },
	{ SQL_SCHEMA_CONTENT, SCHEMA_CONTENTS, INT64_MAX, true, false },
	{ SQL_SCHEMA_UNREAD, SCHEMA_CONTENTS, INT64_MAX, true, false },
	{ SQL_SCHEMA_LINK_1, 1, SCHEMA_CONTENTS - 1, false, false },
	{ SQL_SCHEMA_CONTENT_1, 1, SCHEMA_CONTENTS - 1, true, false },
	{ SQL_VIEWS_DUP_1, 1, SCHEMA_CONTENTS - 1, false, false },
	{ SQL_SCHEMA_VOLUME, SCHEMA_HISTORY, INT64_MAX, false, false },
	{ SQL_VIEWS_VOLUME, SCHEMA_HISTORY, INT64_MAX, false, false },
	{ SQL_SCHEMA_HISTORY, SCHEMA_HISTORY, INT64_MAX, false, false },
	{ SQL_SCHEMA_HISTORY_FILE, SCHEMA_ENTRIES, INT64_MAX, false, false },
	{ SQL_VIEWS_HISTORY, SCHEMA_ENTRIES, INT64_MAX, false, false },
	{ SQL_SCHEMA_HISTORY_FILE_4, SCHEMA_HISTORY, SCHEMA_ENTRIES - 1, false, false },
	{ SQL_VIEWS_HISTORY_4, SCHEMA_HISTORY, SCHEMA_ENTRIES - 1, false, false },
	{ SQL_SCHEMA_VOLUME_1, 1, SCHEMA_HISTORY - 1, false, false },
	{ SQL_VIEWS_VOLUME_1, 1, SCHEMA_HISTORY - 1, false, false },
	{ SQL_SCHEMA_VALIDATED, SCHEMA_CONTENTS, INT64_MAX, false, true },
	{ SQL_SCHEMA_DIGEST, SCHEMA_CONTENTS, INT64_MAX, false, true },
	{ SQL_SCHEMA_PAYLOAD, SCHEMA_CONTENTS, INT64_MAX, false, true },
	{ SQL_SCHEMA_CLAIM, SCHEMA_CONTENTS, INT64_MAX, false, true },
	{ SQL_SCHEMA_CLAIM_INDEX, SCHEMA_CONTENTS, INT64_MAX, false, true },
	{ SQL_SCHEMA_DRAWER, SCHEMA_HISTORY, INT64_MAX, false, true },
	{ SQL_VIEWS_DRAWER, SCHEMA_HISTORY, INT64_MAX, false, true },
	{ SQL_SCHEMA_NAME, SCHEMA_HISTORY, INT64_MAX, false, true },
	{ SQL_SCHEMA_ARCHIVE, SCHEMA_CONTENTS, INT64_MAX, false, true },
	{ SQL_VIEWS_FLEETING, SCHEMA_HISTORY, INT64_MAX, false, true },
};

#define SCHEMA_BLOCKS (sizeof(schema_blocks) / sizeof(schema_blocks[0]))

/* A table, an index or a view that must be there. */
struct schema_object {
	enum sql_id block;
	const char *sql, *name; /* within the text of its block */
	size_t len, name_len;
	bool is_index, contents, later, found;
};

struct schema_objects {
	struct schema_object *v;
	size_t n, cap;
};

int
schema_not_too_new(const char *path, int64_t version, struct err *err)
{
	if (version <= SCHEMA_VERSION)
		return 0;
	return err_set(err, ERR_TOO_NEW, "index '%s' has version %lld, but this twindex knows only up to %d: use a newer twindex",
	               path, (long long)version, SCHEMA_VERSION);
}

/* Run the blocks of the newest version that came with version first or later. */
static int
schema_run(struct db *db, int64_t first, struct err *err)
{
	int ret = 0;

	for (size_t i = 0; ret == 0 && i < SCHEMA_BLOCKS; i++) {
		const struct schema_block *b = &schema_blocks[i];

		if (!b->contents && !b->later && b->first >= first && b->last == INT64_MAX)
			ret = db_exec(db, b->id, err);
	}
	/* This view may be missing in any version, and is missing here. */
	return ret == 0 ? db_exec(db, SQL_VIEWS_FLEETING, err) : ret;
}

/* Give the index a number that no other one has. */
static int
schema_put_id(struct db *db, struct err *err)
{
	int64_t id;

	if (random_fill(&id, sizeof(id)) < 0)
		return err_sys(err, "cannot get random bytes");
	return meta_put_int(db, "id", id, err);
}

int
schema_create(struct db *db, const uint8_t secret[CONTENT_SECRET_SIZE], struct err *err)
{
	int ret = -1;

	if (db_begin(db, err) < 0)
		return -1;
	if (db_pragma(db, "application_id", DB_APPLICATION_ID, err) == 0 &&
	    db_pragma(db, "user_version", SCHEMA_VERSION, err) == 0 && schema_run(db, 1, err) == 0 &&
	    meta_put_blob(db, "secret", secret, CONTENT_SECRET_SIZE, err) == 0 && meta_put_algorithm(db, err) == 0 &&
	    meta_put_int(db, "created", (int64_t)time(NULL), err) == 0 && schema_put_id(db, err) == 0 &&
	    meta_put_int(db, "history_from", 0, err) == 0)
		ret = 0;
	return db_end(db, ret, err);
}

/* Make the rows and indexes of files those of the newest version, behind its tables. */
static int
schema_upgrade_rows(struct db *db, bool contents, struct err *err)
{
	/* The table took its indexes with it. */
	return db_exec(db, SQL_SCHEMA_UPGRADED_5, err) < 0 || db_exec(db, SQL_SCHEMA_INDEX_DROP, err) < 0 ||
	       db_exec(db, SQL_SCHEMA_INDEX, err) < 0 || (contents && contents_index(db, err) < 0) ? -1 : 0;
}

int
schema_upgrade_within(struct db *db, int64_t version, bool contents, struct err *err)
{
	const bool history = version >= SCHEMA_HISTORY;

	assert(version >= 1 && version < SCHEMA_VERSION);
	if (db_exec(db, SQL_SCHEMA_UPGRADE, err) < 0 ||
	    (version < SCHEMA_CONTENTS && db_exec(db, SQL_SCHEMA_UPGRADE_3, err) < 0) ||
	    (!history && db_exec(db, SQL_SCHEMA_UPGRADE_4, err) < 0) ||
	    (version < SCHEMA_ROWS && db_exec(db, SQL_SCHEMA_UPGRADE_5, err) < 0) ||
	    (history && db_exec(db, SQL_SCHEMA_UPGRADE_6, err) < 0) ||
	    schema_run(db, version + 1, err) < 0 ||
	    (!history && (db_exec(db, SQL_SCHEMA_UPGRADED_4, err) < 0 || schema_put_id(db, err) < 0)) ||
	    (version < SCHEMA_ROWS && schema_upgrade_rows(db, contents, err) < 0) ||
	    (history && db_exec(db, SQL_SCHEMA_UPGRADED_6, err) < 0))
		return -1;
	return db_pragma(db, "user_version", SCHEMA_VERSION, err);
}

int
schema_upgrade(struct db *db, int64_t version, bool contents, struct err *err)
{
	if (db_begin(db, err) < 0)
		return -1;
	return db_end(db, version == SCHEMA_VERSION ? schema_run(db, version + 1, err) : schema_upgrade_within(db, version, contents, err), err);
}

/* Step over blanks and comments. */
static size_t
schema_skip(const char *text, size_t len, size_t at)
{
	for (;;) {
		while (at < len && (text[at] == ' ' || (text[at] >= '\t' && text[at] <= '\r')))
			at++;
		if (at + 1 >= len || text[at] != '-' || text[at + 1] != '-')
			return at;
		while (at < len && text[at] != '\n')
			at++;
	}
}

/* The end of the word at at: blanks and comments separate words. */
static size_t
schema_word_end(const char *text, size_t len, size_t at)
{
	while (at < len && schema_skip(text, len, at) == at)
		at++;
	return at;
}

/* The start of the word after the one at at. */
static size_t
schema_next_word(const char *text, size_t len, size_t at)
{
	return schema_skip(text, len, schema_word_end(text, len, at));
}

/* Whether two statements have the same words; mostly their bytes are the same. */
static bool
schema_same(const char *a, size_t a_len, const char *b, size_t b_len)
{
	size_t i = 0, j = 0, i_end, j_end;

	if (a_len == b_len && memcmp(a, b, a_len) == 0)
		return true;
	for (;; i = i_end, j = j_end) {
		i = schema_skip(a, a_len, i);
		j = schema_skip(b, b_len, j);
		i_end = schema_word_end(a, a_len, i);
		j_end = schema_word_end(b, b_len, j);
		if (i_end - i != j_end - j || memcmp(a + i, b + j, i_end - i) != 0)
			return false;
		if (i == i_end)
			return true;
	}
}

/* Where the first statement ends: before its semicolon, or at the end of the text. */
static size_t
schema_statement_len(const char *text)
{
	for (size_t at = 0;; at += strncmp(text + at, "--", 2) == 0 ? strcspn(text + at, "\n") : 1) {
		at += strcspn(text + at, ";-");
		if (text[at] != '-')
			return at;
	}
}

/*
 * The objects that a block makes: each begins with its verb, perhaps UNIQUE, its kind and its
 * name.
 */
static void
schema_objects_add(struct schema_objects *all, const struct schema_block *b)
{
	const char *sql = sql_text[b->id].text, *end = sql + strlen(sql);

	while ((sql += schema_skip(sql, (size_t)(end - sql), 0)) < end) {
		struct schema_object o = { .block = b->id, .sql = sql, .len = schema_statement_len(sql), .contents = b->contents, .later = b->later };
		size_t at = schema_next_word(sql, o.len, 0);

		if (strncmp(sql + at, "UNIQUE ", 7) == 0)
			at = schema_next_word(sql, o.len, at);
		o.is_index = strncmp(sql + at, "INDEX ", 6) == 0;
		at = schema_next_word(sql, o.len, at);
		o.name = sql + at;
		o.name_len = schema_word_end(sql, o.len, at) - at;
		vec_push(all, o);
		sql += o.len + 1;
	}
}

/* Find the object of a row of the schema, and note that it exists. */
static int
schema_meet(struct schema_objects *all, const struct db *db, struct stmt *st, struct err *err)
{
	const char *kind, *name, *sql;
	size_t len, name_len, sql_len;
	bool same = false;

	kind = stmt_col_text(st, 0, &len);
	name = stmt_col_text(st, 1, &name_len);
	sql = stmt_col_text(st, 2, &sql_len);
	for (size_t i = 0; i < all->n; i++) {
		struct schema_object *o = &all->v[i];

		if (o->name_len != name_len || memcmp(o->name, name, name_len) != 0)
			continue;
		same = !o->found && schema_same(o->sql, o->len, sql, sql_len);
		o->found = true;
	}
	return same ? 0 : db_damaged(db, err, "its %s '%s' is not one that twindex makes: scan into a new index", kind, name);
}

/* Collect the missing objects. */
static int
schema_miss(const struct schema_objects *all, const struct db *db, struct schema_state *state, struct err *err)
{
	bool some = false, names = false;

	state->contents = true;
	state->names = true;
	for (size_t i = 0; i < all->n; i++) {
		const struct schema_object *o = &all->v[i];

		state->validated |= o->found && o->block == SQL_SCHEMA_VALIDATED;
		state->digests |= o->found && o->block == SQL_SCHEMA_DIGEST;
		state->payloads |= o->found && o->block == SQL_SCHEMA_PAYLOAD;
		state->claims |= o->found && o->block == SQL_SCHEMA_CLAIM;
		state->drawer |= o->found && o->block == SQL_SCHEMA_DRAWER;
		state->archives |= o->found && o->block == SQL_SCHEMA_ARCHIVE;
		state->fleeting |= o->found && o->block == SQL_VIEWS_FLEETING;
		if (!o->found && !o->is_index && !o->later)
			return db_damaged(db, err, "its '%.*s' is missing: scan into a new index", (int)o->name_len, o->name);
		state->contents &= o->found || !o->contents;
		state->names &= o->found || o->block != SQL_SCHEMA_NAME;
		names |= o->block == SQL_SCHEMA_NAME;
		some |= o->found && o->contents;
	}
	/* Older versions have none. */
	state->names &= names;
	for (size_t i = 0; i < all->n; i++) {
		const struct schema_object *o = &all->v[i];

		if (!o->found && !o->later && (!o->contents || some))
			buf_addf(&state->lacks, "%s%.*s", state->lacks.len > 0 ? ", " : "", (int)o->name_len, o->name);
	}
	return 0;
}

int
schema_check(struct db *db, int64_t version, struct schema_state *state, struct err *err)
{
	struct stmt st = stmt_get(db, SQL_SCHEMA_OBJECTS, err);
	struct schema_objects all = { 0 };
	int ret;

	memset(state, 0, sizeof(*state));
	for (size_t i = 0; i < SCHEMA_BLOCKS; i++) {
		if (version >= schema_blocks[i].first && version <= schema_blocks[i].last)
			schema_objects_add(&all, &schema_blocks[i]);
	}
	while ((ret = stmt_step(&st)) == 1) {
		if (schema_meet(&all, db, &st, err) < 0) {
			stmt_done(&st);
			ret = -1;
			break;
		}
	}
	if (ret == 0)
		ret = schema_miss(&all, db, state, err);
	vec_release(&all);
	return ret;
}

int
schema_make_indexes(struct db *db, int64_t version, struct err *err)
{
	int ret = db_exec(db, SQL_SCHEMA_INDEX_DROP, err);

	if (ret == 0)
		ret = db_exec(db, SQL_SCHEMA_INDEX, err);
	if (ret == 0 && version < SCHEMA_CONTENTS)
		return db_exec(db, SQL_SCHEMA_LINK_1, err) < 0 ? -1 : db_exec(db, SQL_SCHEMA_CONTENT_1, err);
	return ret == 0 && contents_index(db, err) >= 0 ? 0 : -1;
}
