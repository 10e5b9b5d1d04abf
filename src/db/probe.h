/* SPDX-License-Identifier: MIT */
/* probe - check an index file and the files beside it before SQLite opens them. */
#ifndef DB_PROBE_H
#define DB_PROBE_H

/**
 * Check whether path may be opened as an index, without a change to the disk.  create: the file may
 * be missing.  Files beside it with the names of SQLite's log, journal and shared memory must be
 * those, because SQLite deletes or overwrites any others (it rebuilds shared memory that a power
 * cut tore).  Beside a missing or empty file they must hold nothing that would be lost.
 *
 * Returns 0 with the *version in its first page (0: it is missing or empty; a log may hold a
 * newer page), or -1: ERR_NO_INDEX when there is no file or (not to write) nothing in it,
 * ERR_BAD_INDEX when it, or a file beside it, is something else; ERR_SYS.
 */
int probe_index(const char *path, bool write, bool create, int64_t *version, struct err *err);

/** Whether a journal beside the file must be played back: its writer is gone. */
bool probe_journal_is_hot(const char *path);
/** Whether the file alone is the index: any log and journal beside it are empty. */
bool probe_log_is_empty(const char *path);
/** Whether the disk of path is too full for the shared memory that readers of a log need. */
bool probe_no_room(const char *path);

#endif
