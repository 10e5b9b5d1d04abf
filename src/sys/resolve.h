/* SPDX-License-Identifier: MIT */
/* resolve - a path as typed becomes the absolute path that the index knows. */
#ifndef SYS_RESOLVE_H
#define SYS_RESOLVE_H

/**
 * Append the absolute path, without links, "." and "..", of typed relative to the directory base
 * (absolute; NULL: the current one).  Components that do not exist stay as written: the index may
 * still have them.  The part of a path beyond PATH_MAX is resolved lexically.
 *
 * Returns 0, or -1 with ERR_SYS when the current directory cannot be named,
 * ERR_USAGE when typed is empty.
 */
int resolve_path(struct buf *b, const char *typed, const char *base, struct err *err);

/**
 * Append the absolute path of a file that may not exist yet: resolves its directory as resolve_path
 * does, but not its own name, so that a later open notices a link there.  Returns as resolve_path.
 */
int resolve_path_of_file(struct buf *b, const char *typed, struct err *err);

/**
 * Append the absolute path of a user's file: twindex/NAME in the directory of the environment
 * variable, if that is absolute, else in fallback below $HOME
 * (specifications.freedesktop.org/basedir-spec).  Makes nothing.  Returns false, with nothing
 * appended, when neither variable is set.
 */
bool resolve_own_file(struct buf *b, const char *variable, const char *fallback, const char *name);

/**
 * Append typed with $HOME for the ~ that it is, or that stands before its first slash.  Returns
 * false, with nothing appended, for any other text, and without $HOME.
 */
bool resolve_home(struct buf *b, const char *typed);

/** Append the absolute path of the running program.  Returns false when it is unknown. */
bool resolve_own_program(struct buf *b);

#endif
