/* SPDX-License-Identifier: MIT */
/* shell_sink - where the output of one command of the shell goes: through, to a file, to a program, or to a pager. */
#ifndef CMD_SHELL_SINK_H
#define CMD_SHELL_SINK_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

struct err;

enum sink_kind {
	SINK_THROUGH,   /* as it is */
	SINK_FILE,      /* > FILE */
	SINK_APPEND,    /* >> FILE */
	SINK_PROGRAM,   /* | COMMAND of sh */
	SINK_PAGER      /* a terminal: what is longer than the screen goes to a pager */
};

/** What to open. */
struct sink_target {
	enum sink_kind kind;
	FILE *out;             /* where SINK_THROUGH, and a short SINK_PAGER, write */
	const char *where;     /* a file's absolute path, or a command line for sh */
	const char *dir;       /* where a program runs, if that directory is there; else where we are */
	int width, height;     /* of the terminal */
};

struct sink;

/** Open.  Returns an owned sink for sink_close, or NULL with *err. */
struct sink *sink_open(const struct sink_target *target, struct err *err);

/** The stream to write to. */
FILE *sink_stream(const struct sink *s);

/** When the first byte was written (fs_clock_ns), or 0. */
int64_t sink_first_ns(const struct sink *s);

/** Write what is left, wait for the program to end, free.  Returns 0, or -1 with *err when a file could not be written. */
int sink_close(struct sink *s, struct err *err);

/** Let sh run a command line on the terminal, in dir if that is there, and wait for it.  Returns its exit status (128 + signal), or -1 with *err. */
int sink_command(const char *command, const char *dir, struct err *err);

#endif
