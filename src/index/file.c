/* SPDX-License-Identifier: MIT */
/*
 * Hides the columns of a row of file: reading by COL_FILE_*, writing by a feed, and the stored
 * form of a name (valid UTF-8; where it is not, the bytes beside it).  Values that twindex never
 * writes - a name that is not an entry's, a negative size, a hash of another length - are damage
 * and never reach a caller.
 *
 * A signature (file_same) is compared for equality, never for older or newer.
 */
#include "base/base.h"

#include "index/file.h"

#include <time.h>

#include "archive/packed.h"
#include "db/db.h"
#include "db/bulk_insert.h"
#include "db/stmt.h"

/* Columns that are 64-bit numbers in a row: the offset there, plus one. */
static const size_t file_numbers[] = {
	[COL_FILE_DIR] = offsetof(struct file_row, dir) + 1,
	[COL_FILE_SIZE] = offsetof(struct file_row, size) + 1,
	[COL_FILE_BLOCKS] = offsetof(struct file_row, blocks) + 1,
	[COL_FILE_VOLUME] = offsetof(struct file_row, inode.volume) + 1,
	[COL_FILE_INODE] = offsetof(struct file_row, inode.number) + 1,
	[COL_FILE_NLINK] = offsetof(struct file_row, nlink) + 1,
	[COL_FILE_MTIME] = offsetof(struct file_row, mtime.sec) + 1,
	[COL_FILE_CTIME] = offsetof(struct file_row, ctime.sec) + 1,
};
/* Bytes of a block of most file systems. */
#define FILE_BLOCK 4096
#define FILE_NUMBERS ((int)(sizeof(file_numbers) / sizeof(file_numbers[0])))

const char *
file_error_text(int error)
{
	switch (error) {
	case FILE_CHANGING:
		return "it changed while it was read";
	case FILE_COLLISION:
		return "its bytes differ from those of a file with the same hash";
	case FILE_CORRUPT:
		return "content changed under an unchanged signature";
	default:
		return error < FILE_MEMBER ? packed_why_text((enum packed_why)(FILE_MEMBER - error)) : strerror(error);
	}
}

static int64_t *
file_number(struct file_row *row, int column)
{
	return (int64_t *)(void *)((char *)row + file_numbers[column] - 1);
}

/* Refuse a row because of a column. */
static int
file_corrupt(const struct stmt *st, const struct file_row *row, const char *column, struct err *err)
{
	return db_corrupt(st->db, err, "file", row->dir, row->name, "has an invalid %s", column);
}

int
file_read_stat(const struct stmt *st, struct file_row *row, struct err *err)
{
	size_t raw_len;

	memset(row, 0, sizeof(*row));
	for (int column = 0; column < FILE_NUMBERS; column++) {
		if (file_numbers[column] != 0)
			*file_number(row, column) = stmt_col_int(st, column);
	}
	row->name = stmt_col_text(st, COL_FILE_NAME, &row->name_len);
	if (stmt_col_blob(st, COL_FILE_NAME_RAW, &raw_len) != NULL) {
		/* A blob has no NUL behind it; as text SQLite gives it one, byte for byte. */
		row->name = stmt_col_text(st, COL_FILE_NAME_RAW, &row->name_len);
	}
	row->mtime.nsec = (int32_t)stmt_col_int(st, COL_FILE_MTIME_NSEC);
	row->ctime.nsec = (int32_t)stmt_col_int(st, COL_FILE_CTIME_NSEC);
	if (!name_is_entry(row->name, row->name_len))
		return file_corrupt(st, row, "name", err);
	return row->size >= 0 ? 0 : file_corrupt(st, row, "size", err);
}

int
file_read(const struct stmt *st, struct file_row *row, struct err *err)
{
	const void *hash;
	size_t len;

	if (file_read_stat(st, row, err) < 0)
		return -1;
	row->has_head = !stmt_col_is_null(st, COL_FILE_HEAD);
	row->head = stmt_col_int(st, COL_FILE_HEAD);
	hash = stmt_col_blob(st, COL_FILE_HASH, &len);
	row->has_hash = hash != NULL;
	row->racy = stmt_col_int(st, COL_FILE_RACY) != 0;
	row->verified = stmt_col_int(st, COL_FILE_VERIFIED);
	row->error = (int)stmt_col_int(st, COL_FILE_ERROR);
	if (hash == NULL)
		return 0;
	if (len != HASH_SIZE)
		return file_corrupt(st, row, "hash", err);
	memcpy(row->hash, hash, HASH_SIZE);
	return 0;
}

/* Report an invalid hash in an index on contents; search for the row that has it. */
static int
file_corrupt_hash(struct db *db, struct err *err)
{
	struct stmt st = stmt_get(db, SQL_FILE_HASH_INVALID, err);
	const int ret = stmt_step(&st);
	size_t len;

	if (ret == 0)
		db_corrupt(db, err, "file", 0, NULL, "has an invalid hash");
	else if (ret == 1)
		db_corrupt(db, err, "file", stmt_col_int(&st, 0), stmt_col_text(&st, 1, &len), "has an invalid hash");
	stmt_done(&st);
	return -1;
}

int
file_read_hash(const struct stmt *st, int col, uint8_t hash[HASH_SIZE], struct err *err)
{
	size_t len;
	const void *value = stmt_col_blob(st, col, &len);

	if (value == NULL || len != HASH_SIZE)
		return file_corrupt_hash(st->db, err);
	memcpy(hash, value, HASH_SIZE);
	return 0;
}

void
file_feed_column(const struct file_row *row, int column, struct bulk_insert_value *v)
{
	struct buf text = { 0 };

	switch (column) {
	case COL_FILE_NAME:
		if (name_is_utf8(row->name, row->name_len)) {
			bulk_insert_text(v, row->name, row->name_len);
			break;
		}
		name_store(&text, row->name, row->name_len);
		bulk_insert_text_copy(v, text.data, text.len);
		buf_release(&text);
		break;
	case COL_FILE_NAME_RAW:
		if (!name_is_utf8(row->name, row->name_len))
			bulk_insert_blob(v, row->name, row->name_len);
		break;
	case COL_FILE_MTIME_NSEC:
		bulk_insert_int(v, row->mtime.nsec);
		break;
	case COL_FILE_CTIME_NSEC:
		bulk_insert_int(v, row->ctime.nsec);
		break;
	case COL_FILE_HEAD:
		if (row->has_head)
			bulk_insert_int(v, row->head);
		break;
	case COL_FILE_HASH:
		if (row->has_hash)
			bulk_insert_blob(v, row->hash, HASH_SIZE);
		break;
	case COL_FILE_RACY:
		bulk_insert_int(v, row->racy);
		break;
	case COL_FILE_VERIFIED:
		if (row->verified != 0)
			bulk_insert_int(v, row->verified);
		break;
	case COL_FILE_ERROR:
		if (row->error != 0)
			bulk_insert_int(v, row->error);
		break;
	default:
		if (column < FILE_NUMBERS && file_numbers[column] != 0)
			bulk_insert_int(v, *file_number((struct file_row *)(uintptr_t)row, column));
		break;
	}
}

/* bulk_insert_fn: the value of a column of a whole row. */
static void
file_column(void *arg, size_t i, int column, struct bulk_insert_value *v)
{
	file_feed_column((const struct file_row *)arg + i, column, v);
}

/* bulk_insert_fn: the same for rows without verified and error, whose names are UTF-8. */
static void
file_column_plain(void *arg, size_t i, int column, struct bulk_insert_value *v)
{
	const struct file_row *row = (const struct file_row *)arg + i;

	if (column == COL_FILE_NAME)
		bulk_insert_text(v, row->name, row->name_len);
	else
		file_column(arg, i, column, v);
}

/* Run a statement over n rows, unless there are none. */
static int
file_feed(struct db *db, enum sql_id id, bulk_insert_fn *column, const struct file_row *rows, size_t n, struct err *err)
{
	/* bulk_insert_run passes the pointer only to the column functions, which only read. */
	return n > 0 ? bulk_insert_run(db, id, n, column, (void *)(uintptr_t)rows, err) : 0;
}

/* Whether a row has none of the columns that are seldom there. */
static bool
file_is_plain(const struct file_row *row)
{
	return row->verified == 0 && row->error == 0 && name_is_utf8(row->name, row->name_len);
}

int
file_put_many(struct db *db, const struct file_row *rows, size_t n, struct err *err)
{
	size_t plain = 0;

	while (plain < n && file_is_plain(&rows[plain]))
		plain++;
	return plain == n ? file_feed(db, SQL_FILE_PUT_PLAIN, file_column_plain, rows, n, err) :
	       file_feed(db, SQL_FILE_PUT, file_column, rows, n, err);
}

void
file_bind_signature(struct stmt *st, const struct file_row *row)
{
	stmt_int(st, ":volume", row->inode.volume);
	stmt_int(st, ":inode", row->inode.number);
	stmt_int(st, ":size", row->size);
	stmt_int(st, ":mtime", row->mtime.sec);
	stmt_int(st, ":mtime_nsec", row->mtime.nsec);
	stmt_int(st, ":ctime", row->ctime.sec);
	stmt_int(st, ":ctime_nsec", row->ctime.nsec);
}

int
file_put(struct db *db, const struct file_row *row, struct err *err)
{
	struct stmt st;

	if (!file_is_plain(row))
		return file_put_many(db, row, 1, err);
	st = stmt_get(db, SQL_FILE_PUT_ONE, err);
	stmt_int(&st, ":dir", row->dir);
	stmt_text(&st, ":name", row->name, row->name_len);
	stmt_int(&st, ":size", row->size);
	stmt_int(&st, ":volume", row->inode.volume);
	stmt_int(&st, ":inode", row->inode.number);
	stmt_int(&st, ":ctime", row->ctime.sec);
	stmt_int(&st, ":ctime_nsec", row->ctime.nsec);
	stmt_blob(&st, ":hash", row->has_hash ? row->hash : NULL, HASH_SIZE);
	if (row->has_head)
		stmt_int(&st, ":head", row->head);
	stmt_int(&st, ":mtime_nsec", row->mtime.nsec);
	stmt_int(&st, ":mtime", row->mtime.sec);
	stmt_int(&st, ":blocks", row->blocks);
	stmt_int(&st, ":nlink", row->nlink);
	stmt_int(&st, ":racy", row->racy);
	return stmt_run(&st);
}

/*
 * Bind the stored form of a name.  text is the caller's, to be
 * released after the statement has run.
 */
static void
file_bind_name(struct stmt *st, struct buf *text, const char *name, size_t len)
{
	name_store(text, name, len);
	stmt_text(st, ":name", text->data, text->len);
}

int
file_set_links(struct db *db, const struct file_row *rows, size_t n, struct err *err)
{
	return file_feed(db, SQL_FILE_SET_LINKS, file_column, rows, n, err) < 0 ? -1 :
	       file_feed(db, SQL_DIR_DIGEST_FORGET_LINKS, file_column, rows, n, err);
}

int
file_set_verified(struct db *db, int64_t dir, const char *name, size_t len, const uint8_t hash[HASH_SIZE], struct err *err)
{
	struct stmt st = stmt_get(db, SQL_FILE_SET_VERIFIED, err);
	struct buf text = { 0 };
	int ret;

	stmt_int(&st, ":now", (int64_t)time(NULL));
	stmt_int(&st, ":dir", dir);
	file_bind_name(&st, &text, name, len);
	stmt_blob(&st, ":hash", hash, HASH_SIZE);
	ret = stmt_run(&st);
	buf_release(&text);
	return ret;
}

int
file_delete(struct db *db, int64_t dir, const char *name, size_t len, struct err *err)
{
	struct stmt st = stmt_get(db, SQL_FILE_DELETE, err);
	struct buf text = { 0 };
	int ret;

	stmt_int(&st, ":dir", dir);
	file_bind_name(&st, &text, name, len);
	ret = stmt_run(&st);
	buf_release(&text);
	return ret;
}

int
file_delete_many(struct db *db, const struct file_row *rows, size_t n, struct err *err)
{
	return file_feed(db, SQL_FILE_DELETE_MANY, file_column, rows, n, err);
}

int
file_get(struct db *db, int64_t dir, const char *name, size_t len, struct file_row *row, struct err *err)
{
	struct stmt st = stmt_get(db, SQL_FILE_GET, err);
	struct buf text = { 0 };
	int ret;

	stmt_int(&st, ":dir", dir);
	file_bind_name(&st, &text, name, len);
	ret = stmt_step(&st);
	if (ret == 1) {
		if (file_read(&st, row, err) < 0)
			ret = -1;
		row->name = name;
		row->name_len = len;
	}
	stmt_done(&st);
	buf_release(&text);
	return ret;
}

int
file_size_known(struct db *db, int64_t size, struct err *err)
{
	struct stmt st = stmt_get(db, SQL_FILE_SIZE_KNOWN, err);

	stmt_int(&st, ":size", size);
	return stmt_truth(&st);
}

int
file_any_from(struct db *db, int64_t size, struct err *err)
{
	struct stmt st = stmt_get(db, SQL_FILE_ANY_FROM, err);

	stmt_int(&st, ":size", size);
	return stmt_truth(&st);
}

static struct stmt
file_select_like(struct db *db, enum sql_id id, const struct file_row *row, struct err *err)
{
	struct stmt st = stmt_get(db, id, err);

	stmt_int(&st, ":size", row->size);
	stmt_int(&st, ":volume", row->inode.volume);
	stmt_int(&st, ":inode", row->inode.number);
	if (row->has_head)
		stmt_int(&st, ":head", row->head);
	return st;
}

struct stmt
file_unproven(struct db *db, const struct file_row *row, struct err *err)
{
	return file_select_like(db, SQL_FILE_UNPROVEN, row, err);
}

int
file_any_like(struct db *db, const struct file_row *row, struct err *err)
{
	struct stmt st = file_select_like(db, SQL_FILE_UNPROVEN_READ, row, err);

	return stmt_truth(&st);
}

int64_t
file_usual_blocks(int64_t size)
{
	return size / FILE_BLOCK * (FILE_BLOCK / 512) + (size % FILE_BLOCK > 0 ? FILE_BLOCK / 512 : 0);
}

void
file_from_stat(struct file_row *row, const struct fs_stat *st, int64_t volume)
{
	row->size = st->size;
	row->blocks = st->blocks;
	row->inode = (struct inode){ volume, (int64_t)st->inode };
	row->nlink = (int64_t)st->nlink;
	row->mtime = st->mtime;
	row->ctime = st->ctime;
	row->has_head = row->has_hash = row->racy = false;
	row->verified = 0;
	row->error = 0;
}

bool
file_same(const struct file_row *row, const struct fs_stat *st, bool trust_mtime)
{
	return row->size == st->size && row->inode.number == (int64_t)st->inode &&
	       fs_time_cmp(row->mtime, st->mtime) == 0 &&
	       (trust_mtime || fs_time_cmp(row->ctime, st->ctime) == 0);
}

bool
file_linked(const struct file_row *a, const struct file_row *b)
{
	return inode_same(a->inode, b->inode) && a->size == b->size && fs_time_cmp(a->mtime, b->mtime) == 0;
}
