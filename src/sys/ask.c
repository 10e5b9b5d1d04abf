/* SPDX-License-Identifier: MIT */
#include "base/base.h"

#include "sys/ask.h"

#include <signal.h>

/* A global, as in sys/stop: a signal handler can reach nothing else. */
static volatile sig_atomic_t ask_seen;

static void
ask_handler(int sig)
{
	(void)sig;
	ask_seen = 1;
}

static void
ask_catch(int sig)
{
	const struct sigaction act = { .sa_handler = ask_handler, .sa_flags = SA_RESTART };
	struct sigaction old;

	if (sigaction(sig, NULL, &old) == 0 && old.sa_handler != SIG_IGN)
		sigaction(sig, &act, NULL);
}

void
ask_install(void)
{
	ask_catch(SIGUSR1);
#ifdef SIGINFO
	ask_catch(SIGINFO);
#endif
}

bool
ask_take(void)
{
	const bool seen = ask_seen != 0;

	ask_seen = 0;
	return seen;
}
