/* SPDX-License-Identifier: MIT */
/*
 * A signal that comes just before read() would be seen with the next key only,
 * and a second Ctrl-C ends the program.  So signals are blocked while a line is
 * edited, and a descriptor tells of them; poll() has no moment in between.
 */
#include <config.h>

#include "shell/line_input.h"

#include <errno.h>
#include <poll.h>
#include <pthread.h>
#include <signal.h>
#include <sys/signalfd.h>
#include <unistd.h>

int
line_input_open(struct line_input *in, int fd)
{
	static const int signals[] = { SIGINT, SIGTERM, SIGHUP, SIGQUIT, SIGTSTP, SIGCONT, SIGWINCH };

	in->fd = fd;
	sigemptyset(&in->set);
	for (size_t i = 0; i < sizeof(signals) / sizeof(signals[0]); i++) {
		struct sigaction act;

		/* While blocked, ignored signals would come all the same. */
		if (sigaction(signals[i], NULL, &act) == 0 && act.sa_handler != SIG_IGN)
			sigaddset(&in->set, signals[i]);
	}
	in->signals = signalfd(-1, &in->set, SFD_CLOEXEC | SFD_NONBLOCK);
	return in->signals < 0 ? -1 : 0;
}

void
line_input_close(struct line_input *in)
{
	if (in->signals >= 0)
		close(in->signals);
	in->signals = -1;
}

void
line_input_begin(struct line_input *in)
{
	pthread_sigmask(SIG_BLOCK, &in->set, &in->saved);
}

void
line_input_end(struct line_input *in)
{
	pthread_sigmask(SIG_SETMASK, &in->saved, NULL);
}

void
line_input_stop(struct line_input *in)
{
	sigset_t stop;

	(void)in;
	sigemptyset(&stop);
	sigaddset(&stop, SIGTSTP);
	raise(SIGTSTP);
	pthread_sigmask(SIG_UNBLOCK, &stop, NULL);
	pthread_sigmask(SIG_BLOCK, &stop, NULL);
}

int
line_input_wait(struct line_input *in)
{
	struct pollfd fds[] = { { .fd = in->signals, .events = POLLIN }, { .fd = in->fd, .events = POLLIN } };
	struct signalfd_siginfo info;

	do {
		if (poll(fds, 2, -1) < 0 && errno != EINTR)
			return LINE_INPUT_FAILED;
		if (read(in->signals, &info, sizeof(info)) == (ssize_t)sizeof(info))
			return (int)info.ssi_signo;
	} while (fds[1].revents == 0);
	return LINE_INPUT_CHAR;
}

int
line_input_byte(struct line_input *in, char *byte)
{
	for (;;) {
		int ret = line_input_wait(in);
		ssize_t n;

		if (ret != LINE_INPUT_CHAR)
			return ret;
		n = read(in->fd, byte, 1);
		if (n == 1)
			return LINE_INPUT_CHAR;
		if (n == 0)
			return LINE_INPUT_END;
		if (errno != EINTR && errno != EAGAIN)
			return LINE_INPUT_FAILED;
	}
}

bool
line_input_is_ready(const struct line_input *in)
{
	struct pollfd fds[] = { { .fd = in->signals, .events = POLLIN }, { .fd = in->fd, .events = POLLIN } };

	return poll(fds, 2, 0) > 0;
}
