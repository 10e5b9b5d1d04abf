/* SPDX-License-Identifier: MIT */
/* pages - pages of an index file that SQLite gives and others fill. */
#ifndef BULK_PAGES_H
#define BULK_PAGES_H

#include <stddef.h>
#include <stdint.h>

#include "db/sql.h"

struct db;
struct err;

/** Pages that belong to nobody yet but this transaction; with all that it wrote they vanish when it rolls back. */
struct pages {
	struct db *db;
	struct sqlite3_file *file;
	size_t size;           /* bytes of a page */
	uint32_t *numbers;     /* of those that were reserved last */
};

/**
 * Prepare to reserve pages, inside a write transaction (db_begin) of a file that is unshared
 * (db_open, db_renew_own).  Returns 1, 0 when this file can't have it, or -1.
 */
int pages_open(struct pages *p, struct db *db, struct err *err);
/** Free the memory. */
void pages_release(struct pages *p);

/** Have n pages, at least one; what was reserved before has been let go.  Returns 0 or -1. */
int pages_reserve(struct pages *p, size_t n, struct err *err);
/** Fill the pages with these positions in p->numbers, n from the first on; images lie one behind the other.  Returns 0 or -1. */
int pages_fill(struct pages *p, size_t first, size_t n, const uint8_t *images, struct err *err);
/** Let them go: something that lies in the file, or will, leads to them.  Returns 0 or -1. */
int pages_let_go(struct pages *p, struct err *err);
/**
 * The first is the root of the index of "file" that the statement create would
 * make: let them go, and have it so named.  SQLite has no statement for this: the schema's
 * row is rewritten (sqlite.org/pragma.html#pragma_writable_schema).  Returns 0 or -1.
 */
int pages_become_index(struct pages *p, const char *name, enum sql_id create, struct err *err);
/** The first is the root of the rows of "file", which has none yet: let them go, and have it so.  Returns 0 or -1. */
int pages_become_file(struct pages *p, struct err *err);

#endif
