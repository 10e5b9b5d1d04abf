/* SPDX-License-Identifier: MIT */
#include "base/base.h"

#include "sys/signals.h"

#include <poll.h>
#include <unistd.h>
#ifdef HAVE_SYS_SIGNALFD_H
#include <sys/signalfd.h>

/* Poll interval in ms: none, for a descriptor tells of signals. */
#define SIGNALS_POLL (-1)
#else
#define SIGNALS_POLL 50
#endif

int
signals_open(struct signals *s, const int *list, size_t n)
{
	*s = (struct signals){ .list = list, .n = n, .fd = -1 };
	sigemptyset(&s->set);
	for (size_t i = 0; i < n; i++) {
		struct sigaction act;

		/* Blocked signals arrive even if ignored. */
		if (sigaction(list[i], NULL, &act) == 0 && act.sa_handler != SIG_IGN)
			sigaddset(&s->set, list[i]);
	}
#ifdef HAVE_SYS_SIGNALFD_H
	s->fd = signalfd(-1, &s->set, SFD_CLOEXEC | SFD_NONBLOCK);
	return s->fd < 0 ? -1 : 0;
#else
	return 0;
#endif
}

void
signals_close(struct signals *s)
{
	if (s->fd >= 0)
		close(s->fd);
	s->fd = -1;
}

#ifdef HAVE_SYS_SIGNALFD_H
/* Take a pending signal.  Returns its number, or 0. */
static int
signals_take(const struct signals *s)
{
	struct signalfd_siginfo info;

	return read(s->fd, &info, sizeof(info)) == (ssize_t)sizeof(info) ? (int)info.ssi_signo : 0;
}
#else
/* Returns a pending signal of the set, or 0. */
static int
signals_pending(const struct signals *s)
{
	sigset_t pending;

	if (sigpending(&pending) < 0)
		return 0;
	for (size_t i = 0; i < s->n; i++) {
		if (sigismember(&s->set, s->list[i]) == 1 && sigismember(&pending, s->list[i]) == 1)
			return s->list[i];
	}
	return 0;
}

/* Take a pending signal.  Returns its number, or 0. */
static int
signals_take(const struct signals *s)
{
	int signo = signals_pending(s);
	sigset_t one;

	sigemptyset(&one);
	if (signo != 0)
		sigaddset(&one, signo);
	return signo != 0 && sigwait(&one, &signo) == 0 ? signo : 0;
}
#endif

int
signals_wait(const struct signals *s, int input)
{
	/* poll leaves out a descriptor of -1. */
	struct pollfd fds[] = { { .fd = s->fd, .events = POLLIN }, { .fd = input, .events = POLLIN } };

	do {
		int signo;

		if (poll(fds, 2, SIGNALS_POLL) < 0 && errno != EINTR)
			return -1;
		signo = signals_take(s);
		if (signo != 0)
			return signo;
	} while (fds[1].revents == 0);
	return 0;
}
