/* SPDX-License-Identifier: MIT */
/* line_input - private to line: wait for a typed byte or a signal, whichever comes first. */
#ifndef SHELL_LINE_INPUT_H
#define SHELL_LINE_INPUT_H

#include <signal.h>

#include "sys/signals.h"

/** Between begin and end signals do nothing but to wake line_input_byte. */
struct line_input {
	int fd;            /* of the terminal */
	struct signals signals;
	sigset_t saved;
};

/** What line_input_byte returns beside the numbers of signals. */
enum { LINE_INPUT_END = 0, LINE_INPUT_CHAR = -1, LINE_INPUT_FAILED = -2 };

/** Returns 0 or -1 with errno. */
int line_input_open(struct line_input *in, int fd);
void line_input_close(struct line_input *in);

void line_input_begin(struct line_input *in);
void line_input_end(struct line_input *in);

/**
 * Get the next byte.  Nothing is read ahead: what follows a line is for the command that the
 * line runs.
 * Returns LINE_INPUT_CHAR with *byte, or the number of a signal: SIGINT, SIGTERM,
 * SIGHUP, SIGQUIT, SIGTSTP, SIGCONT, SIGWINCH, or LINE_INPUT_END, LINE_INPUT_FAILED.
 */
int line_input_byte(struct line_input *in, char *byte);

/** Whether a byte comes within some milliseconds. */
bool line_input_follows(const struct line_input *in, int ms);

/**
 * Wait until something can be read, where the terminal collects lines.
 * Returns LINE_INPUT_CHAR, the number of a signal, or LINE_INPUT_FAILED.
 */
int line_input_wait(struct line_input *in);

/** Stop the process as SIGTSTP does, until it is continued. */
void line_input_stop(struct line_input *in);

#endif
