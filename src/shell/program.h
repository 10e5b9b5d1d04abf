/* SPDX-License-Identifier: MIT */
/* program - a command line for sh, in which numbers of the last listing stand for paths. */
#ifndef SHELL_PROGRAM_H
#define SHELL_PROGRAM_H

struct session;

/**
 * Append a command line for sh: each word that is %3, %3.2 or a range of these becomes the paths
 * that the numbers mean, quoted.  A word that is quoted, or anything else, stays as it is; so does,
 * in scripts, every word, and what follows a "(", "`", "${", "$'", "<<" or "#", where to tell
 * words takes sh itself.
 *
 * Returns 0, or -1 with ERR_USAGE: a number that the listing has not, a NUL byte.
 */
int program_text(const struct session *s, const char *text, size_t len, struct buf *b, struct err *err);

#endif
