/* SPDX-License-Identifier: MIT */
/* tmpfile - files without a name until they are complete: a kill leaves nothing behind. */
#ifndef SYS_TMPFILE_H
#define SYS_TMPFILE_H

/**
 * Make a file without a name on the file system of the open directory dir.
 * Returns an owned descriptor, or -1: the system can't make one, or could not name it later.
 */
int tmpfile_make(int dir);
/** Give it an unused name in the open directory dir.  Returns 0, or -1 with errno. */
int tmpfile_put(int fd, int dir, const char *name);

#endif
