/* SPDX-License-Identifier: MIT */
/* share - two files have the same blocks of the disk (reflinks), and whose blocks are its own. */
#ifndef SYS_SHARE_H
#define SYS_SHARE_H

#include <stdbool.h>
#include <stdint.h>

/**
 * Let the open file to share the blocks of the open file from, both of size bytes.  The kernel
 * compares them itself, with both locked: what differs is not shared.  No time of to changes.
 * Sources: ioctl_fideduperange(2).
 *
 * Returns 0, or -1 with errno: EILSEQ, they differ; EOPNOTSUPP, the file system shares no blocks;
 * EXDEV.  Then a part, from the beginning, may be shared.
 */
int share_equal(int from, int to, int64_t size);

/**
 * Make the new, empty file to share all blocks of from.  Returns 0, or -1 with errno: where they
 * can't be shared, to is empty still.  Sources: ioctl_ficlone(2).
 */
int share_clone(int from, int to);

/**
 * Bytes of the disk that the open file has, and shares with no other file; written to the disk
 * first if need be.  Returns them, or -1 where the file system does not tell.
 */
int64_t share_own_bytes(int fd);

#endif
