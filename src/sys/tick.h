/* SPDX-License-Identifier: MIT */
/* tick - report progress: waits for other threads that return ten times a second. */
#ifndef SYS_TICK_H
#define SYS_TICK_H

#include <pthread.h>
#include <time.h>

/** Called often: done of all files are finished; all is 0 if it is unknown. */
typedef void tick_fn(void *arg, int64_t done, int64_t all);

/** Initialise a condition for tick_wait. */
void tick_cond_init(pthread_cond_t *cond);

/** The time of the next tick: 100 ms from now. */
struct timespec tick_next(void);

/**
 * Wait on a condition, whose lock is held, until it is signalled or the time of a tick has come.
 * Returns false then.  As with pthread_cond_wait, look at what is waited for and call it again.
 */
bool tick_wait(pthread_cond_t *cond, pthread_mutex_t *lock, const struct timespec *next);

#endif
