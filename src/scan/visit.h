/* SPDX-License-Identifier: MIT */
/*
 * visit - in threads: list a directory, stat its files, read some in passing, deliver the
 * listing.
 */
#ifndef SCAN_VISIT_H
#define SCAN_VISIT_H

struct visit_state;
struct visit_worker;
struct walk_dir;
struct walk_worker;

/** Set up a thread's own part; visit_end releases it. */
void visit_worker_init(struct visit_worker *vw, struct visit_state *v);

/** Callbacks for walk_start. */
void visit_dir(struct walk_worker *w, const struct walk_dir *d, int fd);
void visit_end(struct walk_worker *w);

#endif
