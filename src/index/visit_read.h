/* SPDX-License-Identifier: MIT */
/* visit_read - reading in passing: files of a new directory whose turn it is while the directory is open. */
#ifndef INDEX_VISIT_READ_H
#define INDEX_VISIT_READ_H

#include <stdbool.h>
#include <stdint.h>

#include "index/visit.h"

/** Count the sizes of a new directory's inodes, before any is read: so the first of two in one directory is read too. */
void visit_count_sizes(struct visit *v, struct listing *l);

/** Read a counted file of the directory open at fd, if another inode of its size was met before and its bytes are in memory. */
void visit_read(struct visit_worker *vw, int fd, const char *name, struct listing_file *f);

/** content_reader.go_on, with a struct visit: whether a file with this head was met before. */
bool visit_go_on(void *arg, int64_t size, int64_t head);

#endif
