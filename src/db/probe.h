/* SPDX-License-Identifier: MIT */
/* probe - what can be told of an index file before SQLite opens it. */
#ifndef DB_PROBE_H
#define DB_PROBE_H

#include <stdbool.h>

struct err;

/**
 * Whether path may be opened as an index: touches nothing, makes nothing.
 * create: the file need not be there.
 * Returns 0, or -1: ERR_NO_INDEX when there is no file or (not to write)
 * nothing in it, ERR_BAD_INDEX when it is something else, ERR_SYS.
 */
int probe_index(const char *path, bool write, bool create, struct err *err);

/** Whether the file alone is the index: no log and no journal beside it holds anything. */
bool probe_log_is_empty(const char *path);
/** Whether the disk of path has no room for the small file that readers share while there is a log. */
bool probe_no_room(const char *path);

#endif
