/* SPDX-License-Identifier: MIT */
/*
 * content_piece - pieces of an open file, and where its holes are.  Private to content and
 * content_equal.
 */
#ifndef SYS_CONTENT_PIECE_H
#define SYS_CONTENT_PIECE_H

#include <sys/types.h>

/** Shorter holes are read: that is as fast as looking for their ends. */
#define CONTENT_HOLE_MIN (1024 * 1024)

/**
 * pread up to len bytes until there are enough, or until the end of the file.  Returns the bytes
 * read, or -1 with errno; EAGAIN with nowait, unless NULL and until it is cleared, if they are not
 * in memory.  It is cleared where the file system can't tell.
 */
ssize_t content_pread_some(int fd, void *data, size_t enough, size_t len, int64_t at, bool *nowait);

/** pread until len bytes or the end of the file. */
ssize_t content_pread(int fd, void *data, size_t len, int64_t at, bool *nowait);

/** Whether a file has bytes beyond its stat's size.  Returns 1, 0, or -1 as content_pread. */
int content_goes_on(int fd, int64_t size, bool *nowait);

/**
 * Read a piece of a file into other, and compare it with that of another file in block.  Returns as
 * content_pread, and whether all of the piece is there and equal.
 */
ssize_t content_beside(const uint8_t *block, uint8_t *other, int fd, int64_t at, size_t len, bool *equal);

/** A run of bytes of one kind.  Zero it but for fd and seek. */
struct content_run {
	int fd;
	bool seek;  /* it occupies less than its size: holes, or compressed */
	bool hole;  /* reads as zeros */
	int64_t end;
};

/** Go to the run that holds the byte at. */
void content_run_go(struct content_run *run, int64_t at, int64_t size);

#endif
