/* SPDX-License-Identifier: MIT */
/* column - what the columns of a table hold. */
#ifndef EXPORT_COLUMN_H
#define EXPORT_COLUMN_H

/** What a column holds. */
enum table_type {
	TABLE_INT32,
	TABLE_INT64,
	TABLE_TEXT,      /* valid UTF-8 */
	TABLE_BYTES      /* any bytes; base64 where the format holds only text */
};

/** A column; an array of them is a table. */
struct table_column {
	const char *name;    /* static */
	enum table_type type;
	bool optional;       /* it may be null */
	bool repeats;        /* few values: each is kept once, where the format can */
};

#endif
