/* SPDX-License-Identifier: MIT */
/* worker - set up a thread that works for another. */
#ifndef SYS_WORKER_H
#define SYS_WORKER_H

#include <pthread.h>

/**
 * Start a thread to which the signals that ask us to stop (sys/stop) do not come: the thread that
 * has started it is told at once, and a worker may get no processor for long.  Returns 0 or an
 * errno.
 */
int worker_start(pthread_t *thread, void *(*run)(void *), void *arg);

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
