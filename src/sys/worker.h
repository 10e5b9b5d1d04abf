/* SPDX-License-Identifier: MIT */
/* worker - set up a thread that works for another. */
#ifndef SYS_WORKER_H
#define SYS_WORKER_H

/**
 * Make the calling thread a worker, where the system can.  It gets its own descriptor table,
 * because threads contend for a shared one: no other thread can use what it opens (fs_is_apart
 * tells).  And it gets a lower priority than the thread that takes its results, which finishes
 * last.
 */
void worker_begin(void);

/** Only lower the priority: for a thread whose descriptors others use. */
void worker_stand_back(void);

#endif
