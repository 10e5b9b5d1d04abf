/* SPDX-License-Identifier: MIT */
/*
 * file_rows - the first rows of an index, as long as they come in order: quicker than one by one.
 */
#ifndef BULK_FILE_ROWS_H
#define BULK_FILE_ROWS_H

struct db;
struct file_row;

/** Rows on their way to the table. */
struct file_rows;

/**
 * Begin, in a write transaction, with a table that is empty and stays so until file_rows_finish.
 * Returns 1 with an owned *rows, 0 when the file can't have it (btree_new), or -1.
 */
int file_rows_new(struct file_rows **rows, struct db *db, struct err *err);
/**
 * Take a row.  Returns 1; 0: not its turn in the order of directories and names, or a special one
 * (its name is not valid UTF-8 or longer than any on Linux, it has an error): SQLite is to write
 * it; or -1.
 */
int file_rows_add(struct file_rows *rows, const struct file_row *row, struct err *err);
/** Make the rows that were taken those of the table.  Returns 0 or -1: roll back then. */
int file_rows_finish(struct file_rows *rows, struct err *err);
/** As btree_refused. */
bool file_rows_refused(const struct file_rows *rows);
/** Free it.  Accepts NULL. */
void file_rows_free(struct file_rows *rows);

#endif
