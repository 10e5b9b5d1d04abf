/* SPDX-License-Identifier: MIT */
/* Replaces all other files here with --disable-bulk: takes no row, SQLite makes the indexes. */
#include "base/base.h"

#include "bulk/bulk.h"

#include "index/index.h"

struct bulk *
bulk_new(size_t enough)
{
	(void)enough;
	return NULL;
}

void
bulk_free(struct bulk *b)
{
	(void)b;
}

int
bulk_begin_rows(struct bulk *b, struct db *db, struct err *err)
{
	(void)b;
	(void)db;
	(void)err;
	return 0;
}

int
bulk_add_row(struct bulk *b, const struct file_row *row, struct err *err)
{
	(void)b;
	(void)row;
	(void)err;
	return 0;
}

int
bulk_end_rows(struct bulk *b, struct err *err)
{
	(void)b;
	(void)err;
	return 0;
}

bool
bulk_refused(const struct bulk *b)
{
	(void)b;
	return false;
}

size_t
bulk_note(struct bulk *b, const struct file_row *row)
{
	(void)b;
	(void)row;
	return 0;
}

const char *
bulk_note_name(const struct bulk *b, size_t place)
{
	(void)b;
	(void)place;
	return "";
}

void
bulk_note_hash(struct bulk *b, size_t place, const uint8_t hash[HASH_SIZE])
{
	(void)b;
	(void)place;
	(void)hash;
}

void
bulk_note_change(struct bulk *b, size_t place, const struct file_row *row)
{
	(void)b;
	(void)place;
	(void)row;
}

void
bulk_note_deleted(struct bulk *b)
{
	(void)b;
}

int
bulk_make_indexes(struct bulk *b, struct index *ix, const struct contents_without *without, struct name_build *names, struct err *err)
{
	(void)b;
	(void)without;
	(void)names;
	return index_make_contents(ix, err);
}

const struct contents_count *
bulk_count(const struct bulk *b)
{
	(void)b;
	return NULL;
}
