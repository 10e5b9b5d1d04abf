/* SPDX-License-Identifier: MIT */
/* nameless - a file that has no name until it is whole: a kill leaves nothing behind. */
#ifndef SYS_NAMELESS_H
#define SYS_NAMELESS_H

/**
 * Make a file without a name on the file system of the open directory dir.
 * Returns an owned descriptor, or -1: the system has none, or could not name it later.
 */
int nameless_make(int dir);
/** Give it a name in the open directory dir that nothing has.  Returns 0, or -1 with errno. */
int nameless_put(int fd, int dir, const char *name);

#endif
