/* SPDX-License-Identifier: MIT */
#include "base/base.h"

#include "sys/lease.h"

#include <fcntl.h>
#include <pthread.h>
#include <signal.h>
#include <unistd.h>

#ifdef F_SETLEASE
/*
 * Does nothing: lease_look asks the kernel, and the signal of a broken lease must not end the
 * process.
 */
static void
lease_on_signal(int signal)
{
	(void)signal;
}

static void
lease_catch_signal(void)
{
	struct sigaction act;

	memset(&act, 0, sizeof(act));
	act.sa_handler = lease_on_signal;
	act.sa_flags = SA_RESTART;
	(void)sigaction(SIGIO, &act, NULL);
}

enum lease
lease_take(int fd)
{
	static pthread_once_t once = PTHREAD_ONCE_INIT;

	pthread_once(&once, lease_catch_signal);
	if (fcntl(fd, F_SETLEASE, F_RDLCK) == 0)
		return LEASE_HELD;
	return errno == EAGAIN ? LEASE_LOST : LEASE_NONE;
}

void
lease_give(int fd)
{
	(void)fcntl(fd, F_SETLEASE, F_UNLCK);
}

enum lease
lease_look(int fd)
{
	return fcntl(fd, F_GETLEASE) == F_RDLCK ? LEASE_HELD : LEASE_LOST;
}
#else
enum lease
lease_take(int fd)
{
	(void)fd;
	return LEASE_NONE;
}

void
lease_give(int fd)
{
	(void)fd;
}

enum lease
lease_look(int fd)
{
	(void)fd;
	return LEASE_LOST;
}
#endif
