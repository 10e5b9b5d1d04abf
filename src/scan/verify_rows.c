/* SPDX-License-Identifier: MIT */
#include "base/base.h"

#include "scan/verify_rows.h"

#include <time.h>

#include "db/db.h"
#include "db/bulk_insert.h"

/* The argument of verify_rows_column. */
struct verify_rows_feed {
	const struct verify_rows_file *v;
	int64_t now;
};

void
verify_rows_release(struct verify_rows *v)
{
	vec_release(&v->names);
	vec_release(&v->inodes);
}

void
verify_rows_name(struct verify_rows *v, int64_t dir, const char *name, size_t len, const uint8_t hash[HASH_SIZE])
{
	struct verify_rows_file *f = vec_add(&v->names);

	*f = (struct verify_rows_file){ .dir = dir, .name = name, .name_len = len };
	memcpy(f->hash, hash, HASH_SIZE);
}

void
verify_rows_inode(struct verify_rows *v, int64_t size, int64_t volume, int64_t inode, const uint8_t hash[HASH_SIZE])
{
	struct verify_rows_file *f = vec_add(&v->inodes);

	*f = (struct verify_rows_file){ .size = size, .inode = { volume, inode } };
	memcpy(f->hash, hash, HASH_SIZE);
}

/* The order of the table, but for names that are not UTF-8. */
static int
verify_rows_cmp_name(const void *a, const void *b)
{
	const struct verify_rows_file *x = a, *y = b;

	if (x->dir != y->dir)
		return x->dir < y->dir ? -1 : 1;
	return strcmp(x->name, y->name);
}

static int
verify_rows_cmp_inode(const void *a, const void *b)
{
	const struct verify_rows_file *x = a, *y = b;

	return inode_cmp(x->inode, y->inode);
}

/* bulk_insert_fn: the key of the row, the hash that it must have, and the time of comparison. */
static void
verify_rows_column(void *arg, size_t i, int column, struct bulk_insert_value *v)
{
	const struct verify_rows_feed *feed = arg;
	const struct verify_rows_file *f = &feed->v[i];
	struct buf text = { 0 };

	switch (column) {
	case COL_FEED_C1:
		bulk_insert_int(v, f->name != NULL ? f->dir : f->inode.volume);
		break;
	case COL_FEED_C2:
		if (f->name == NULL) {
			bulk_insert_int(v, f->inode.number);
			break;
		}
		name_store(&text, f->name, f->name_len);
		bulk_insert_text_copy(v, text.data, text.len);
		buf_release(&text);
		break;
	case COL_FEED_C3:
		bulk_insert_blob(v, f->hash, HASH_SIZE);
		break;
	case COL_FEED_C4:
		bulk_insert_int(v, feed->now);
		break;
	case COL_FEED_C5:
		bulk_insert_int(v, f->size);
		break;
	default:
		break;
	}
}

static int
verify_rows_feed(struct db *db, enum sql_id id, const struct verify_rows_file *v, size_t n, int64_t *marked, struct err *err)
{
	struct verify_rows_feed feed = { v, (int64_t)time(NULL) };

	if (n == 0)
		return 0;
	if (bulk_insert_run(db, id, n, verify_rows_column, &feed, err) < 0)
		return -1;
	*marked += db_changes(db);
	return 0;
}

int
verify_rows_write(struct verify_rows *v, struct db *db, int64_t *n, struct err *err)
{
	int ret;

	*n = 0;
	if (v->names.n > 0)
		qsort(v->names.v, v->names.n, sizeof(*v->names.v), verify_rows_cmp_name);
	if (v->inodes.n > 0)
		qsort(v->inodes.v, v->inodes.n, sizeof(*v->inodes.v), verify_rows_cmp_inode);
	ret = verify_rows_feed(db, SQL_FILE_SET_VERIFIED, v->names.v, v->names.n, n, err);
	if (ret == 0)
		ret = verify_rows_feed(db, SQL_FILE_SET_VERIFIED_LINKS, v->inodes.v, v->inodes.n, n, err);
	v->names.n = v->inodes.n = 0;
	return ret;
}
