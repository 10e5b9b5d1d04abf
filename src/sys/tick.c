/* SPDX-License-Identifier: MIT */
#include "base/base.h"

#include "sys/tick.h"

#define TICK_NS 100000000

/* The clock of a condition's wait: the real-time one where it can't be chosen (macOS). */
#ifdef HAVE_PTHREAD_CONDATTR_SETCLOCK
#define TICK_CLOCK CLOCK_MONOTONIC
#else
#define TICK_CLOCK CLOCK_REALTIME
#endif

void
tick_cond_init(pthread_cond_t *cond)
{
	pthread_condattr_t attr;

	pthread_condattr_init(&attr);
#ifdef HAVE_PTHREAD_CONDATTR_SETCLOCK
	pthread_condattr_setclock(&attr, TICK_CLOCK);
#endif
	pthread_cond_init(cond, &attr);
	pthread_condattr_destroy(&attr);
}

struct timespec
tick_next(void)
{
	struct timespec next;

	clock_gettime(TICK_CLOCK, &next);
	next.tv_nsec += TICK_NS;
	next.tv_sec += next.tv_nsec / 1000000000;
	next.tv_nsec %= 1000000000;
	return next;
}

bool
tick_wait(pthread_cond_t *cond, pthread_mutex_t *lock, const struct timespec *next)
{
	return pthread_cond_timedwait(cond, lock, next) == 0;
}
