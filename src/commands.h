/* SPDX-License-Identifier: MIT */
/* commands - the table of all commands, and the command line that chooses one. */
#ifndef COMMANDS_H
#define COMMANDS_H

struct cmd;

/** All commands, NULL at the end, in the order of the help. */
extern const struct cmd *const commands[];

/**
 * Run a command line (argv without the program's name).  Without a command it starts the
 * shell where a person sits before a terminal and there is an index, and prints the short help
 * elsewhere.  Failures have been told on msg when it returns.  Returns the exit status.
 */
int commands_main(int argc, char **argv, FILE *out, FILE *msg);

#endif
