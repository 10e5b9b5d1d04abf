/* SPDX-License-Identifier: MIT */
/*
 * line_tty - private to line: the terminal's mode while a line is edited, and its return
 * however the process ends.
 */
#ifndef SHELL_LINE_TTY_H
#define SHELL_LINE_TTY_H

#include <termios.h>

/** Within one that is open others may be opened and closed; one at a time is raw. */
struct line_tty {
	int in, out;              /* descriptors of it; borrowed */
	struct termios first;     /* the mode at line_tty_open */
	struct termios saved;     /* the mode before line_tty_raw */
	bool raw;
};

/**
 * Remember the mode of a terminal.  Until line_tty_close a signal that would end the process
 * (SIGSEGV, SIGABRT and all others that nobody handles) gives the terminal back first.
 * Returns 0 or -1 with errno.
 */
int line_tty_open(struct line_tty *t, int in, int out);

/** Whether the terminal can move its cursor: TERM is neither empty nor "dumb". */
bool line_tty_moves(void);

/**
 * Take each key as it comes, without echo; keys that send signals still do.  One that is not
 * dumb marks what is pasted (bracketed paste).  Streams to it are to be flushed before this and
 * line_tty_cooked.
 */
void line_tty_raw(struct line_tty *t);
/** The mode of before line_tty_raw. */
void line_tty_cooked(struct line_tty *t);

/** The mode of before line_tty_open. */
void line_tty_close(struct line_tty *t);

/** Columns and rows of the terminal behind a descriptor; 80 and 24 when it does not tell. */
void line_tty_size(int out, int *width, int *height);

#endif
