/* SPDX-License-Identifier: MIT */
/* visit_read - read files in passing, while the walk is in their directory. */
#ifndef SCAN_VISIT_READ_H
#define SCAN_VISIT_READ_H

#include "scan/visit_state.h"

/** Set up a thread's own part, and release it. */
void visit_read_begin(struct visit_worker *vw, struct visit_state *v);
void visit_read_end(struct visit_worker *vw);

/**
 * stat a file of the directory open at dir; with may_open by opening it, where it will probably be
 * read.  Returns 0 with *fd open (or -1), for visit_read_meet or close, or -1 with errno.
 */
int visit_read_stat(const struct visit_worker *vw, int dir, const char *name, bool may_open, struct fs_stat *st, int *fd);

/**
 * Count a file of a new directory, the listing's at-th; if it is open, another inode of its size
 * was met before and its bytes are in memory, read it.  Takes fd (-1: none) over.
 */
void visit_read_meet(struct visit_worker *vw, int dir, const char *name, int fd, struct listing_file *f, size_t at);

/** After the last file: read those whose size was met since, and close what is open. */
void visit_read_rest(struct visit_worker *vw, int dir, struct listing *l);
/** Close what is open. */
void visit_read_close(struct visit_worker *vw);

#endif
