/* SPDX-License-Identifier: MIT */
/* content_equal - compare open files, side by side, each read once. */
#ifndef SYS_CONTENT_EQUAL_H
#define SYS_CONTENT_EQUAL_H

#include "sys/content.h"
#include "sys/content_piece.h"

/** Compare content_last() with an open file of the same size.  Returns as content_equal. */
int content_equal_last(struct content_reader *r, int fd, int64_t size);

/** A file that is compared with another one of its size. */
struct content_other {
	int fd;
	int equal;               /* as content_equal returns */
	struct content_run run;  /* private */
};

/**
 * Compare an open file with n others of the same size, side by side, all bytes, from the start:
 * each is read once, and no further than it is equal.  Where fd can't be read, or a signal stops
 * it, -1 is the answer for all that had no other one before.
 */
void content_equal_each(struct content_reader *r, int fd, struct content_other *others, size_t n, int64_t size);

/**
 * Compare two open files of the same size, all bytes, from the start.
 * Returns 1 when equal, 0 when they differ or end early, -1 with errno.
 */
int content_equal(struct content_reader *r, int fd_a, int fd_b, int64_t size);

#endif
