/* SPDX-License-Identifier: MIT */
/* table_file - rows of columns into a file: Parquet, NDJSON or CSV. */
#ifndef EXPORT_TABLE_FILE_H
#define EXPORT_TABLE_FILE_H

#include "export/column.h"

enum table_format { TABLE_PARQUET, TABLE_NDJSON, TABLE_CSV };

/** The end of names of files of a format. */
extern const char *const table_format_names[];

/** A file that is written.  Opaque. */
struct table_file;

/**
 * Create a file that must not exist; path, for messages too, and columns, n of them, are borrowed
 * until it is closed.  Returns 0, or -1 with *err and *t NULL.
 */
int table_file_open(struct table_file **t, enum table_format format, const char *path, const struct table_column *columns, size_t n,
                    struct err *err);

/** The value of the next column of the row in hand; after the last column table_file_end_row(). */
void table_file_int(struct table_file *t, int64_t v);
void table_file_text(struct table_file *t, const char *data, size_t len);
void table_file_null(struct table_file *t);
/** Returns 0, or -1 with *err: the file could not be written. */
int table_file_end_row(struct table_file *t, struct err *err);

/** What files come to. */
struct table_size {
	int64_t rows, files, bytes;
};

/**
 * Complete the file, close it, and free t.  Returns 0 with what it came to added to *size, or -1
 * with *err.
 */
int table_file_close(struct table_file *t, struct table_size *size, struct err *err);
/** Close a file that is not to be completed, and free t, which may be NULL. */
void table_file_drop(struct table_file *t);

#endif
