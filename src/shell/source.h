/* SPDX-License-Identifier: MIT */
/* source - lines of a file or stream that a session runs, and where in them it is. */
#ifndef SHELL_SOURCE_H
#define SHELL_SOURCE_H

struct session;

/**
 * Run the lines of a stream as they come, up to the first that fails unless keep_going, or
 * exit.  Messages of their commands begin with name, the number of the line, and the command.
 *
 * Returns the status of the last command or of the first that failed, or -1 with *err: it cannot
 * be read, its lines are being run already, or lines that run files are nested too deeply.
 */
int source_stream(struct session *s, FILE *f, const char *name, struct err *err);

/** The same of a file; a relative path means the open directory dir, or with -1 the process's. */
int source_file(struct session *s, int dir, const char *path, struct err *err);

#endif
