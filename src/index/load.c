/* SPDX-License-Identifier: MIT */
#include <config.h>

#include "index/load.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "base/buf.h"
#include "base/mem.h"
#include "base/name.h"
#include "db/bulk.h"
#include "index/file.h"

/* Room left for the hash that an unread row may get.  Where there is none pages are divided when it comes: that costs time, and more room. */
#define LOAD_SPARE HASH_SIZE

struct load {
	struct bulk *bulk;
	int64_t dir;           /* of the last row */
	struct buf name;
};

int
load_new(struct load **load, struct db *db, struct err *err)
{
	struct bulk *bulk;
	const int ret = bulk_new(&bulk, db, err);

	if (ret == 1) {
		*load = mem_zalloc(1, sizeof(**load));
		(*load)->bulk = bulk;
	}
	return ret;
}

/* Whether a row comes behind the last one. */
static bool
load_is_next(const struct load *load, const struct file_row *row)
{
	const size_t len = load->name.len < row->name_len ? load->name.len : row->name_len;
	int cmp;

	if (row->dir != load->dir)
		return row->dir > load->dir;
	cmp = memcmp(row->name, buf_str(&load->name), len);
	return cmp > 0 || (cmp == 0 && row->name_len > load->name.len);
}

int
load_add(struct load *load, const struct file_row *row, struct err *err)
{
	struct record r;

	if (!load_is_next(load, row) || row->error != 0 || !name_is_utf8(row->name, row->name_len))
		return 0;
	file_record(row, &r);
	if (!bulk_fits(load->bulk, &r))
		return 0;
	load->dir = row->dir;
	buf_cut(&load->name, 0);
	buf_add(&load->name, row->name, row->name_len);
	return bulk_add(load->bulk, &r, row->size > 0 && !row->has_hash ? LOAD_SPARE : 0, err) < 0 ? -1 : 1;
}

int
load_finish(struct load *load, struct err *err)
{
	return bulk_finish_file(load->bulk, err);
}

void
load_free(struct load *load)
{
	if (load == NULL)
		return;
	bulk_free(load->bulk);
	buf_release(&load->name);
	free(load);
}
