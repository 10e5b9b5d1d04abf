/* SPDX-License-Identifier: MIT */
/* pages - pages of an index file that SQLite allocates and a b-tree fills. */
#ifndef BULK_PAGES_H
#define BULK_PAGES_H

#include "db/sql.h"

struct db;

/**
 * The pages of one reservation at a time.  All that is written to them is part of the
 * transaction: when it rolls back the file is as before.
 */
struct pages {
	struct db *db;
	struct sqlite3_file *file;
	size_t size;           /* bytes of a page */
	uint32_t *numbers;     /* of the reserved pages */
	size_t n;              /* reserved pages; 0 when the scratch table is detached */
	size_t n_filled;       /* of them, filled */
	uint64_t mark;         /* of this reservation, in each of its pages until it is filled */
	bool refused;          /* the last failure was a refusal: see pages_open */
};

/**
 * Prepare to reserve pages, inside a write transaction (db_begin) in DB_MODE_EXCLUSIVE (db_start,
 * db_renew_exclusive).  With try_out reserve, fill and detach two pages, and undo that.
 *
 * A step that this file or this SQLite does not do as expected is a refusal: here it makes the
 * result 0, in the other functions it sets p->refused.  Nothing else in the file was overwritten
 * then.  Roll back, and let SQLite write.
 *
 * Returns 1; 0: this file can't have it; -1 with *err: the disk, memory or another process.
 */
int pages_open(struct pages *p, struct db *db, bool try_out, struct err *err);
/** Free the memory. */
void pages_release(struct pages *p);

/**
 * Reserve n pages, at least one, each proven on disk to belong to this reservation and to nothing
 * else.  The former reservation must be detached.  Returns 0 or -1.
 */
int pages_reserve(struct pages *p, size_t n, struct err *err);
/**
 * Fill the reserved pages from position first on, each once; the n images lie one behind the
 * other.  Returns 0 or -1.
 */
int pages_fill(struct pages *p, size_t first, size_t n, const uint8_t *images, struct err *err);
/**
 * Detach the pages, all filled, from the scratch table.  They leak unless a b-tree links to
 * them.  Returns 0 or -1.
 */
int pages_detach(struct pages *p, struct err *err);
/**
 * Detach the pages, all filled, and make the first one the root of the index of "file" that the
 * statement create would make.  SQLite has no statement for this: the schema's row is rewritten
 * (sqlite.org/pragma.html#pragma_writable_schema).  Returns 0 or -1.
 */
int pages_become_index(struct pages *p, const char *name, enum sql_id create, struct err *err);
/**
 * Detach the pages, all filled, and make the first one the root of the rows of "file", which must
 * be empty.  Returns 0 or -1.
 */
int pages_become_file(struct pages *p, struct err *err);

/** Refuse reserved pages that are not as expected: roll back, let SQLite write.  Returns -1. */
int pages_refuse(struct pages *p, const char *found, struct err *err);

/** Read bytes of a page from the file.  Returns 0 or -1 with *err. */
int pages_read(struct pages *p, uint32_t page, size_t at, void *bytes, size_t len, struct err *err);

/** Bytes of a page number in the file. */
#define PAGES_NUMBER 4
uint32_t pages_number(const uint8_t b[PAGES_NUMBER]);

#endif
