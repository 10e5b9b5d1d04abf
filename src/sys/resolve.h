/* SPDX-License-Identifier: MIT */
/* resolve - a path as typed becomes the absolute path that the index knows. */
#ifndef SYS_RESOLVE_H
#define SYS_RESOLVE_H

/**
 * Append the absolute path without links, "." and ".." that typed means from the directory base
 * (absolute; NULL: the process's own).  Components that do not exist (any more) are taken as
 * written: the index may still know them.  Of paths longer than PATH_MAX the part beyond it is
 * resolved lexically.
 *
 * Returns 0, or -1 with ERR_SYS when the current directory cannot be named,
 * ERR_USAGE when typed is empty.
 */
int resolve_path(struct buf *b, const char *typed, const char *base, struct err *err);

/**
 * Append the absolute path of a file that may not exist yet: its directory is
 * resolved as by resolve_path, its own name is not, so that a link in its
 * place is noticed by who opens it.  Returns as resolve_path.
 */
int resolve_path_of_file(struct buf *b, const char *typed, struct err *err);

/**
 * Append the absolute path of a file of this user's own: twindex/NAME in the
 * directory that the variable says, if that is absolute, else in fallback
 * below $HOME (specifications.freedesktop.org/basedir-spec).  Nothing is made.
 * Returns false, with nothing appended, when neither is there.
 */
bool resolve_own_file(struct buf *b, const char *variable, const char *fallback, const char *name);

/** Append the absolute path of the program that runs.  Returns false when that is not known. */
bool resolve_own_program(struct buf *b);

#endif
