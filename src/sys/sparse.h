/* SPDX-License-Identifier: MIT */
/* sparse - find data and holes in a file. */
#ifndef SYS_SPARSE_H
#define SYS_SPARSE_H

/**
 * Find the first byte of data from at on; moves the offset of fd.  Returns it, or -1 with errno:
 * ENXIO for none up to the end of the file; with any other errno all may be data.
 */
int64_t sparse_data(int fd, int64_t at);
/**
 * Find the first byte from at on that lies in a hole, or the end of the file.  Returns it, or -1
 * with errno.
 */
int64_t sparse_hole(int fd, int64_t at);

#endif
