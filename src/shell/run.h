/* SPDX-License-Identifier: MIT */
/*
 * run - lines of the shell: split, aliases and numbers replaced, run with their output where it
 * belongs.
 */
#ifndef SHELL_RUN_H
#define SHELL_RUN_H

struct session;

/**
 * Run all commands of a text: several on a line with ";", one a line.  Failures are told.
 * Returns the status of the last command, or of the first that failed, after which the rest is
 * left out unless keep_going.
 */
int run_line(struct session *s, const char *text, size_t len);

#endif
