/* SPDX-License-Identifier: MIT */
/* cmd_unfinished - what the last scan left undone, as commands tell it. */
#ifndef CMD_CMD_UNFINISHED_H
#define CMD_CMD_UNFINISHED_H

struct index;

/**
 * What the last scan left undone, for people; and, unless program is NULL, what to do about it
 * with the program that is called so.  Returns 1 with text appended, 0 when nothing is left, or
 * -1 with *err.
 */
int cmd_unfinished_text(const struct index *ix, const char *program, struct buf *b, struct err *err);

#endif
