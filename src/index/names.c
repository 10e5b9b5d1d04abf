/* SPDX-License-Identifier: MIT */
#include "base/base.h"

#include "index/names.h"

#include "index/file.h"
#include "index/index.h"

static struct names
names_of_size(struct db *db, enum sql_id id, int64_t size, struct err *err)
{
	struct names n = { stmt_get(db, id, err) };

	stmt_int(&n.st, ":size", size);
	return n;
}

struct names
names_of_content(struct db *db, int64_t size, const uint8_t hash[HASH_SIZE], struct err *err)
{
	struct names n = names_of_size(db, SQL_FILE_BY_CONTENT, size, err);

	assert(hash != NULL);
	stmt_blob(&n.st, ":hash", hash, HASH_SIZE);
	return n;
}

struct names
names_of_inode(struct index *ix, int64_t size, struct inode inode, struct err *err)
{
	/* Only an old index can search by inode alone; a newer one sorts unread files by size. */
	const enum sql_id id = ix->version < 3 ? SQL_FILE_BY_LINK : SQL_FILE_UNREAD_OF_INODE;
	struct names n = names_of_size(ix->db, id, size, err);

	stmt_int(&n.st, ":volume", inode.volume);
	stmt_int(&n.st, ":inode", inode.number);
	return n;
}

struct names
names_linked(struct db *db, int64_t size, struct err *err)
{
	return names_of_size(db, SQL_FILE_READ_LINKS, size, err);
}

struct names
names_read(struct db *db, int64_t size, struct err *err)
{
	return names_of_size(db, SQL_FILE_HASHED, size, err);
}

struct names
names_unread(struct db *db, int64_t size, struct err *err)
{
	return names_of_size(db, SQL_FILE_UNHASHED, size, err);
}

int
names_next(struct names *n, struct file_row *row)
{
	int ret = stmt_step(&n->st);

	if (ret == 1 && file_read(&n->st, row, n->st.err) < 0)
		ret = -1;
	if (ret != 1)
		names_end(n);
	return ret;
}

void
names_end(struct names *n)
{
	stmt_done(&n->st);
}
