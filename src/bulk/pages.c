/* SPDX-License-Identifier: MIT */
/*
 * Hides how pages of an SQLite file come into a program's own hands.  SQLite allocates them: it
 * inserts one row into a scratch table, "reserved", so long that it fills a chain of overflow
 * pages (sqlite.org/fileformat2.html, "Cell Payload Overflow Pages").  The root of the table and
 * the pages of the chain are the reserved pages.  Once they are filled the table is deleted from
 * the schema: SQLite forgets the pages without freeing them.
 *
 * Their numbers are read from the file, and proven before any is written: SQLite was made to put
 * a mark of this reservation into each page, and the mark must be found there.  So a misread or
 * damaged number never leads to a page that belongs to something else.
 *
 * All this is part of the transaction: a process that is killed leaves a journal, which restores
 * the file.  One thread, the writer of the scan, uses the connection and the pages.
 */
#include "base/base.h"

#include "bulk/pages.h"

#include <sqlite3.h>

#include "db/db.h"
#include "db/stmt.h"

/* Bytes at the start of a page of a chain: the number of the next one. */
#define PAGES_LINK PAGES_NUMBER
/*
 * In smaller pages an entry with a long name would not lie in one piece; larger ones have other
 * headers.
 */
#define PAGES_SIZE_MIN 8192
#define PAGES_SIZE_MAX 32768
/*
 * Bytes of one write: SQLite itself never asks its file layer for more than a page, which may
 * have this size.
 */
#define PAGES_WRITE 65536
/* The byte whose page SQLite leaves empty, because its locks are there ("The Lock-Byte Page"). */
#define PAGES_LOCK_BYTE 0x40000000
/* A table leaf begins with type, free block, number of cells ("B-tree Pages"). */
#define PAGES_TABLE_LEAF 13
#define PAGES_HEADER 5
/* Pages that are tried out: a root, and a chain of one. */
#define PAGES_TRIED 2

/* The content of a reserved page until it is filled. */
struct pages_mark {
	uint64_t reservation, position;
};

/* sqlite3_exec's function for rows: whether the encoding is UTF-8. */
static int
pages_see_encoding(void *arg, int n, char **values, char **names)
{
	(void)n;
	(void)names;
	*(bool *)arg = values[0] != NULL && strcmp(values[0], "UTF-8") == 0;
	return 0;
}

/*
 * Note whether a failure with this code of SQLite is a refusal.  It is not when the disk, memory, a
 * signal or another process would stop SQLite alone as well.  Returns -1.
 */
static int
pages_failed(struct pages *p, int code)
{
	switch (code & 0xff) {
	case SQLITE_BUSY:
	case SQLITE_CANTOPEN:
	case SQLITE_FULL:
	case SQLITE_INTERRUPT:
	case SQLITE_LOCKED:
	case SQLITE_NOMEM:
		p->refused = false;
		break;
	case SQLITE_IOERR:
		/* A page that lies beyond the end of the file. */
		p->refused = code == SQLITE_IOERR_SHORT_READ;
		break;
	default:
		p->refused = true;
		break;
	}
	return -1;
}

/* Note a failure of the connection's last call.  Returns ret. */
static int
pages_ran(struct pages *p, int ret)
{
	return ret < 0 ? pages_failed(p, sqlite3_errcode(p->db->handle)) : 0;
}

/* As pages_ran, for a call that returned code and did not set the connection's. */
static int
pages_did(struct pages *p, int code, struct err *err)
{
	if (code == SQLITE_OK)
		return 0;
	db_fail_code(p->db, code, "reserve", err);
	return pages_failed(p, code);
}

int
pages_refuse(struct pages *p, const char *found, struct err *err)
{
	p->refused = true;
	return err_set(err, ERR_DB, "reserve: index '%s': %s", p->db->path, found);
}

/*
 * Whether pages can be written as the file is used now, and have the form that we write.  Returns
 * 1, 0 or -1.
 */
static int
pages_suit(struct pages *p, struct err *err)
{
	struct db *db = p->db;
	int64_t size, vacuum;
	bool utf8 = false;
	int reserved = -1;

	/*
	 * With a log, or before a transaction, pages lie elsewhere; readers could keep pages from
	 * being written.
	 */
	if (!db->in_transaction || db->mode != DB_MODE_EXCLUSIVE)
		return 0;
	if (sqlite3_exec(db->handle, "PRAGMA encoding", pages_see_encoding, &utf8, NULL) != SQLITE_OK)
		return pages_ran(p, db_fail(db, "reserve", err));
	if (db_pragma_get(db, "page_size", &size, err) < 0 || db_pragma_get(db, "auto_vacuum", &vacuum, err) < 0)
		return pages_ran(p, -1);
	p->size = (size_t)size;
	/*
	 * Records hold UTF-8.  An extension may reserve bytes at the end of each page; auto-vacuum
	 * keeps lists of pages.
	 */
	return sqlite3_file_control(db->handle, "main", SQLITE_FCNTL_RESERVE_BYTES, &reserved) == SQLITE_OK && reserved == 0 &&
	       sqlite3_file_control(db->handle, "main", SQLITE_FCNTL_FILE_POINTER, &p->file) == SQLITE_OK && p->file->pMethods != NULL &&
	       utf8 && vacuum == 0 && size >= PAGES_SIZE_MIN && size <= PAGES_SIZE_MAX;
}

/* Try it out with two pages, and take that back.  Returns 0 or -1. */
static int
pages_try(struct pages *p, struct err *err)
{
	uint8_t *images;
	bool done;

	if (db_exec(p->db, SQL_RESERVE_BEGIN, err) < 0)
		return pages_ran(p, -1);
	images = mem_zalloc(PAGES_TRIED, p->size);
	done = pages_reserve(p, PAGES_TRIED, err) == 0 && pages_fill(p, 0, PAGES_TRIED, images, err) == 0 && pages_detach(p, err) == 0;
	free(images);
	if (!done && !p->refused)
		return -1;
	if (db_exec(p->db, SQL_RESERVE_UNDO, err) < 0) {
		p->refused = false;
		return -1;
	}
	return done ? 0 : -1;
}

int
pages_open(struct pages *p, struct db *db, bool try_out, struct err *err)
{
	struct err failure = { 0 };
	int ret;

	*p = (struct pages){ .db = db };
	ret = pages_suit(p, &failure);
	if (ret == 1 && try_out && pages_try(p, &failure) < 0)
		ret = -1;
	if (ret == 1)
		return 1;
	pages_release(p);
	if (ret == 0 || p->refused)
		return 0;
	*err = failure;
	return -1;
}

void
pages_release(struct pages *p)
{
	free(p->numbers);
	p->numbers = NULL;
	p->n = p->n_filled = 0;
}

static int64_t
pages_offset(const struct pages *p, uint32_t page)
{
	return ((int64_t)page - 1) * (int64_t)p->size;
}

int
pages_read(struct pages *p, uint32_t page, size_t at, void *bytes, size_t len, struct err *err)
{
	return pages_did(p, p->file->pMethods->xRead(p->file, bytes, (int)len, pages_offset(p, page) + (int64_t)at), err);
}

/* Bytes of a row with overflow pages that stay in its leaf: the minimum. */
static size_t
pages_home(const struct pages *p)
{
	return (p->size - 12) * 32 / 255 - 23;
}

/*
 * The blob that takes n - 1 overflow pages: the record's head, of at most 8 bytes, leaves a gap
 * in the last one only.
 */
static size_t
pages_blob_len(const struct pages *p, size_t n)
{
	return n == 1 ? sizeof(struct pages_mark) : pages_home(p) + (n - 1) * (p->size - PAGES_LINK) - 8;
}

/*
 * The length of the head of the record: its own, and the type of the blob ("Record Format"),
 * numbers of 7 bits a byte.
 */
static size_t
pages_blob_head(size_t blob_len)
{
	size_t len = 2;

	for (size_t type = 2 * blob_len + 12; type >= 128; type /= 128)
		len++;
	return len;
}

/* Where the content of the page with this position begins in the blob. */
static size_t
pages_blob_at(const struct pages *p, size_t head, size_t position)
{
	return position == 0 ? 0 : pages_home(p) - head + (position - 1) * (p->size - PAGES_LINK);
}

static struct pages_mark
pages_mark(const struct pages *p, size_t position)
{
	return (struct pages_mark){ p->mark, position };
}

/* Have SQLite write a mark into the content of each page. */
static int
pages_write_marks(struct pages *p, size_t n, struct err *err)
{
	const size_t head = pages_blob_head(pages_blob_len(p, n));
	sqlite3_blob *blob;
	int code = sqlite3_blob_open(p->db->handle, "main", "reserved", "room", sqlite3_last_insert_rowid(p->db->handle), 1, &blob);

	sqlite3_randomness(sizeof(p->mark), &p->mark);
	/* From the end: the first write has SQLite follow the chain, and note each page of it. */
	for (size_t i = n; code == SQLITE_OK && i-- > 0;) {
		const struct pages_mark mark = pages_mark(p, i);

		code = sqlite3_blob_write(blob, &mark, sizeof(mark), (int)pages_blob_at(p, head, i));
	}
	/* It fails only if the last write did. */
	sqlite3_blob_close(blob);
	return pages_did(p, code, err);
}

/* The number of a root page, by a statement that asks the schema. */
static int
pages_root(struct pages *p, enum sql_id id, int64_t *root, struct err *err)
{
	struct stmt st = stmt_get(p->db, id, err);

	if (stmt_number(&st, root) < 0)
		return pages_ran(p, -1);
	return *root != 0 ? 0 : pages_refuse(p, "the schema lacks a table", err);
}

/* Whether the file has the page, it can hold content, and it is not among the first n numbers. */
static bool
pages_may_have(const struct pages *p, size_t n, uint32_t page, int64_t page_count)
{
	if (page < 2 || page > page_count || page == PAGES_LOCK_BYTE / p->size + 1)
		return false;
	for (size_t i = n; i > 0; i--) {
		if (p->numbers[i - 1] == page)
			return false;
	}
	return true;
}

uint32_t
pages_number(const uint8_t b[PAGES_NUMBER])
{
	return (uint32_t)b[0] << 24 | (uint32_t)b[1] << 16 | (uint32_t)b[2] << 8 | b[3];
}

/*
 * Prove the root: a leaf with one cell, at the end of the page, that holds the mark.  *next becomes
 * the number behind it: the first page of the chain, or 0.
 */
static int
pages_prove_root(struct pages *p, size_t n, uint32_t *next, struct err *err)
{
	static const uint8_t header[PAGES_HEADER] = { PAGES_TABLE_LEAF, 0, 0, 0, 1 };
	const struct pages_mark mark = pages_mark(p, 0);
	const size_t tail_len = n == 1 ? sizeof(mark) : pages_blob_at(p, pages_blob_head(pages_blob_len(p, n)), 1) + PAGES_LINK;
	uint8_t found[PAGES_HEADER], *tail = mem_alloc(tail_len);
	int ret = pages_read(p, p->numbers[0], 0, found, sizeof(found), err);

	if (ret == 0)
		ret = pages_read(p, p->numbers[0], p->size - tail_len, tail, tail_len, err);
	if (ret == 0 && (memcmp(found, header, sizeof(header)) != 0 || memcmp(tail, &mark, sizeof(mark)) != 0))
		ret = pages_refuse(p, "the root of the reserved pages is another page", err);
	*next = n == 1 ? 0 : pages_number(tail + tail_len - PAGES_LINK);
	free(tail);
	return ret;
}

/* Prove a page of the chain: its content begins with the mark.  *next is the number before it. */
static int
pages_prove(struct pages *p, size_t position, uint32_t *next, struct err *err)
{
	const struct pages_mark mark = pages_mark(p, position);
	uint8_t found[PAGES_LINK + sizeof(mark)];

	if (pages_read(p, p->numbers[position], 0, found, sizeof(found), err) < 0)
		return -1;
	if (memcmp(found + PAGES_LINK, &mark, sizeof(mark)) != 0)
		return pages_refuse(p, "a reserved page is another page", err);
	*next = pages_number(found);
	return 0;
}

/* Follow the chain of n pages from the root, and prove each. */
static int
pages_follow(struct pages *p, size_t n, int64_t root, struct err *err)
{
	uint32_t next = root > 0 && root <= UINT32_MAX ? (uint32_t)root : 0;
	int64_t page_count;

	if (db_pragma_get(p->db, "page_count", &page_count, err) < 0)
		return pages_ran(p, -1);
	p->numbers = mem_resize(p->numbers, n, sizeof(*p->numbers));
	for (size_t i = 0; i < n; i++) {
		if (!pages_may_have(p, i, next, page_count))
			return pages_refuse(p, "the chain of reserved pages leads elsewhere", err);
		p->numbers[i] = next;
		if ((i == 0 ? pages_prove_root(p, n, &next, err) : pages_prove(p, i, &next, err)) < 0)
			return -1;
	}
	return next == 0 ? 0 : pages_refuse(p, "the chain of reserved pages does not end", err);
}

int
pages_reserve(struct pages *p, size_t n, struct err *err)
{
	struct stmt st;
	int64_t root;

	assert(p->db->in_transaction && p->db->mode == DB_MODE_EXCLUSIVE);
	assert(n > 0 && p->n == 0);
	if (db_exec(p->db, SQL_RESERVE, err) < 0)
		return pages_ran(p, -1);
	st = stmt_get(p->db, SQL_RESERVE_FILL, err);
	stmt_int(&st, ":bytes", (int64_t)pages_blob_len(p, n));
	if (stmt_run(&st) < 0)
		return pages_ran(p, -1);
	/* Write the marks to the file, from which the chain is read. */
	if (pages_write_marks(p, n, err) < 0 || pages_root(p, SQL_RESERVE_ROOT, &root, err) < 0 ||
	    pages_did(p, sqlite3_db_cacheflush(p->db->handle), err) < 0 || pages_follow(p, n, root, err) < 0)
		return -1;
	p->n = n;
	p->n_filled = 0;
	return 0;
}

int
pages_fill(struct pages *p, size_t first, size_t n, const uint8_t *images, struct err *err)
{
	assert(p->db->in_transaction && p->db->mode == DB_MODE_EXCLUSIVE);
	assert(first + n <= p->n && p->n_filled + n <= p->n);
	for (size_t i = 0, end; i < n; i = end) {
		const uint32_t *number = p->numbers + first;

		/* Write neighbours at once. */
		for (end = i + 1; end < n && number[end] == number[end - 1] + 1 && (end - i + 1) * p->size <= PAGES_WRITE; end++)
			;
		if (pages_did(p, p->file->pMethods->xWrite(p->file, images + i * p->size, (int)((end - i) * p->size),
		                                           pages_offset(p, number[i])), err) < 0)
			return -1;
	}
	p->n_filled += n;
	return 0;
}

/* Let statements rewrite the schema. */
static int
pages_open_schema(struct pages *p, struct err *err)
{
	/* Every page must be filled before it is detached. */
	assert(p->n > 0 && p->n_filled == p->n);
	sqlite3_db_config(p->db->handle, SQLITE_DBCONFIG_DEFENSIVE, 0, NULL);
	return pages_ran(p, db_pragma(p->db, "writable_schema", 1, err));
}

/*
 * Have SQLite read the schema and these pages again.  Prepared statements then check the schema
 * too, lest one write without an index.  Returns ret, or -1.
 */
static int
pages_close_schema(struct pages *p, int ret, struct err *err)
{
	sqlite3 *handle = p->db->handle;

	if (sqlite3_exec(handle, "PRAGMA writable_schema = RESET", NULL, NULL, NULL) != SQLITE_OK && ret == 0)
		ret = pages_ran(p, db_fail(p->db, "reserve", err));
	sqlite3_db_config(handle, SQLITE_DBCONFIG_DEFENSIVE, 1, NULL);
	if (ret == 0)
		p->n = 0;
	return ret == 0 ? pages_did(p, sqlite3_db_release_memory(handle), err) : ret;
}

/* Run a statement that rewrites this many rows of the schema. */
static int
pages_rewrite(struct pages *p, struct stmt *st, int64_t rows, struct err *err)
{
	if (stmt_run(st) < 0)
		return pages_ran(p, -1);
	return db_changes(p->db) == rows ? 0 : pages_refuse(p, "the schema has other rows than it had", err);
}

int
pages_detach(struct pages *p, struct err *err)
{
	int ret = pages_open_schema(p, err);

	if (ret == 0) {
		struct stmt st = stmt_get(p->db, SQL_RESERVE_DETACH, err);

		ret = pages_rewrite(p, &st, 1, err);
	}
	return pages_close_schema(p, ret, err);
}

int
pages_become_index(struct pages *p, const char *name, enum sql_id create, struct err *err)
{
	int ret = pages_open_schema(p, err);

	if (ret == 0) {
		struct stmt st = stmt_get(p->db, SQL_RESERVE_BECOMES_INDEX, err);
		const char *sql = sql_text[create].text;

		stmt_text(&st, ":name", name, strlen(name));
		/* CREATE INDEX stores its text without the semicolon. */
		stmt_text(&st, ":sql", sql, strcspn(sql, ";"));
		ret = pages_rewrite(p, &st, 1, err);
	}
	return pages_close_schema(p, ret, err);
}

int
pages_become_file(struct pages *p, struct err *err)
{
	struct stmt st;
	int64_t root;
	int ret;

	if (pages_root(p, SQL_RESERVE_FILE_ROOT, &root, err) < 0)
		return -1;
	ret = pages_open_schema(p, err);
	if (ret == 0) {
		st = stmt_get(p->db, SQL_RESERVE_BECOMES_FILE, err);
		stmt_int(&st, ":root", p->numbers[0]);
		stmt_int(&st, ":old", root);
		ret = pages_rewrite(p, &st, 2, err);
	}
	if (pages_close_schema(p, ret, err) < 0)
		return -1;
	/* The scratch table now has the root page of the empty table. */
	return pages_ran(p, db_exec(p->db, SQL_RESERVE_DROP, err));
}
