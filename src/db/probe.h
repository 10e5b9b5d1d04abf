/* SPDX-License-Identifier: MIT */
/* probe - what can be told of an index file before SQLite opens it. */
#ifndef DB_PROBE_H
#define DB_PROBE_H

#include <stdbool.h>
#include <stdint.h>

struct err;

/**
 * Whether path may be opened as an index: touches nothing, makes nothing.
 * create: the file need not be there.  What lies beside it under the names of SQLite's
 * log, journal and shared memory must be that, for SQLite deletes or overwrites what is not;
 * beside a file that is not there, or empty, they must hold nothing that could be missed.
 * Returns 0 with the *version that its first page tells (0: it is not there, or empty; a log may
 * hold a newer page), or -1: ERR_NO_INDEX when there is no file or (not to write) nothing in it, ERR_BAD_INDEX when it or what is beside it is something else, ERR_SYS.
 */
int probe_index(const char *path, bool write, bool create, int64_t *version, struct err *err);

/** Whether a journal beside the file has pages to give back, unless its writer is still at it. */
bool probe_journal_is_hot(const char *path);
/** Whether the file alone is the index: no log and no journal beside it holds anything. */
bool probe_log_is_empty(const char *path);
/** Whether the disk of path has no room for the small file that readers share while there is a log. */
bool probe_no_room(const char *path);

#endif
