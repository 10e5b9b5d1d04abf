/* SPDX-License-Identifier: MIT */
#include "base/base.h"

#include "index/contents.h"

#include "db/db.h"
#include "db/stmt.h"
#include "index/file.h"
#include "sys/stop.h"

void
contents_count_name(struct contents_count *c, int64_t size, const uint8_t hash[HASH_SIZE], int64_t inode, int64_t volume, int64_t dir)
{
	const struct contents_without *w = c->without;

	/* Mostly no directory is left out. */
	if (w != NULL && w->dirs.n > 0 && dir >= w->dirs.v[0]) {
		size_t at;

		ORDER_FIRST(at, w->dirs.n, w->dirs.v[at] < dir);
		if (at < w->dirs.n && w->dirs.v[at] == dir)
			return;
	}
	if (size != c->size || memcmp(hash, c->hash, HASH_SIZE) != 0) {
		c->size = size;
		memcpy(c->hash, hash, HASH_SIZE);
		c->n = 1;
	} else if (inode != c->inode || volume != c->volume) {
		/* Names beyond the first of an inode waste nothing. */
		c->sets += c->n++ == 1;
		c->redundant = num_add(c->redundant, size);
	}
	c->inode = inode;
	c->volume = volume;
}

int
contents_count(struct db *db, const struct contents_without *without, int64_t *sets, int64_t *redundant, struct err *err)
{
	struct stmt st = stmt_get(db, SQL_FILE_CONTENTS, err);
	struct contents_count count = { .without = without };
	uint8_t hash[HASH_SIZE];
	int ret;

	stmt_int(&st, ":min_size", 1);
	while ((ret = stmt_step(&st)) == 1) {
		if (file_read_hash(&st, 1, hash, err) < 0 || stop_check(err) < 0) {
			stmt_done(&st);
			return -1;
		}
		contents_count_name(&count, stmt_col_int(&st, 0), hash, stmt_col_int(&st, 2), stmt_col_int(&st, 3), stmt_col_int(&st, 4));
	}
	*sets = count.sets;
	*redundant = count.redundant;
	return ret;
}

int
contents_index(struct db *db, struct err *err)
{
	return db_exec(db, SQL_SCHEMA_CONTENT, err) < 0 ? -1 : db_exec(db, SQL_SCHEMA_UNREAD, err);
}
