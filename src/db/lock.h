/* SPDX-License-Identifier: MIT */
/* lock - one writer of an index at a time, by its pid and host; readers wait for a new one. */
#ifndef DB_LOCK_H
#define DB_LOCK_H

/**
 * Lock the index at path for writing, by a file "<path>-lock" that stays and holds "<pid> on
 * <host>" while locked.  With wait, wait until the other writer is done or a signal comes.
 *
 * A file of that name with any other content is another program's and is left alone.
 *
 * Returns a descriptor for lock_release, or -1: ERR_BUSY naming the other
 * process, ERR_BAD_INDEX (another program's), ERR_SYS, ERR_INTERRUPTED.
 */
int lock_acquire(const char *path, bool wait, struct err *err);

/**
 * Keep writers out of the index at path; several readers may do so at a time.  Returns a descriptor
 * for lock_release, or -1: there is a writer, or the lock can't be made.
 */
int lock_bar(const char *path);

/**
 * As lock_bar, but do not make the lock file.  Returns 1 with *fd for lock_release (-1: there is no
 * lock file, so no process ever wrote), or 0: there is a writer, or the file can't be opened.
 */
int lock_look(const char *path, int *fd);

/**
 * Wait while the index at path is an empty file with a writer: a scan that makes it anew, and
 * publishes it soon (db_publish).  Returns 0, or -1: ERR_INTERRUPTED, or ERR_BUSY after 15 s.
 */
int lock_await_publish(const char *path, struct err *err);

/**
 * As lock_acquire, by a file "<path>-validate-lock": for long work that must run once at a time and
 * locks the index only to write.
 */
int lock_acquire_beside(const char *path, bool wait, struct err *err);
/** Whether a process holds that lock. */
bool lock_is_beside(const char *path);

/** Unlock.  Accepts -1. */
void lock_release(int fd);

#endif
