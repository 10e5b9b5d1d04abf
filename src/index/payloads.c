/* SPDX-License-Identifier: MIT */
#include "base/base.h"

#include "index/payloads.h"

#include <time.h>

#include "db/db.h"
#include "db/stmt.h"
#include "index/index.h"
#include "index/names.h"

int
payloads_begin(struct index *ix, struct err *err)
{
	struct stmt st;

	if (!ix->payloads) {
		if (db_exec(ix->db, SQL_SCHEMA_PAYLOAD, err) < 0)
			return -1;
		ix->payloads = true;
		return 0;
	}
	st = stmt_get(ix->db, SQL_PAYLOAD_DROP_ORPHANS, err);
	return stmt_run(&st);
}

int
payloads_put(struct index *ix, struct inode inode, const struct fs_stat *fs, const struct payloads_entry *e, struct err *err)
{
	struct stmt st = stmt_get(ix->db, SQL_PAYLOAD_PUT, err);
	const char *format = payload_format_name(e->format);

	assert(ix->payloads);
	stmt_int(&st, ":volume", inode.volume);
	stmt_int(&st, ":inode", inode.number);
	stmt_text(&st, ":format", format, strlen(format));
	if (e->format != PAYLOAD_NONE)
		stmt_blob(&st, ":hash", e->hash, HASH_SIZE);
	stmt_int(&st, ":bytes", e->bytes);
	stmt_int(&st, ":size", fs->size);
	stmt_int(&st, ":mtime", fs->mtime.sec);
	stmt_int(&st, ":mtime_nsec", fs->mtime.nsec);
	stmt_int(&st, ":ctime", fs->ctime.sec);
	stmt_int(&st, ":ctime_nsec", fs->ctime.nsec);
	stmt_int(&st, ":read", (int64_t)time(NULL));
	return stmt_run(&st);
}

/* Read an entry from three columns; one in a format of a newer program has no payload. */
static int
payloads_read(const struct stmt *st, int col, struct payloads_entry *e, struct err *err)
{
	size_t len;
	const char *format = stmt_col_text(st, col, &len);

	*e = (struct payloads_entry){ .bytes = stmt_col_int(st, col + 2) };
	for (int i = PAYLOAD_NONE + 1; i < PAYLOAD_FORMATS; i++) {
		if (strcmp(format, payload_format_name((enum payload_format)i)) == 0)
			e->format = (enum payload_format)i;
	}
	return e->format != PAYLOAD_NONE ? file_read_hash(st, col + 1, e->hash, err) : 0;
}

int
payloads_get(struct index *ix, const struct file_row *row, struct payloads_entry *e, struct err *err)
{
	struct stmt st;
	int ret;

	if (!ix->payloads)
		return 0;
	st = stmt_get(ix->db, SQL_PAYLOAD_GET, err);
	file_bind_signature(&st, row);
	ret = stmt_step(&st);
	if (ret == 1 && payloads_read(&st, 0, e, err) < 0)
		ret = -1;
	stmt_done(&st);
	return ret;
}

/* An inode with a payload. */
struct payloads_inode {
	struct inode inode;
	int64_t size;
};

/* Deliver the names of an inode among the names of its size. */
static int
payloads_names(struct index *ix, const struct payloads_inode *i, bool read, payloads_fn *fn, void *arg, struct err *err)
{
	struct names names = read ? names_read(ix->db, i->size, err) : names_of_inode(ix, i->size, i->inode, err);
	struct payloads_entry e;
	struct file_row row;
	int ret;

	while ((ret = names_next(&names, &row)) == 1) {
		/* Before version 3, names_of_inode() has those that were read, too. */
		if (!inode_same(row.inode, i->inode) || row.has_hash != read)
			continue;
		ret = payloads_get(ix, &row, &e, err);
		if (ret == 1)
			ret = fn(arg, &row, &e, err);
		if (ret < 0)
			break;
	}
	names_end(&names);
	return ret;
}

int
payloads_same(struct index *ix, const uint8_t hash[HASH_SIZE], payloads_fn *fn, void *arg, struct err *err)
{
	VEC(struct payloads_inode) inodes = { 0 };
	struct stmt st;
	int ret;

	if (!ix->payloads)
		return 0;
	st = stmt_get(ix->db, SQL_PAYLOAD_INODES, err);
	stmt_blob(&st, ":hash", hash, HASH_SIZE);
	while ((ret = stmt_step(&st)) == 1)
		vec_push(&inodes, ((struct payloads_inode){ { stmt_col_int(&st, 0), stmt_col_int(&st, 1) }, stmt_col_int(&st, 2) }));
	for (size_t i = 0; ret == 0 && i < inodes.n; i++) {
		ret = payloads_names(ix, &inodes.v[i], true, fn, arg, err);
		if (ret == 0)
			ret = payloads_names(ix, &inodes.v[i], false, fn, arg, err);
	}
	vec_release(&inodes);
	return ret;
}

int
payloads_shared(struct index *ix, payloads_fn *fn, void *arg, struct err *err)
{
	struct payloads_entry e;
	struct file_row row;
	struct stmt st;
	int ret;

	if (!ix->payloads)
		return 0;
	st = stmt_get(ix->db, SQL_PAYLOAD_GROUPS, err);
	while ((ret = stmt_step(&st)) == 1) {
		if (file_read(&st, &row, err) < 0 || payloads_read(&st, COL_FILE_ERROR + 1, &e, err) < 0 ||
		    (e.format != PAYLOAD_NONE && fn(arg, &row, &e, err) < 0)) {
			ret = -1;
			break;
		}
	}
	stmt_done(&st);
	return ret;
}
