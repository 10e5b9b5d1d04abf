/* SPDX-License-Identifier: MIT */
#include "base/base.h"

#include "bulk/bulk.h"

#include "bulk/content_index.h"
#include "bulk/file_rows.h"

struct bulk {
	struct file_rows *rows;  /* between bulk_begin_rows and bulk_end_rows; or NULL.  Owned */
	bool refused;
	struct content_index notes;
};

struct bulk *
bulk_new(void)
{
	return mem_zalloc(1, sizeof(struct bulk));
}

void
bulk_free(struct bulk *b)
{
	if (b == NULL)
		return;
	file_rows_free(b->rows);
	content_index_release(&b->notes);
	free(b);
}

int
bulk_begin_rows(struct bulk *b, struct db *db, struct err *err)
{
	assert(b->rows == NULL);
	return file_rows_new(&b->rows, db, err);
}

/* The result of a call, and whether it failed because of a refusal. */
static int
bulk_did(struct bulk *b, int ret)
{
	b->refused = ret < 0 && file_rows_refused(b->rows);
	return ret;
}

int
bulk_add_row(struct bulk *b, const struct file_row *row, struct err *err)
{
	return bulk_did(b, file_rows_add(b->rows, row, err));
}

int
bulk_end_rows(struct bulk *b, struct err *err)
{
	const int ret = bulk_did(b, file_rows_finish(b->rows, err));

	file_rows_free(b->rows);
	b->rows = NULL;
	return ret;
}

bool
bulk_refused(const struct bulk *b)
{
	return b != NULL && b->refused;
}

size_t
bulk_note(struct bulk *b, const struct file_row *row)
{
	return content_index_note(&b->notes, row);
}

void
bulk_note_hash(struct bulk *b, size_t place, const uint8_t hash[HASH_SIZE])
{
	content_index_read(&b->notes, place, hash);
}

void
bulk_note_change(struct bulk *b, size_t place, const struct file_row *row)
{
	content_index_change(&b->notes, place, row);
}

void
bulk_note_deleted(struct bulk *b)
{
	b->notes.incomplete = true;
}

int
bulk_make_indexes(struct bulk *b, struct index *ix, const struct contents_without *without, struct err *err)
{
	if (b != NULL)
		b->notes.count.without = without;
	return content_index_finish(b != NULL ? &b->notes : NULL, ix, err);
}

const struct contents_count *
bulk_count(const struct bulk *b)
{
	return b != NULL && b->notes.counted ? &b->notes.count : NULL;
}
