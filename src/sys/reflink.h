/* SPDX-License-Identifier: MIT */
/* reflink - files that share blocks of the disk (reflinks): make them, and find them. */
#ifndef SYS_REFLINK_H
#define SYS_REFLINK_H

/**
 * Let the open file to share the blocks of the open file from, both of size bytes.  The kernel
 * compares them itself, with both locked: different bytes are not shared.  to keeps its times.
 * Sources: ioctl_fideduperange(2).
 *
 * Returns 0, or -1 with errno: EILSEQ, they differ; EOPNOTSUPP, the file system shares no blocks;
 * EXDEV.  A part from the beginning may be shared then.
 */
int reflink_dedupe(int from, int to, int64_t size);

/**
 * Make the new, empty file to share all blocks of from.  Returns 0, or -1 with errno: where they
 * can't be shared, to is empty still.  Sources: ioctl_ficlone(2).
 */
int reflink_clone(int from, int to);

/**
 * Whether files of the open directory may share blocks, tried with two empty files without names.
 * Returns true also where that can't be tried.
 */
bool reflink_may_work(int dir);

/**
 * Get the bytes of the disk that the open file shares with no other file; with sync writes it to
 * the disk first if needed.  Returns them, or -1 where the file system does not tell.
 */
int64_t reflink_own_bytes(int fd, bool sync);

/** Bytes of a digest of blocks. */
#define REFLINK_DIGEST 16

/**
 * Digest where on a disk, which len bytes identify, all blocks of an open file lie.  Two files
 * with one size and one digest have the same blocks at the same places, as long as neither
 * changes: a file system that shares blocks overwrites none that another file has.  What was
 * written to the file and not yet to the disk is written first, if it shares blocks at all.
 *
 * Returns false unless every block is shared with another file, and stands on the disk as it is:
 * not encoded, delayed, inline, unwritten or at an unknown place.  Sources: fiemap.rst of Linux.
 */
bool reflink_blocks(int fd, const void *disk, size_t len, uint8_t digest[REFLINK_DIGEST]);

#endif
