/* SPDX-License-Identifier: MIT */
/* read_ahead - SQLite reads pages that lie together with one call instead of one a page. */
#ifndef DB_READ_AHEAD_H
#define DB_READ_AHEAD_H

/**
 * Get the name of a VFS for a connection that only reads: the usual one, but for pages of the
 * database file that are read one after the other.  The first call registers it.
 *
 * Returns the name, or NULL (the usual VFS) where this SQLite has another form of files.
 */
const char *read_ahead_vfs(void);

#endif
