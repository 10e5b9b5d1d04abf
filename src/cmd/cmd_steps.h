/* SPDX-License-Identifier: MIT */
/* cmd_steps - what to do next: commands for a person to type as they stand. */
#ifndef CMD_CMD_STEPS_H
#define CMD_CMD_STEPS_H

struct buf;
struct cmd_call;

/** A command, what it is about or "", and what it is for.  Borrowed. */
struct cmd_step {
	const char *command, *path, *what;
};

/**
 * Append a path to be typed on a terminal, in any shell.  Returns false, with "DIR" appended, where
 * shells would quote it differently.
 */
bool cmd_add_typed(const struct cmd_call *c, struct buf *b, const char *path);
/**
 * Append n steps, a line each, with what each is for where there is room for that.  In the
 * interactive shell a command stands without the program.
 */
void cmd_add_steps(const struct cmd_call *c, struct buf *b, const struct cmd_step *steps, size_t n);

#endif
