/* SPDX-License-Identifier: MIT */
/* record - a row as SQLite keeps it in a page. */
#ifndef BULK_RECORD_H
#define BULK_RECORD_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/** As many columns, and so many bytes in all of them, go into one. */
#define RECORD_COLUMNS 32
#define RECORD_BYTES 2048

/**
 * A record under construction: record_start, then its columns in their order.
 * The form is that of sqlite.org/fileformat2.html, "Record Format".
 */
struct record {
	uint8_t head[1 + 2 * RECORD_COLUMNS];  /* its own length, then the types of the columns */
	uint8_t body[RECORD_BYTES + sizeof(int64_t)]; /* a number is written with all its bytes */
	size_t head_len, body_len;
	bool too_long;                         /* something had no room: it is not what was meant */
};

/** Begin an empty record. */
void record_start(struct record *r);
/** Append a column. */
void record_null(struct record *r);
void record_int(struct record *r, int64_t value);
void record_blob(struct record *r, const void *value, size_t len);
void record_text(struct record *r, const char *value, size_t len);

/** Write the cell of an entry, the length of the record and the record, to cell, which has room for RECORD_CELL bytes.  Returns its length. */
size_t record_cell(const struct record *r, uint8_t *cell);

/** The longest cell. */
#define RECORD_CELL (2 + sizeof(((struct record *)0)->head) + RECORD_BYTES)

#endif
