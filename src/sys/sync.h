/* SPDX-License-Identifier: MIT */
/* sync - what was written is on the disk, and outlives a loss of power. */
#ifndef SYS_SYNC_H
#define SYS_SYNC_H

/**
 * See all bytes of an open file, or the names in an open directory, to the disk.  Returns 0, or an
 * errno.
 */
int sync_file(int fd);

/** As sync_file, but of a file that had its name before: its times may be lost. */
int sync_data(int fd);

/**
 * Give everything to the disk that anybody has written so far to the file system of an open file:
 * for many files that costs as much as sync_file for one.  The disk may hold it in its own memory
 * still: some file systems have that written only where they had a log to write (xfs), or before
 * the last of it (ext4 without a journal); sync_file of any file there, next, has it written.
 *
 * Returns 0, or an errno: ENOSYS where there is no such call, or that of a file there, which need
 * not be this one.  Whether the bytes of a file are among what could not be written,
 * sync_file_failed tells afterwards.
 *
 * Only for file systems of which volume_tells_files is true: others, a FUSE one above all, let it
 * pass without having their files written.
 */
int sync_volume(int fd);

/**
 * Behind sync_volume: whether bytes of this file could not be written, then or earlier while it was
 * not open.  Returns 0, or the errno.
 */
int sync_file_failed(int fd);

#endif
