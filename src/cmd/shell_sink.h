/* SPDX-License-Identifier: MIT */
/* shell_sink - where one command of the shell writes: through, to a file, to a program, or to a pager. */
#ifndef CMD_SHELL_SINK_H
#define CMD_SHELL_SINK_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

struct err;

enum sink_kind {
	SINK_THROUGH,   /* as it is */
	SINK_FILE,      /* > FILE, which must not be there yet */
	SINK_REPLACE,   /* >! FILE */
	SINK_APPEND,    /* >> FILE */
	SINK_PROGRAM,   /* | COMMAND of sh */
	SINK_PAGER      /* a terminal: what is longer than the screen goes to a pager */
};

/** What to open.  Everything is borrowed until sink_close. */
struct sink_target {
	enum sink_kind kind;
	FILE *out, *msg;       /* of the shell: results, everything else */
	const char *where;     /* a file's name, or a command line for sh */
	int dir;               /* open: file names are relative to it, programs run in it; -1: where we are */
	bool talks;            /* messages are of the moment, such as progress: they are not held */
	int width, height;     /* of the terminal */
};

struct sink;

/**
 * Open.  Returns an owned sink for sink_close, or NULL with *err: ERR_USAGE for a file that
 * must not be there.
 */
struct sink *sink_open(const struct sink_target *target, struct err *err);

/** The stream for results. */
FILE *sink_stream(const struct sink *s);

/**
 * The stream for messages: those of a command before a program or a pager are shown when that
 * has ended.
 */
FILE *sink_messages(const struct sink *s);

/** When the first byte was written (fs_clock_ns), or 0; not of SINK_THROUGH. */
int64_t sink_first_ns(const struct sink *s);

/**
 * Write what is left, wait for the program to end, print the messages that
 * were held, free.  failed: the command did; then a file to which it wrote
 * nothing is as it was before, or not there again.  Returns 0, or -1 with *err
 * when a file could not be written.
 */
int sink_close(struct sink *s, bool failed, struct err *err);

/**
 * Let sh run a command line on the terminal in the directory dir, and wait.  Returns its exit
 * status (128 + signal), or -1 with *err.
 */
int sink_command(const char *command, int dir, struct err *err);

#endif
