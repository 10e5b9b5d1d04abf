/* SPDX-License-Identifier: MIT */
#include <config.h>

#include "bulk/file_rows.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "base/buf.h"
#include "base/mem.h"
#include "base/name.h"
#include "bulk/btree.h"
#include "index/file.h"

/* Room left for the hash that an unread row may get.  Where there is none pages are divided when it comes: that costs time, and more room. */
#define FILE_ROWS_SPARE HASH_SIZE

struct file_rows {
	struct btree *bulk;
	int64_t dir;           /* of the last row */
	struct buf name;
};

int
file_rows_new(struct file_rows **load, struct db *db, struct err *err)
{
	struct btree *bulk;
	const int ret = btree_new(&bulk, db, err);

	if (ret == 1) {
		*load = mem_zalloc(1, sizeof(**load));
		(*load)->bulk = bulk;
	}
	return ret;
}

/* Whether a row comes behind the last one. */
static bool
file_rows_is_next(const struct file_rows *load, const struct file_row *row)
{
	const size_t len = load->name.len < row->name_len ? load->name.len : row->name_len;
	int cmp;

	if (row->dir != load->dir)
		return row->dir > load->dir;
	cmp = memcmp(row->name, buf_str(&load->name), len);
	return cmp > 0 || (cmp == 0 && row->name_len > load->name.len);
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
	record_int(r, row->volume);
	record_int(r, row->inode);
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
file_rows_add(struct file_rows *load, const struct file_row *row, struct err *err)
{
	struct record r;

	if (!file_rows_is_next(load, row) || row->error != 0 || !name_is_utf8(row->name, row->name_len))
		return 0;
	file_rows_record(row, &r);
	if (!btree_fits(load->bulk, &r))
		return 0;
	load->dir = row->dir;
	buf_cut(&load->name, 0);
	buf_add(&load->name, row->name, row->name_len);
	return btree_add(load->bulk, &r, row->size > 0 && !row->has_hash ? FILE_ROWS_SPARE : 0, err) < 0 ? -1 : 1;
}

int
file_rows_finish(struct file_rows *load, struct err *err)
{
	return btree_finish_file(load->bulk, err);
}

void
file_rows_free(struct file_rows *load)
{
	if (load == NULL)
		return;
	btree_free(load->bulk);
	buf_release(&load->name);
	free(load);
}
