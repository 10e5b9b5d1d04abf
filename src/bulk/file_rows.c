/* SPDX-License-Identifier: MIT */
#include "base/base.h"

#include "bulk/file_rows.h"

#include "bulk/btree.h"
#include "index/file.h"

/*
 * Room that is left for the hash that an unread row may get: without it pages would be split when
 * it comes, which costs time and more room.
 */
#define FILE_ROWS_SPARE HASH_SIZE

struct file_rows {
	struct btree *tree;
	int64_t dir;           /* of the last row that was taken, and its name */
	struct buf name;
};

int
file_rows_new(struct file_rows **rows, struct db *db, struct err *err)
{
	struct btree *tree;
	const int ret = btree_new(&tree, db, true, err);

	if (ret == 1) {
		*rows = mem_zalloc(1, sizeof(**rows));
		(*rows)->tree = tree;
	}
	return ret;
}

/* Whether a row comes behind the last one. */
static bool
file_rows_is_next(const struct file_rows *rows, const struct file_row *row)
{
	const size_t len = rows->name.len < row->name_len ? rows->name.len : row->name_len;
	int cmp;

	if (row->dir != rows->dir)
		return row->dir > rows->dir;
	cmp = memcmp(row->name, buf_str(&rows->name), len);
	return cmp > 0 || (cmp == 0 && row->name_len > rows->name.len);
}

/* Put a row whose name is valid UTF-8 in the form in which the table keeps it. */
static void
file_rows_record(const struct file_row *row, struct record *r)
{
	record_start(r);
	record_int(r, row->dir);
	record_text(r, row->name, row->name_len);
	record_null(r);
	record_int(r, row->size);
	record_int(r, row->blocks);
	record_int(r, row->inode.volume);
	record_int(r, row->inode.number);
	record_int(r, row->nlink);
	record_int(r, row->mtime.sec);
	record_int(r, row->mtime.nsec);
	record_int(r, row->ctime.sec);
	record_int(r, row->ctime.nsec);
	row->has_head ? record_int(r, row->head) : record_null(r);
	row->has_hash ? record_blob(r, row->hash, HASH_SIZE) : record_null(r);
	record_int(r, row->racy);
	row->verified != 0 ? record_int(r, row->verified) : record_null(r);
	row->error != 0 ? record_int(r, row->error) : record_null(r);
}

int
file_rows_add(struct file_rows *rows, const struct file_row *row, struct err *err)
{
	struct record r;

	if (!file_rows_is_next(rows, row) || row->error != 0 || !name_is_utf8(row->name, row->name_len))
		return 0;
	file_rows_record(row, &r);
	if (!btree_fits(rows->tree, &r))
		return 0;
	rows->dir = row->dir;
	buf_cut(&rows->name, 0);
	buf_add(&rows->name, row->name, row->name_len);
	return btree_add(rows->tree, &r, row->size > 0 && !row->has_hash ? FILE_ROWS_SPARE : 0, err) < 0 ? -1 : 1;
}

int
file_rows_finish(struct file_rows *rows, struct err *err)
{
	return btree_finish_file(rows->tree, err);
}

bool
file_rows_refused(const struct file_rows *rows)
{
	return btree_refused(rows->tree);
}

void
file_rows_free(struct file_rows *rows)
{
	if (rows == NULL)
		return;
	btree_free(rows->tree);
	buf_release(&rows->name);
	free(rows);
}
