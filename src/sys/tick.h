/* SPDX-License-Identifier: MIT */
/* tick - waits for other threads that end ten times a second, to tell how far they are. */
#ifndef SYS_TICK_H
#define SYS_TICK_H

#include <pthread.h>
#include <stdbool.h>
#include <time.h>

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
