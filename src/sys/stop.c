/* SPDX-License-Identifier: MIT */
#include "base/base.h"

#include "sys/stop.h"

#include <poll.h>
#include <signal.h>
#include <unistd.h>

/* Delay in ms until a signal that came just before a wait is seen. */
#define STOP_POLL 100

/* A global: a signal handler can reach nothing else. */
static volatile sig_atomic_t stop_seen;

static void
stop_handler(int sig)
{
	if (stop_seen != 0) {
		signal(sig, SIG_DFL);
		raise(sig);
	}
	stop_seen = sig;
}

void
stop_install(void)
{
	/* No SA_RESTART: a blocked wait must return and check the flag. */
	struct sigaction act = { .sa_handler = stop_handler }, old;

	sigemptyset(&act.sa_mask);
	sigaction(SIGINT, &act, NULL);
	sigaction(SIGTERM, &act, NULL);
	/* Keep it ignored under nohup. */
	if (sigaction(SIGHUP, NULL, &old) < 0 || old.sa_handler != SIG_IGN)
		sigaction(SIGHUP, &act, NULL);
	act.sa_handler = SIG_IGN;
	sigaction(SIGXFSZ, &act, NULL);
}

static void
stop_patient_handler(int sig)
{
	/* Keep an earlier signal that ends the shell. */
	if (stop_seen == 0)
		stop_seen = sig;
}

void
stop_be_patient(void)
{
	struct sigaction act = { .sa_handler = stop_patient_handler };

	sigemptyset(&act.sa_mask);
	sigaction(SIGINT, &act, NULL);
}

int
stop_signal(void)
{
	return (int)stop_seen;
}

void
stop_clear(void)
{
	stop_seen = 0;
}

void
stop_ask(void)
{
	if (stop_seen == 0)
		stop_seen = SIGINT;
}

int
stop_check(struct err *err)
{
	if (stop_seen == 0)
		return 0;
	return err_set(err, ERR_INTERRUPTED, "interrupted by SIG%s", stop_seen == SIGINT ? "INT" : stop_seen == SIGHUP ? "HUP" : "TERM");
}

bool
stop_await(int fd)
{
	struct pollfd p = { .fd = fd, .events = POLLIN };

	if (isatty(fd) == 1)
		while (stop_seen == 0 && poll(&p, 1, STOP_POLL) <= 0)
			;
	return stop_seen == 0;
}
