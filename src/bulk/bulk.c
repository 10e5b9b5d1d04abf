/* SPDX-License-Identifier: MIT */
#include "base/base.h"

#include "bulk/bulk.h"

#include "bulk/btree.h"
#include "bulk/content_index.h"
#include "index/file.h"

/* Bytes left free beside an unread row for its hash: without them the hash splits the page. */
#define BULK_SPARE HASH_SIZE

struct bulk {
	struct db *db;           /* between bulk_begin_rows and bulk_end_rows; or NULL */
	struct btree *rows;      /* there, once there are enough; or NULL.  Owned */
	size_t enough;
	bool declined;           /* there were enough, but the file can't have the tree */
	/* Rows that were taken and are not in the tree: before it is begun, each row. */
	VEC(struct file_row) held;
	struct arena names;      /* of held */
	int64_t dir;             /* of the last row that was taken, and its name */
	struct buf name;
	bool refused;
	struct content_index notes;
};

struct bulk *
bulk_new(size_t enough)
{
	struct bulk *b = mem_zalloc(1, sizeof(*b));

	b->enough = enough;
	return b;
}

static void
bulk_forget_rows(struct bulk *b)
{
	btree_free(b->rows);
	b->rows = NULL;
	b->db = NULL;
	vec_release(&b->held);
	arena_release(&b->names);
}

void
bulk_free(struct bulk *b)
{
	if (b == NULL)
		return;
	bulk_forget_rows(b);
	buf_release(&b->name);
	content_index_release(&b->notes);
	free(b);
}

int
bulk_begin_rows(struct bulk *b, struct db *db, struct err *err)
{
	int ret;

	assert(b->db == NULL);
	ret = b->enough == 0 ? btree_new(&b->rows, db, true, err) : 1;
	b->db = ret == 1 ? db : NULL;
	b->declined = false;
	b->dir = 0;
	buf_cut(&b->name, 0);
	return ret;
}

/* Whether a row sorts behind the last one. */
static bool
bulk_is_next(const struct bulk *b, const struct file_row *row)
{
	const size_t len = b->name.len < row->name_len ? b->name.len : row->name_len;
	int cmp;

	if (row->dir != b->dir)
		return row->dir > b->dir;
	cmp = memcmp(row->name, buf_str(&b->name), len);
	return cmp > 0 || (cmp == 0 && row->name_len > b->name.len);
}

/* Append a number; or NULL where the row has none, which does not move the end of the record. */
static void
bulk_record_number(struct record *r, size_t *end, bool none, int64_t value)
{
	none ? record_null(r) : record_int(r, value);
	*end = none ? *end : r->head_len;
}

/*
 * Encode a row without error, whose name is valid UTF-8, as the table stores it.  It ends behind
 * the last column that is not what SQLite puts in the place of columns that a record lacks.
 */
static void
bulk_record(const struct file_row *row, struct record *r)
{
	size_t end;

	record_start(r);
	record_int(r, row->dir);
	record_text(r, row->name, row->name_len);
	record_int(r, row->size);
	record_int(r, row->inode.volume);
	record_int(r, row->inode.number);
	record_int(r, row->ctime.sec);
	record_int(r, row->ctime.nsec);
	row->has_hash ? record_blob(r, row->hash, HASH_SIZE) : record_null(r);
	end = r->head_len;
	bulk_record_number(r, &end, !row->has_head, row->head);
	bulk_record_number(r, &end, row->mtime.nsec == row->ctime.nsec, row->mtime.nsec);
	bulk_record_number(r, &end, row->mtime.sec == row->ctime.sec, row->mtime.sec);
	bulk_record_number(r, &end, row->blocks == file_usual_blocks(row->size), row->blocks);
	record_int(r, row->nlink);
	end = row->nlink == 1 ? end : r->head_len;
	record_int(r, row->racy);
	end = row->racy ? r->head_len : end;
	record_null(r);
	bulk_record_number(r, &end, row->verified == 0, row->verified);
	record_null(r);
	/*
	 * What is left out has no bytes in the body.  A row that may get a hash is whole: SQLite
	 * writes all columns then, and would have to split the page.
	 */
	if (row->has_hash || row->size == 0)
		r->head_len = end;
}

/* Note whether a call failed because of a refusal.  Returns ret. */
static int
bulk_did(struct bulk *b, int ret)
{
	b->refused = ret < 0 && btree_refused(b->rows);
	return ret;
}

/* Put a row into the tree.  Returns 1; 0: it is too long for a page; -1. */
static int
bulk_put(struct bulk *b, const struct file_row *row, struct err *err)
{
	struct record r;

	bulk_record(row, &r);
	if (!btree_fits(b->rows, &r))
		return 0;
	return bulk_did(b, btree_add(b->rows, &r, row->size > 0 && !row->has_hash ? BULK_SPARE : 0, err)) < 0 ? -1 : 1;
}

/* There are enough rows: begin the tree, and put those into it that were held. */
static int
bulk_begin_tree(struct bulk *b, struct err *err)
{
	size_t left = 0;
	int ret = btree_new(&b->rows, b->db, true, err);

	b->declined = ret == 0;
	if (ret <= 0)
		return ret;
	for (size_t i = 0; i < b->held.n; i++) {
		if ((ret = bulk_put(b, &b->held.v[i], err)) < 0)
			return -1;
		if (ret == 0)
			b->held.v[left++] = b->held.v[i];
	}
	b->held.n = left;
	return 0;
}

int
bulk_add_row(struct bulk *b, const struct file_row *row, struct err *err)
{
	int ret = 1;

	if (b->declined || !bulk_is_next(b, row) || row->error != 0 || !name_is_utf8(row->name, row->name_len))
		return 0;
	if (b->rows == NULL) {
		struct file_row copy = *row;

		copy.name = arena_dup(&b->names, row->name, row->name_len);
		vec_push(&b->held, copy);
	} else
		ret = bulk_put(b, row, err);
	if (ret <= 0)
		return ret;
	b->dir = row->dir;
	buf_cut(&b->name, 0);
	buf_add(&b->name, row->name, row->name_len);
	return b->rows == NULL && b->held.n >= b->enough && bulk_begin_tree(b, err) < 0 ? -1 : 1;
}

int
bulk_end_rows(struct bulk *b, struct err *err)
{
	int ret = b->rows != NULL ? bulk_did(b, btree_finish_file(b->rows, err)) : 0;

	if (ret == 0)
		ret = file_put_many(b->db, b->held.v, b->held.n, err);
	bulk_forget_rows(b);
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

const char *
bulk_note_name(const struct bulk *b, size_t place)
{
	return content_index_name(&b->notes, place);
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
bulk_make_indexes(struct bulk *b, struct index *ix, const struct contents_without *without, struct name_build *names, struct err *err)
{
	if (b != NULL)
		b->notes.count.without = without;
	return content_index_finish(b != NULL ? &b->notes : NULL, ix, names, err);
}

const struct contents_count *
bulk_count(const struct bulk *b)
{
	return b != NULL && b->notes.counted ? &b->notes.count : NULL;
}
