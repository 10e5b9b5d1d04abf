/* SPDX-License-Identifier: MIT */
/* sync - write files to the disk, to survive a loss of power. */
#ifndef SYS_SYNC_H
#define SYS_SYNC_H

/**
 * Write all bytes of an open file, or the names in an open directory, to the disk.  Returns 0, or
 * an errno.
 */
int sync_file(int fd);

/** As sync_file, but of a file that had its name before: its times may be lost. */
int sync_data(int fd);

/**
 * Write all changes to the file system of an open file to its disk: for many files that costs as
 * much as sync_file for one.  The disk's own cache may still hold them: some file systems flush it
 * only if they had a log to write (xfs), or too early (ext4 without a journal).  A sync_file of any
 * file there flushes it.
 *
 * Returns 0, or an errno: ENOSYS without such a call, or the error of any file there; call
 * sync_file_failed to find out which files could not be written.
 *
 * Only for file systems of which volume_tells_files is true: others, above all FUSE, report success
 * without writing their files.
 */
int sync_volume(int fd);

/**
 * After sync_volume: whether bytes of this file could not be written, then or earlier while it was
 * not open.  Returns 0, or the errno.
 */
int sync_file_failed(int fd);

#endif
