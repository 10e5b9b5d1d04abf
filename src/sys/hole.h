/* SPDX-License-Identifier: MIT */
/* hole - where a file has data, and where it reads as zeros that lie nowhere. */
#ifndef SYS_HOLE_H
#define SYS_HOLE_H

/**
 * The first byte from at on that is data; the place of fd moves.  Returns it, or -1 with errno:
 * ENXIO for none up to the end of the file, else nobody can tell, and all of it is data.
 */
int64_t hole_end(int fd, int64_t at);
/**
 * The first byte from at on that is in a hole, or the size of the file.
 * Returns it, or -1 with errno.
 */
int64_t hole_begin(int fd, int64_t at);

#endif
