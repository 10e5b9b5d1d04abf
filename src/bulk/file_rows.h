/* SPDX-License-Identifier: MIT */
/* file_rows - the first rows of an index, as long as they come in order: quicker than one by one. */
#ifndef BULK_FILE_ROWS_H
#define BULK_FILE_ROWS_H

#include <stddef.h>

struct db;
struct err;
struct file_row;

/** Rows on their way to the table. */
struct file_rows;

/**
 * Begin, in a write transaction, with a table that is empty and stays so until file_rows_finish.
 * Returns 1 with an owned *load, 0 when the file can't have it (btree_new), or -1.
 */
int file_rows_new(struct file_rows **load, struct db *db, struct err *err);
/** Take a row.  Returns 1, 0 when it is not its turn in the order of directories and names, or it is a special one (its name is not valid UTF-8 or longer than Linux has any, it has an error), or -1. */
int file_rows_add(struct file_rows *load, const struct file_row *row, struct err *err);
/** From now on the table has the rows that were taken.  Returns 0 or -1: roll back then. */
int file_rows_finish(struct file_rows *load, struct err *err);
/** Free it.  Accepts NULL. */
void file_rows_free(struct file_rows *load);

#endif
