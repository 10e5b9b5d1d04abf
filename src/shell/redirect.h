/* SPDX-License-Identifier: MIT */
/*
 * redirect - where one command of the shell writes: through, to a file, to a program, or to a
 * pager.
 */
#ifndef SHELL_REDIRECT_H
#define SHELL_REDIRECT_H

#include <sys/types.h>

#include "sys/stream.h"

enum redirect_kind {
	REDIRECT_THROUGH,   /* as it is */
	REDIRECT_FILE,      /* > FILE, which must not be there yet */
	REDIRECT_REPLACE,   /* >! FILE */
	REDIRECT_APPEND,    /* >> FILE */
	REDIRECT_PROGRAM,   /* | COMMAND of sh */
	REDIRECT_PAGER      /* a terminal: what is longer than the screen goes to a pager */
};

/** The output of one command.  Zero it, say what to open, then redirect_open(). */
struct redirect {
	/* What to open.  Everything is borrowed until redirect_close. */
	enum redirect_kind kind;
	FILE *out, *msg;       /* of the shell: results, everything else */
	const char *where;     /* a file's name, or a command line for sh */
	int dir;               /* open: of relative file names and of programs; -1: where we are */
	bool talks;            /* prints progress or prompts: messages are not held */
	int width, height;     /* of the terminal */
	/* What is open. */
	FILE *stream;          /* for results */
	/** For messages: those of a command before a program or pager wait until it has ended. */
	FILE *messages;
	int64_t first_ns;      /* when the first byte was written (fs_clock_ns); of THROUGH 0 */
	/* private */
	struct stream_writer writer;
	int fd;                /* to the file or the running program; else -1 */
	pid_t pid;             /* of the program, until it was waited for; else 0 */
	bool made;             /* the file was not there before */
	bool regular;          /* the file is one */
	bool wrote;            /* to the file */
	struct buf held;       /* pager: the output, while it may yet be shown without one */
	size_t counted;        /* ... of it whole lines, */
	int rows;              /* ... and their rows on the screen */
	/* Of a pager.  PLAIN: it could not be run; OVER: it was left. */
	enum { REDIRECT_HOLDS, REDIRECT_RUNS, REDIRECT_PLAIN, REDIRECT_OVER } state;
	void (*pipe_handler)(int);   /* of SIGPIPE, from before the program ran */
	char *message_text;    /* owned; of messages that are held */
	size_t message_len;
};

/** Open.  Returns 0, or -1 with *err: ERR_USAGE for a file that must not be there. */
int redirect_open(struct redirect *s, struct err *err);

/**
 * Write what is left, wait for the program to end, print the messages that
 * were held, free.  failed: the command did; then a file to which it wrote
 * nothing is as it was before, or not there again.  Returns 0, or -1 with *err
 * when a file could not be written.
 */
int redirect_close(struct redirect *s, bool failed, struct err *err);


#endif
