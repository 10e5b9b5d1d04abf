/* SPDX-License-Identifier: MIT */
/* replace - replace a file's content atomically. */
#ifndef SYS_REPLACE_H
#define SYS_REPLACE_H

#include <sys/types.h>

/**
 * Write the content of the file at an absolute path without links, which is a regular file or does
 * not exist.  A new file beside it takes its place when all is on the disk, with the permissions
 * mode or, if that is 0, those of the old file, or by the umask.
 * Returns 0, or -1 with errno and the old file untouched.
 */
int replace_file(const char *path, const char *data, size_t len, mode_t mode);

#endif
