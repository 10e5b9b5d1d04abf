/* SPDX-License-Identifier: MIT */
/* archive_index - an archive as an index in memory: its members are files. */
#ifndef QUERY_ARCHIVE_INDEX_H
#define QUERY_ARCHIVE_INDEX_H

#include "query/list.h"

struct index;
struct inside;

/**
 * Append the path of the directory in which members lie, as they are called everywhere:
 * "ARCHIVE!".  A member's path follows without empty components, and without ".".
 */
void archive_index_path(const struct inside *in, struct buf *path);

/**
 * Make an index of the members of an archive, with the secret of ix.  Its files count as there
 * (index.members), for in was looked at.  One that was not judged has the reason as its error, and
 * is told to gap, if that is not NULL; of those with one path only the last is there, as after
 * unpacking.  With within a member that is an archive is a directory, too, like the archive itself.
 *
 * Returns 0 with an owned *result for index_close, or -1: ERR_INTERRUPTED, ERR_BAD_INDEX, ERR_DB.
 */
int archive_index_open(struct index **result, struct index *ix, const struct inside *in, bool within, list_gap_fn *gap, void *arg, struct err *err);

#endif
