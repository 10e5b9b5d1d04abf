/* SPDX-License-Identifier: MIT */
/* visit - in threads: find a directory in the index, list it, stat its files, give the listing. */
#ifndef SCAN_VISIT_H
#define SCAN_VISIT_H

struct walk_dir;
struct walk_worker;

/** Callbacks for walk_start; visit_read_begin() each thread's own part before. */
void visit_dir(struct walk_worker *w, const struct walk_dir *d, int fd);
void visit_end(struct walk_worker *w);

#endif
