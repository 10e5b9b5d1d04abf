/* SPDX-License-Identifier: MIT */
/* sheet - rows of values under their names, in columns, of which only some rows are held. */
#ifndef UI_SHEET_H
#define UI_SHEET_H

/** What a value is: numbers stand on the right of their column, and are never cut. */
enum sheet_kind { SHEET_TEXT, SHEET_NUMBER, SHEET_NOTHING };

/** Columns, and the rows that were not shown yet. */
struct sheet;

/**
 * Begin a sheet of n >= 1 columns with these names, which are copied; header: they are shown, above
 * the first rows.  Lines have fewer than width columns of a terminal (0: any number), but for
 * numbers; where there are too many columns for that, and a header, rows are shown upright: a line
 * for each value, after its column's name, and a blank line between rows.
 * Returns an owned struct for sheet_free.
 */
struct sheet *sheet_new(const char *const *names, size_t n, bool header, int width);
/** Free t; NULL is allowed. */
void sheet_free(struct sheet *t);

/** Append a value, which a terminal shows as it is, to the row that has fewer than n. */
void sheet_add(struct sheet *t, const char *text, enum sheet_kind kind);

/** Whether enough rows are held to know the widths of columns: show them. */
bool sheet_is_full(const struct sheet *t);

/**
 * Append the rows that are held, and hold none.  Columns get wider with the rows of later calls,
 * never narrower; what does not fit begins with "..." and shows its end.
 */
void sheet_show(struct sheet *t, struct buf *b);

#endif
