/* SPDX-License-Identifier: MIT */
#include "base/base.h"

#include "bulk/record.h"

/*
 * Serial types ("Record Format"): NULL, the constants 0 and 1, integers of 1, 2, 3, 4, 6 and 8
 * bytes, the empty blob and the empty text.
 */
enum {
	RECORD_NULL = 0, RECORD_ZERO = 8, RECORD_ONE = 9, RECORD_INT8 = 1, RECORD_INT16, RECORD_INT24, RECORD_INT32, RECORD_INT48, RECORD_INT64,
	RECORD_BLOB = 12, RECORD_TEXT = 13
};

/* Numbers below this take one byte, numbers below its square two ("Variable-Length Integers"). */
#define RECORD_VARINT 128

/* Encode a number below RECORD_VARINT squared.  Returns its length in bytes, 1 or 2. */
static size_t
record_varint(uint8_t *to, size_t n)
{
	if (n < RECORD_VARINT) {
		to[0] = (uint8_t)n;
		return 1;
	}
	to[0] = (uint8_t)(n / RECORD_VARINT | 0x80);
	to[1] = (uint8_t)(n % RECORD_VARINT);
	return 2;
}

void
record_start(struct record *r)
{
	r->head_len = 1;
	r->body_len = 0;
	r->too_long = false;
}

/* Check that a column of len bytes fits, and set too_long if not. */
static bool
record_fits(struct record *r, size_t len)
{
	if (len > RECORD_BYTES - r->body_len || r->head_len + 2 > sizeof(r->head))
		r->too_long = true;
	return !r->too_long;
}

void
record_null(struct record *r)
{
	if (record_fits(r, 0))
		r->head[r->head_len++] = RECORD_NULL;
}

static uint64_t
record_big_endian(uint64_t n)
{
#if __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__
	return __builtin_bswap64(n);
#else
	return n;
#endif
}

void
record_int(struct record *r, int64_t value)
{
	/* A negative n needs as many bytes as ~n. */
	const uint64_t size = (uint64_t)(value < 0 ? ~value : value);
	size_t type, bytes;
	uint64_t first;

	if (value == 0 || value == 1) {
		type = value == 0 ? RECORD_ZERO : RECORD_ONE;
		bytes = 0;
	} else if (size <= INT32_MAX) {
		bytes = size <= INT8_MAX ? 1 : size <= INT16_MAX ? 2 : size < 1 << 23 ? 3 : 4;
		type = bytes;
	} else {
		bytes = size < (uint64_t)1 << 47 ? 6 : 8;
		type = bytes == 6 ? RECORD_INT48 : RECORD_INT64;
	}
	if (!record_fits(r, bytes))
		return;
	r->head[r->head_len++] = (uint8_t)type;
	/*
	 * Always 8 bytes: a copy of constant size is faster, and the next column overwrites the
	 * surplus.
	 */
	first = bytes > 0 ? record_big_endian((uint64_t)value << 8 * (sizeof(first) - bytes)) : 0;
	memcpy(r->body + r->body_len, &first, sizeof(first));
	r->body_len += bytes;
}

static void
record_bytes(struct record *r, size_t type, const void *value, size_t len)
{
	if (!record_fits(r, len))
		return;
	r->head_len += record_varint(r->head + r->head_len, type + 2 * len);
	if (len > 0)
		memcpy(r->body + r->body_len, value, len);
	r->body_len += len;
}

void
record_blob(struct record *r, const void *value, size_t len)
{
	record_bytes(r, RECORD_BLOB, value, len);
}

void
record_text(struct record *r, const char *value, size_t len)
{
	record_bytes(r, RECORD_TEXT, value, len);
}

size_t
record_cell(const struct record *r, uint8_t *cell)
{
	size_t at = record_varint(cell, r->head_len + r->body_len);

	memcpy(cell + at, r->head, r->head_len);
	cell[at] = (uint8_t)r->head_len;
	at += r->head_len;
	memcpy(cell + at, r->body, r->body_len);
	return at + r->body_len;
}
