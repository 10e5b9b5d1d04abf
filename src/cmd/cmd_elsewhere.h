/* SPDX-License-Identifier: MIT */
/* cmd_elsewhere - who else says to have a file: lines below it, which change no answer. */
#ifndef CMD_CMD_ELSEWHERE_H
#define CMD_CMD_ELSEWHERE_H

struct cmd_call;
struct file_answer;

/** What was told.  Zero it. */
struct cmd_elsewhere {
	int64_t no_digest;   /* files whose digest is not known */
};

/**
 * Refuse to begin where lines below files have no place, or nothing was imported.  Returns 0 or
 * -1.
 */
int cmd_elsewhere_check(const struct cmd_call *c, struct err *err);
/** Print who has a file, behind what was printed of it.  Returns 0 or -1. */
int cmd_elsewhere_file(struct cmd_elsewhere *e, const struct cmd_call *c, const struct file_answer *a, struct err *err);
/** Tell how more could be known. */
void cmd_elsewhere_end(const struct cmd_elsewhere *e, const struct cmd_call *c);

#endif
