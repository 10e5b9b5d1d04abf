/* SPDX-License-Identifier: MIT */
/* cmd_unfinished - what the last scan left undone, as commands tell it. */
#ifndef CMD_CMD_UNFINISHED_H
#define CMD_CMD_UNFINISHED_H

struct cmd_call;
struct index;

/**
 * What the last scan left undone, for people; and, unless program is NULL, what to do about it
 * with the program that is called so.  Returns 1 with text appended, 0 when nothing is left, or
 * -1 with *err.
 */
int cmd_unfinished_text(const struct index *ix, const char *program, struct buf *b, struct err *err);
/**
 * Report on msg that the answer may be incomplete: a scan has not met every file yet, or, if unread
 * concerns the answer, files are not read yet.
 *
 * Returns CMD_PARTLY then, else CMD_OK, or -1 with *err.
 */
int cmd_unfinished(const struct cmd_call *c, bool unread, struct err *err);

#endif
