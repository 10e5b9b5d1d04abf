/* SPDX-License-Identifier: MIT */
/* bar - a part of a whole as a bar of characters. */
#ifndef UI_BAR_H
#define UI_BAR_H

/**
 * Append a bar for n of most in that many columns, filled up with blanks: in UTF-8 in eighths of
 * a column.  Only 0 has no bar: less than a step is shown as one.
 */
void bar_add(struct buf *b, bool utf8, int64_t n, int64_t most, size_t columns);

#endif
