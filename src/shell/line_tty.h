/* SPDX-License-Identifier: MIT */
/*
 * line_tty - private to line and keys: the terminal while somebody types: its mode, and that mode's
 * return however the process ends; its bytes and signals, in their order.
 */
#ifndef SHELL_LINE_TTY_H
#define SHELL_LINE_TTY_H

#include <signal.h>
#include <termios.h>

/** Within one that is open others may be opened and closed; one at a time is raw. */
struct line_tty {
	int in, out;              /* descriptors of it; borrowed */
	struct termios first;     /* the mode at line_tty_open */
	struct termios saved;     /* the mode before line_tty_raw */
	bool raw;
	sigset_t unblocked;       /* the mask of before line_tty_begin */
	sigset_t waiting;         /* the mask while line_tty_byte waits */
};

/** What line_tty_byte returns beside the numbers of signals. */
enum { LINE_TTY_END = 0, LINE_TTY_CHAR = -1, LINE_TTY_FAILED = -2 };

/**
 * Remember the mode of a terminal.  From now on a signal that would end the process (SIGSEGV,
 * SIGABRT and all others that nobody handles) first gives a terminal back that is raw.
 * Returns 0 or -1 with errno.
 */
int line_tty_open(struct line_tty *t, int in, int out);

/** Whether the terminal can move its cursor: TERM is neither empty nor "dumb". */
bool line_tty_moves(void);

/** Block the signals that line_tty_byte returns. */
void line_tty_begin(struct line_tty *t);
/**
 * Take each key as it comes, without echo; keys that send signals still do.  One that is not
 * dumb marks what is pasted (bracketed paste).  Streams to it are to be flushed before this and
 * line_tty_end.
 */
void line_tty_raw(struct line_tty *t);
/** The mode of before line_tty_raw, and then the signals of before line_tty_begin. */
void line_tty_end(struct line_tty *t);

/** The mode of before line_tty_open. */
void line_tty_close(struct line_tty *t);

/**
 * Get the next byte.  Nothing is read ahead: what follows a line is for the command that the
 * line runs.
 * Returns LINE_TTY_CHAR with *byte, or the number of a signal: SIGINT, SIGTERM, SIGHUP, SIGQUIT,
 * SIGTSTP, SIGCONT, SIGWINCH, or LINE_TTY_END, LINE_TTY_FAILED.
 */
int line_tty_byte(struct line_tty *t, char *byte);

/** Whether a byte comes within some milliseconds. */
bool line_tty_follows(const struct line_tty *t, int ms);

/**
 * Wait until something can be read, where the terminal collects lines.
 * Returns LINE_TTY_CHAR, the number of a signal, or LINE_TTY_FAILED.
 */
int line_tty_wait(struct line_tty *t);

/**
 * Stop the process as SIGTSTP does, with the terminal as it was before line_tty_raw, until it is
 * continued.  The SIGCONT of that is not seen.
 */
void line_tty_stop(struct line_tty *t);

/** Columns and rows of the terminal behind a descriptor; 80 and 24 when it does not tell. */
void line_tty_size(int out, int *width, int *height);

#endif
