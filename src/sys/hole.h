/* SPDX-License-Identifier: MIT */
/* hole - find data and holes in a file. */
#ifndef SYS_HOLE_H
#define SYS_HOLE_H

/**
 * Find the first byte of data from at on; moves the offset of fd.  Returns it, or -1 with errno:
 * ENXIO for none up to the end of the file; with any other errno all may be data.
 */
int64_t hole_end(int fd, int64_t at);
/**
 * Find the first byte from at on that lies in a hole, or the end of the file.  Returns it, or -1
 * with errno.
 */
int64_t hole_begin(int fd, int64_t at);

#endif
