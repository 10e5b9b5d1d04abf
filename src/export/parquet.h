/* SPDX-License-Identifier: MIT */
/*
 * parquet - a Parquet file: rows are collected in groups, and each column of a group is written as
 * one chunk.
 *
 * Written from the format's specification (https://github.com/apache/parquet-format), of which it
 * uses: data pages of version 1, the encodings PLAIN, RLE_DICTIONARY and, for nulls, RLE; pages
 * compressed by zstd where libzstd is there; statistics of every chunk.
 */
#ifndef EXPORT_PARQUET_H
#define EXPORT_PARQUET_H

#include "export/column.h"

/** Rows of a group: what is in memory at a time. */
#define PARQUET_GROUP_ROWS 131072
/** Bytes of text after which it ends before that: paths can be of any length. */
#define PARQUET_GROUP_BYTES (64 * 1024 * 1024)

struct parquet;

/** Begin a file whose bytes go to out, which is borrowed, as columns are. */
struct parquet *parquet_begin(FILE *out, const struct table_column *columns, size_t n);
/** The value of a column in the row in hand. */
void parquet_int(struct parquet *p, size_t column, int64_t v);
void parquet_bytes(struct parquet *p, size_t column, const char *data, size_t len);
void parquet_null(struct parquet *p, size_t column);
/** End a row, of which every column was set.  Errors show in the stream. */
void parquet_end_row(struct parquet *p);
/** Write what is left, and the footer. */
void parquet_end(struct parquet *p);
/** Free p. */
void parquet_free(struct parquet *p);

#endif
