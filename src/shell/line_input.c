/* SPDX-License-Identifier: MIT */
/*
 * A signal that comes just before read() would be seen only with the next key, and a second
 * Ctrl-C ends the program.  So signals are blocked while a line is edited, and a descriptor
 * tells of them; poll() has no moment in between.
 */
#include "base/base.h"

#include "shell/line_input.h"

#include <poll.h>
#include <pthread.h>
#include <signal.h>
#include <unistd.h>

int
line_input_open(struct line_input *in, int fd)
{
	static const int signals[] = { SIGINT, SIGTERM, SIGHUP, SIGQUIT, SIGTSTP, SIGCONT, SIGWINCH };

	in->fd = fd;
	return signals_open(&in->signals, signals, sizeof(signals) / sizeof(signals[0]));
}

void
line_input_close(struct line_input *in)
{
	signals_close(&in->signals);
}

void
line_input_begin(struct line_input *in)
{
	pthread_sigmask(SIG_BLOCK, &in->signals.set, &in->saved);
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
	const int signo = signals_wait(&in->signals, in->fd);

	return signo > 0 ? signo : signo == 0 ? LINE_INPUT_CHAR : LINE_INPUT_FAILED;
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
line_input_follows(const struct line_input *in, int ms)
{
	struct pollfd p = { .fd = in->fd, .events = POLLIN };

	return poll(&p, 1, ms) > 0;
}
