/* SPDX-License-Identifier: MIT */
/* replace - give a file a new content as a whole: others see the old one or the new one. */
#ifndef SYS_REPLACE_H
#define SYS_REPLACE_H

#include <sys/types.h>

/**
 * Write the content of the file at an absolute path without links, whether it is there or not:
 * what is there is a regular file.  A file beside it takes its place when all is on the disk, with
 * the permissions mode, or, if that is 0, those of the old file, or what umask leaves of a new one.
 * Returns 0, or -1 with errno and the old file untouched.
 */
int replace_file(const char *path, const char *data, size_t len, mode_t mode);

#endif
