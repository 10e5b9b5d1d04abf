/* SPDX-License-Identifier: MIT */
/* record - encodes a row in SQLite's record format. */
#ifndef BULK_RECORD_H
#define BULK_RECORD_H

/** Most columns of a record, and most bytes of their values together. */
#define RECORD_COLUMNS 32
#define RECORD_BYTES 2048

/**
 * A record under construction: record_start, then its columns in their order.
 * The form is that of sqlite.org/fileformat2.html, "Record Format".
 */
struct record {
	uint8_t head[1 + 2 * RECORD_COLUMNS];  /* its own length, then the types of the columns */
	uint8_t body[RECORD_BYTES + sizeof(int64_t)]; /* every integer is written with 8 bytes */
	size_t head_len, body_len;
	bool too_long;                         /* a column did not fit: do not use it */
};

/** Begin an empty record. */
void record_start(struct record *r);
/** Append a column; one that does not fit sets too_long. */
void record_null(struct record *r);
void record_int(struct record *r, int64_t value);
void record_blob(struct record *r, const void *value, size_t len);
void record_text(struct record *r, const char *value, size_t len);

/**
 * Write the payload of a cell, the length of the record and the record, to cell, which has room
 * for RECORD_CELL bytes.  Returns its length.
 */
size_t record_cell(const struct record *r, uint8_t *cell);

/** Most bytes that record_cell writes. */
#define RECORD_CELL (2 + sizeof(((struct record *)0)->head) + RECORD_BYTES)

#endif
