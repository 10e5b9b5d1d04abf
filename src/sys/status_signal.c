/* SPDX-License-Identifier: MIT */
#include "base/base.h"

#include "sys/status_signal.h"

#include <signal.h>

/* A global, as in sys/stop: a signal handler can reach nothing else. */
static volatile sig_atomic_t status_signal_seen;

static void
status_signal_handler(int sig)
{
	(void)sig;
	status_signal_seen = 1;
}

static void
status_signal_catch(int sig)
{
	const struct sigaction act = { .sa_handler = status_signal_handler, .sa_flags = SA_RESTART };
	struct sigaction old;

	if (sigaction(sig, NULL, &old) == 0 && old.sa_handler != SIG_IGN)
		sigaction(sig, &act, NULL);
}

void
status_signal_install(void)
{
	status_signal_catch(SIGUSR1);
#ifdef SIGINFO
	status_signal_catch(SIGINFO);
#endif
}

bool
status_signal_take(void)
{
	const bool seen = status_signal_seen != 0;

	status_signal_seen = 0;
	return seen;
}
