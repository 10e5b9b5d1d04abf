/* SPDX-License-Identifier: MIT */
/* lock - one writer of an index at a time, known by its pid and host. */
#ifndef DB_LOCK_H
#define DB_LOCK_H

/**
 * Lock the index at path for writing, by a file "<path>-lock" that stays
 * there and holds "<pid> on <host>" while locked.  With wait, until the
 * other writer is done or a signal comes.
 *
 * A file of that name that holds anything else is another program's and stays as it is.
 *
 * Returns a descriptor for lock_release, or -1: ERR_BUSY naming the other
 * process, ERR_BAD_INDEX (another program's), ERR_SYS, ERR_INTERRUPTED.
 */
int lock_acquire(const char *path, bool wait, struct err *err);

/**
 * Bar writers from the index at path without being one; several readers may
 * do so at a time.  Returns a descriptor for lock_release, or -1 when there
 * is a writer, or no place for the lock.
 */
int lock_bar(const char *path);

/**
 * Bar writers as lock_bar does, but without making the lock file.  Returns 1 with *fd for
 * lock_release (-1: there is no lock file, so that no process ever wrote), or 0 when there is a
 * writer or the file can't be opened.
 */
int lock_look(const char *path, int *fd);

/** Refuse an index that has a writer.  Returns 0, or -1 with ERR_BUSY naming the process. */
int lock_check(const char *path, struct err *err);

/**
 * For a long work of which there is to be one at a time, and which locks the index only now and
 * then, to write: the same by a file "<path>-validate-lock".  Returns as lock_acquire.
 */
int lock_acquire_beside(const char *path, bool wait, struct err *err);
/** Whether such a work is under way. */
bool lock_is_beside(const char *path);

/** Give the lock back.  Accepts -1. */
void lock_release(int fd);

#endif
