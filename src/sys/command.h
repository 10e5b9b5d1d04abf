/* SPDX-License-Identifier: MIT */
/* command - a command line of the user, run by sh. */
#ifndef SYS_COMMAND_H
#define SYS_COMMAND_H

#include <sys/types.h>

/**
 * Start a command in the open directory dir (-1: in that of the process), with the descriptor input
 * as its standard input (-1: ours).  Returns its process, or -1 with errno.
 */
pid_t command_start(const char *command, int dir, int input);
/**
 * Wait for it, whatever signals come: the terminal sends them to it as well.  Returns its exit
 * status, 128 and more for a signal, 127 if it could not be run.
 */
int command_wait(pid_t pid);
/** Run a command with our input and output to its end.  As command_wait(), or -1 with *err. */
int command_run(const char *command, int dir, struct err *err);

#endif
