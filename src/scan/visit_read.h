/* SPDX-License-Identifier: MIT */
/* visit_read - reading in passing: files of a new directory, while it is open. */
#ifndef SCAN_VISIT_READ_H
#define SCAN_VISIT_READ_H

#include "scan/visit_state.h"

/**
 * stat a file of the directory open at dir; with may_open by opening it, where
 * it will probably be read.  Returns 0 with *fd open (or -1), for visit_meet or close, or -1 with
 * errno.
 */
int visit_stat(const struct visit_worker *vw, int dir, const char *name, bool may_open, struct fs_stat *st, int *fd);

/**
 * Count a file of a new directory, the listing's at-th; if it is open, another inode of
 * its size was met before and its bytes are in memory, read it.  Takes fd (-1: none) over.
 */
void visit_meet(struct visit_worker *vw, int dir, const char *name, int fd, struct listing_file *f, size_t at);

/** After the last: read those whose size was met since, and close what is open. */
void visit_rest(struct visit_worker *vw, int dir, struct listing *l);

/** Close what is open. */
void visit_close(struct visit_worker *vw);

/** content_reader.go_on, with a struct visit: whether a file with this head was met before. */
bool visit_go_on(void *arg, int64_t size, int64_t head);

#endif
