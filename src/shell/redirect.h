/* SPDX-License-Identifier: MIT */
/*
 * redirect - where one command of the shell writes: through, to a file, to a program, or to a
 * pager.
 */
#ifndef SHELL_REDIRECT_H
#define SHELL_REDIRECT_H

enum redirect_kind {
	REDIRECT_THROUGH,   /* as it is */
	REDIRECT_FILE,      /* > FILE, which must not be there yet */
	REDIRECT_REPLACE,   /* >! FILE */
	REDIRECT_APPEND,    /* >> FILE */
	REDIRECT_PROGRAM,   /* | COMMAND of sh */
	REDIRECT_PAGER      /* a terminal: what is longer than the screen goes to a pager */
};

/** What to open.  Everything is borrowed until redirect_close. */
struct redirect_target {
	enum redirect_kind kind;
	FILE *out, *msg;       /* of the shell: results, everything else */
	const char *where;     /* a file's name, or a command line for sh */
	int dir;               /* open: of relative file names and of programs; -1: where we are */
	bool talks;            /* prints progress or prompts: messages are not held */
	int width, height;     /* of the terminal */
};

struct redirect;

/**
 * Open.  Returns an owned sink for redirect_close, or NULL with *err: ERR_USAGE for a file that
 * must not be there.
 */
struct redirect *redirect_open(const struct redirect_target *target, struct err *err);

/** The stream for results. */
FILE *redirect_stream(const struct redirect *s);

/**
 * The stream for messages: those of a command before a program or a pager are shown when that
 * has ended.
 */
FILE *redirect_messages(const struct redirect *s);

/** When the first byte was written (fs_clock_ns), or 0; not of REDIRECT_THROUGH. */
int64_t redirect_first_ns(const struct redirect *s);

/**
 * Write what is left, wait for the program to end, print the messages that
 * were held, free.  failed: the command did; then a file to which it wrote
 * nothing is as it was before, or not there again.  Returns 0, or -1 with *err
 * when a file could not be written.
 */
int redirect_close(struct redirect *s, bool failed, struct err *err);

/** Append the command line of the pager, $TWINDEX_PAGER, $PAGER or less, for sh. */
void redirect_pager(struct buf *command);

/**
 * Let sh run a command line on the terminal in the directory dir, and wait.  Returns its exit
 * status (128 + signal), or -1 with *err.
 */
int redirect_command(const char *command, int dir, struct err *err);

#endif
