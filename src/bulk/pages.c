/* SPDX-License-Identifier: MIT */
/*
 * Pages come from SQLite: a table with one row, so long that it fills a chain
 * of overflow pages (sqlite.org/fileformat2.html, "Cell Payload Overflow Pages"),
 * which is then made to forget them.  All this is a part of the transaction: a process that
 * is killed meanwhile leaves a journal, and with it the file as it was.
 */
#include <config.h>

#include "bulk/pages.h"

#include <sqlite3.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "base/err.h"
#include "base/mem.h"
#include "db/db.h"
#include "db/stmt.h"

/* Where a page begins with the number of the next in its chain. */
#define PAGES_LINK 4
/* In smaller pages an entry with a long name would not lie in one piece; larger ones have other headers. */
#define PAGES_SIZE_MIN 8192
#define PAGES_SIZE_MAX 32768
/* More is not written at a time: SQLite itself never asks its file layer for more than a page, which may have this size. */
#define PAGES_WRITE 65536

/* sqlite3_exec's function for rows: whether the encoding is UTF-8. */
static int
pages_see_encoding(void *arg, int n, char **values, char **names)
{
	(void)n;
	(void)names;
	*(bool *)arg = values[0] != NULL && strcmp(values[0], "UTF-8") == 0;
	return 0;
}

int
pages_open(struct pages *p, struct db *db, struct err *err)
{
	int64_t size, vacuum;
	bool utf8 = false;
	int reserved = -1;

	*p = (struct pages){ .db = db };
	/*
	 * With a log, or before a transaction, which may begin by using one, pages lie elsewhere; where others
	 * may read meanwhile they could keep them from being written.
	 */
	if (!db->in_transaction || !db->unshared)
		return 0;
	if (sqlite3_exec(db->handle, "PRAGMA encoding", pages_see_encoding, &utf8, NULL) != SQLITE_OK)
		return db_fail(db, "reserve", err);
	if (db_pragma_get(db, "page_size", &size, err) < 0 || db_pragma_get(db, "auto_vacuum", &vacuum, err) < 0)
		return -1;
	/* Records hold UTF-8.  Bytes at the end of each page may belong to an extension; pages that can be vacuumed are listed in others. */
	if (sqlite3_file_control(db->handle, "main", SQLITE_FCNTL_RESERVE_BYTES, &reserved) != SQLITE_OK || reserved != 0 ||
	    sqlite3_file_control(db->handle, "main", SQLITE_FCNTL_FILE_POINTER, &p->file) != SQLITE_OK || p->file->pMethods == NULL ||
	    !utf8 || vacuum != 0 || size < PAGES_SIZE_MIN || size > PAGES_SIZE_MAX)
		return 0;
	p->size = (size_t)size;
	return 1;
}

void
pages_release(struct pages *p)
{
	free(p->numbers);
	p->numbers = NULL;
}

static uint32_t
pages_number(const uint8_t b[PAGES_LINK])
{
	return (uint32_t)b[0] << 24 | (uint32_t)b[1] << 16 | (uint32_t)b[2] << 8 | b[3];
}

static int
pages_io(struct pages *p, int rc, struct err *err)
{
	return rc == SQLITE_OK ? 0 : db_fail_code(p->db, rc, "reserve", err);
}

/* Read the number that stands at a place in a page. */
static int
pages_read_link(struct pages *p, uint32_t page, size_t at, uint32_t *next, struct err *err)
{
	uint8_t link[PAGES_LINK];
	const sqlite3_int64 offset = (sqlite3_int64)(page - 1) * (sqlite3_int64)p->size + (sqlite3_int64)at;

	if (pages_io(p, p->file->pMethods->xRead(p->file, link, sizeof(link), offset), err) < 0)
		return -1;
	*next = pages_number(link);
	return *next != 0 ? 0 : err_set(err, ERR_DB, "reserve: index '%s': a page is missing", p->db->path);
}

/* The longest blob that takes so many overflow pages: of a row that has any at least a part of this length stays at home. */
static int64_t
pages_blob_len(const struct pages *p, size_t overflow)
{
	const size_t home = (p->size - 12) * 32 / 255 - 23, record_head = 8;

	return overflow == 0 ? 0 : (int64_t)(home + overflow * (p->size - PAGES_LINK) - record_head);
}

/* The number of a root page, by a statement that asks the schema. */
static int
pages_root(struct pages *p, struct stmt *st, int64_t *root, struct err *err)
{
	const int ret = stmt_step(st);

	if (ret == 0)
		return err_set(err, ERR_DB, "reserve: index '%s': its schema is not what it was", p->db->path);
	*root = stmt_col_int(st, 0);
	stmt_done(st);
	return ret < 0 ? -1 : 0;
}

int
pages_reserve(struct pages *p, size_t n, struct err *err)
{
	struct stmt st;
	int64_t root;

	if (db_exec(p->db, SQL_RESERVE, err) < 0)
		return -1;
	st = stmt_get(p->db, SQL_RESERVE_FILL, err);
	stmt_int(&st, ":bytes", pages_blob_len(p, n - 1));
	if (stmt_run(&st) < 0)
		return -1;
	st = stmt_get(p->db, SQL_RESERVE_ROOT, err);
	if (pages_root(p, &st, &root, err) < 0)
		return -1;
	/* To the file, where the chain is read. */
	if (pages_io(p, sqlite3_db_cacheflush(p->db->handle), err) < 0)
		return -1;
	p->numbers = mem_resize(p->numbers, n, sizeof(*p->numbers));
	p->numbers[0] = (uint32_t)root;
	/* The row is the only one of its page: it lies at the end, and there is the first number. */
	for (size_t i = 1; i < n; i++) {
		if (pages_read_link(p, p->numbers[i - 1], i == 1 ? p->size - PAGES_LINK : 0, &p->numbers[i], err) < 0)
			return -1;
	}
	return 0;
}

int
pages_fill(struct pages *p, size_t first, size_t n, const uint8_t *images, struct err *err)
{
	for (size_t i = 0, end; i < n; i = end) {
		const uint32_t *number = p->numbers + first;

		/* Neighbours at once. */
		for (end = i + 1; end < n && number[end] == number[end - 1] + 1 && (end - i + 1) * p->size <= PAGES_WRITE; end++)
			;
		if (pages_io(p, p->file->pMethods->xWrite(p->file, images + i * p->size, (int)((end - i) * p->size),
		                                          (sqlite3_int64)(number[i] - 1) * (sqlite3_int64)p->size), err) < 0)
			return -1;
	}
	return 0;
}

/* Let statements rewrite the schema. */
static int
pages_open_schema(struct pages *p, struct err *err)
{
	sqlite3_db_config(p->db->handle, SQLITE_DBCONFIG_DEFENSIVE, 0, NULL);
	return db_pragma(p->db, "writable_schema", 1, err);
}

/*
 * Have SQLite read the schema and these pages again.  This also makes all prepared
 * statements look at the schema again, lest one write without an index.  Returns ret, or -1.
 */
static int
pages_close_schema(struct pages *p, int ret, struct err *err)
{
	sqlite3 *handle = p->db->handle;

	if (sqlite3_exec(handle, "PRAGMA writable_schema = RESET", NULL, NULL, NULL) != SQLITE_OK && ret == 0)
		ret = db_fail(p->db, "reserve", err);
	sqlite3_db_config(handle, SQLITE_DBCONFIG_DEFENSIVE, 1, NULL);
	return ret == 0 ? pages_io(p, sqlite3_db_release_memory(handle), err) : ret;
}

/* Run a statement that rewrites so many rows of the schema. */
static int
pages_rewrite(struct pages *p, struct stmt *st, int64_t rows, struct err *err)
{
	if (stmt_run(st) < 0)
		return -1;
	return db_changes(p->db) == rows ? 0 :
	       err_set(err, ERR_DB, "reserve: index '%s': its schema is not what it was", p->db->path);
}

int
pages_let_go(struct pages *p, struct err *err)
{
	int ret = pages_open_schema(p, err);

	if (ret == 0) {
		struct stmt st = stmt_get(p->db, SQL_RESERVE_LET_GO, err);

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
		/* As CREATE INDEX keeps it: without the semicolon. */
		stmt_text(&st, ":sql", sql, strcspn(sql, ";"));
		ret = pages_rewrite(p, &st, 1, err);
	}
	return pages_close_schema(p, ret, err);
}

int
pages_become_file(struct pages *p, struct err *err)
{
	struct stmt st = stmt_get(p->db, SQL_RESERVE_FILE_ROOT, err);
	int64_t root;
	int ret;

	if (pages_root(p, &st, &root, err) < 0)
		return -1;
	ret = pages_open_schema(p, err);
	if (ret == 0) {
		st = stmt_get(p->db, SQL_RESERVE_BECOMES_FILE, err);
		stmt_int(&st, ":root", p->numbers[0]);
		stmt_int(&st, ":old", root);
		ret = pages_rewrite(p, &st, 2, err);
	}
	/* With the page that was the root of no rows. */
	return pages_close_schema(p, ret, err) < 0 ? -1 : db_exec(p->db, SQL_RESERVE_DROP, err);
}
