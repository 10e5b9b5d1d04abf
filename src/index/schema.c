/* SPDX-License-Identifier: MIT */
/*
 * SQLite keeps the text of every CREATE, so that a schema can be compared with
 * the statements that made it.  Comments and the length of blanks do not count.
 */
#include <config.h>

#include "index/schema.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "base/err.h"
#include "base/mem.h"
#include "base/vec.h"
#include "db/db.h"
#include "db/stmt.h"
#include "index/contents.h"
#include "index/meta.h"

/* The versions that brought marks; today's indexes on contents. */
#define SCHEMA_MARKS 2
#define SCHEMA_CONTENTS 3

/* What is run at once, and the versions that have it. */
static const struct schema_block {
	enum sql_id id;
	int64_t first, last;
	bool contents;       /* indexes on contents: not there before rows are */
	bool later;          /* made when it is first used: it may be missing */
} schema_blocks[] = {
	{ SQL_SCHEMA, 1, INT64_MAX, false, false },
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
	{ SQL_VIEWS_HISTORY, SCHEMA_HISTORY, INT64_MAX, false, false },
	{ SQL_SCHEMA_VOLUME_1, 1, SCHEMA_HISTORY - 1, false, false },
	{ SQL_VIEWS_VOLUME_1, 1, SCHEMA_HISTORY - 1, false, false },
	{ SQL_SCHEMA_VALIDATED, SCHEMA_CONTENTS, INT64_MAX, false, true },
};

#define SCHEMA_BLOCKS (sizeof(schema_blocks) / sizeof(schema_blocks[0]))

/* A table, an index or a view that must be there. */
struct schema_object {
	char *sql, *name;    /* owned; sql is plain */
	bool is_index, contents, later, found;
};

struct schema_objects {
	struct schema_object *v;
	size_t n, cap;
};

/* Run what the newest version has that came with the version first, or later. */
static int
schema_run(struct db *db, int64_t first, struct err *err)
{
	int ret = 0;

	for (size_t i = 0; ret == 0 && i < SCHEMA_BLOCKS; i++) {
		const struct schema_block *b = &schema_blocks[i];

		if (!b->contents && !b->later && b->first >= first && b->last == INT64_MAX)
			ret = db_exec(db, b->id, err);
	}
	return ret;
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
	    meta_put_int(db, "created", (int64_t)time(NULL), err) == 0 && meta_put_int(db, "history_from", 0, err) == 0)
		ret = 0;
	return db_end(db, ret, err);
}

int
schema_upgrade(struct db *db, int64_t version, bool contents, struct err *err)
{
	int ret = -1;

	assert(version >= 1 && version < SCHEMA_VERSION);
	if (db_begin(db, err) < 0)
		return -1;
	if ((version >= SCHEMA_CONTENTS || db_exec(db, SQL_SCHEMA_UPGRADE_3, err) == 0) &&
	    db_exec(db, SQL_SCHEMA_UPGRADE_4, err) == 0 && schema_run(db, version + 1, err) == 0 &&
	    db_exec(db, SQL_SCHEMA_UPGRADED_4, err) == 0 &&
	    (version >= SCHEMA_CONTENTS || !contents || contents_index(db, err) == 0) &&
	    db_pragma(db, "user_version", SCHEMA_VERSION, err) == 0)
		ret = 0;
	return db_end(db, ret, err);
}

static bool
schema_is_blank(char c)
{
	return c == ' ' || (c >= '\t' && c <= '\r');
}

/* Append a statement with one blank for every run of blanks and comments, and none at its ends. */
static void
schema_plain(struct buf *b, const char *text, size_t len)
{
	for (size_t i = 0; i < len;) {
		const size_t word = i;

		while (i < len && !schema_is_blank(text[i]) && (text[i] != '-' || i + 1 == len || text[i + 1] != '-'))
			i++;
		if (i > word) {
			if (b->len > 0)
				buf_addc(b, ' ');
			buf_add(b, text + word, i - word);
		} else if (schema_is_blank(text[i]))
			i++;
		else
			i += strcspn(text + i, "\n");
	}
}

/*
 * The objects that a plain text makes: each begins with its verb, perhaps UNIQUE, its kind and
 * its name, and ends with a semicolon.
 */
static void
schema_objects_add(struct schema_objects *all, char *text, const struct schema_block *b)
{
	for (char *end, *sql = text; (end = strchr(sql, ';')) != NULL; sql = end + 1) {
		struct schema_object o = { .contents = b->contents, .later = b->later };
		const char *kind, *name;

		sql += strspn(sql, " ");
		*end = '\0';
		kind = strchr(sql, ' ') + 1;
		if (strncmp(kind, "UNIQUE ", 7) == 0)
			kind += 7;
		name = strchr(kind, ' ') + 1;
		o.is_index = strncmp(kind, "INDEX ", 6) == 0;
		o.name = mem_dup(name, strcspn(name, " "));
		o.sql = mem_str(sql);
		vec_push(all, o);
	}
}

static void
schema_objects_of(struct schema_objects *all, int64_t version)
{
	for (size_t i = 0; i < SCHEMA_BLOCKS; i++) {
		const struct schema_block *b = &schema_blocks[i];
		struct buf text = { 0 };

		if (version < b->first || version > b->last)
			continue;
		schema_plain(&text, sql_text[b->id].text, strlen(sql_text[b->id].text));
		buf_str(&text);
		schema_objects_add(all, text.data, b);
		buf_release(&text);
	}
}

static void
schema_objects_release(struct schema_objects *all)
{
	for (size_t i = 0; i < all->n; i++) {
		free(all->v[i].sql);
		free(all->v[i].name);
	}
	vec_release(all);
}

/* Find what a row of the schema is, and note that it is there. */
static int
schema_meet(struct schema_objects *all, const struct db *db, struct stmt *st, struct err *err)
{
	const char *kind, *name, *sql;
	struct buf plain = { 0 };
	size_t len, sql_len;
	bool same = false;

	kind = stmt_col_text(st, 0, &len);
	name = stmt_col_text(st, 1, &len);
	sql = stmt_col_text(st, 2, &sql_len);
	schema_plain(&plain, sql, sql_len);
	for (size_t i = 0; i < all->n; i++) {
		struct schema_object *o = &all->v[i];

		if (strcmp(o->name, name) != 0)
			continue;
		same = !o->found && strcmp(o->sql, buf_str(&plain)) == 0;
		o->found = true;
	}
	if (!same)
		db_damaged(db, err, "its %s '%s' is not one that twindex makes: scan into a new index", kind, name);
	buf_release(&plain);
	return same ? 0 : -1;
}

/* Sum up what was not met. */
static int
schema_miss(const struct schema_objects *all, const struct db *db, struct schema_state *state, struct err *err)
{
	bool some = false;

	state->contents = true;
	for (size_t i = 0; i < all->n; i++) {
		const struct schema_object *o = &all->v[i];

		if (o->later)
			state->validated |= o->found;
		else if (!o->found && !o->is_index)
			return db_damaged(db, err, "its '%s' is missing: scan into a new index", o->name);
		state->contents &= o->found || !o->contents;
		some |= o->found && o->contents;
	}
	for (size_t i = 0; i < all->n; i++) {
		const struct schema_object *o = &all->v[i];

		if (!o->found && !o->later && (!o->contents || some))
			buf_addf(&state->lacks, "%s%s", state->lacks.len > 0 ? ", " : "", o->name);
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
	schema_objects_of(&all, version);
	while ((ret = stmt_step(&st)) == 1) {
		if (schema_meet(&all, db, &st, err) < 0) {
			stmt_done(&st);
			ret = -1;
			break;
		}
	}
	if (ret == 0)
		ret = schema_miss(&all, db, state, err);
	schema_objects_release(&all);
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
