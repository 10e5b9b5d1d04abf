/* SPDX-License-Identifier: MIT */
/*
 * A process that dies while a line is edited would leave a terminal without echo.  So every
 * signal whose action is to end the process gets a handler that restores the mode and then lets
 * the signal do what it does: only calls that POSIX allows in handlers, on a stack of their
 * own, because an overflow of the other one may be the reason.  A handler that was there before
 * us (a sanitizer's) is called by raising the signal again once it is back in place.
 *
 * A signal that comes just before read() would be seen only with the next key, and a second
 * Ctrl-C ends the program.  So signals are blocked while somebody types, but for the moment in
 * which pselect() waits, and a handler of ours only notes them.
 */
#include "base/base.h"

#include "shell/line_tty.h"

#include <poll.h>
#include <pthread.h>
#include <signal.h>
#include <sys/ioctl.h>
#include <sys/select.h>
#include <unistd.h>

#define TTY_MARK_PASTES "\033[?2004h"
#define TTY_PLAIN_PASTES "\033[?2004l"

/* Bytes of the handlers' stack: more than MINSIGSTKSZ on all machines, AVX-512 included. */
#define TTY_STACK 65536

static const int line_tty_signals[] = {
	SIGSEGV, SIGABRT, SIGBUS, SIGFPE, SIGILL, SIGSYS, SIGTRAP, SIGXCPU, SIGPIPE, SIGALRM, SIGVTALRM, SIGPROF, SIGUSR1, SIGUSR2,
};
/* The first of them end the process even when they are handled. */
#define TTY_FAULTS 5
#define TTY_SIGNALS (sizeof(line_tty_signals) / sizeof(line_tty_signals[0]))

/* What the handlers see: the terminal that is in raw mode, while there is one. */
static struct line_tty *volatile line_tty_now;
static struct sigaction line_tty_before[TTY_SIGNALS];

/* What line_tty_byte returns, whether it has come, and its action of before line_tty_begin. */
static const int line_tty_waking[] = { SIGINT, SIGTERM, SIGHUP, SIGQUIT, SIGTSTP, SIGCONT, SIGWINCH };
#define TTY_WAKING (sizeof(line_tty_waking) / sizeof(line_tty_waking[0]))
static volatile sig_atomic_t line_tty_came[TTY_WAKING];
static struct sigaction line_tty_unnoted[TTY_WAKING];

static void line_tty_cooked(struct line_tty *t);

/* Write to the terminal, also from a handler. */
static void
line_tty_write(const struct line_tty *t, const char *text)
{
	const ssize_t n = write(t->out, text, strlen(text));

	(void)n;
}

static void
line_tty_die(int sig)
{
	struct line_tty *t = line_tty_now;

	line_tty_now = NULL;
	if (t != NULL) {
		tcsetattr(t->in, TCSANOW, &t->saved);
		line_tty_write(t, TTY_PLAIN_PASTES "\r\n");
	}
	for (size_t i = 0; i < TTY_SIGNALS; i++) {
		if (line_tty_signals[i] == sig)
			sigaction(sig, &line_tty_before[i], NULL);
	}
	/* It is blocked until this returns. */
	raise(sig);
}

/* Out of memory ends the process without a signal. */
static void
line_tty_last_words(void)
{
	struct line_tty *t = line_tty_now;

	if (t != NULL)
		line_tty_cooked(t);
}

/* Install the handlers once: while no terminal is raw they only pass the signal on. */
static void
line_tty_catch(void)
{
	static char memory[TTY_STACK];
	static bool caught;
	const stack_t stack = { .ss_sp = memory, .ss_size = TTY_STACK };
	stack_t old;
	struct sigaction act = { .sa_handler = line_tty_die, .sa_flags = SA_ONSTACK };

	if (caught)
		return;
	caught = true;
	mem_on_death(line_tty_last_words);
	sigemptyset(&act.sa_mask);
	/* A sanitizer has a stack for its own handlers. */
	if (sigaltstack(NULL, &old) == 0 && (old.ss_flags & SS_DISABLE) != 0)
		sigaltstack(&stack, NULL);
	for (size_t i = 0; i < TTY_SIGNALS; i++) {
		if (sigaction(line_tty_signals[i], NULL, &line_tty_before[i]) < 0)
			continue;
		/*
		 * Signals that are ignored or handled do not end the process, except for
		 * faults.
		 */
		if (line_tty_before[i].sa_handler == SIG_IGN || (line_tty_before[i].sa_handler != SIG_DFL && i >= TTY_FAULTS))
			continue;
		sigaction(line_tty_signals[i], &act, NULL);
	}
}

int
line_tty_open(struct line_tty *t, int in, int out)
{
	*t = (struct line_tty){ .in = in, .out = out };
	if (tcgetattr(in, &t->first) < 0)
		return -1;
	t->saved = t->first;
	line_tty_catch();
	return 0;
}

bool
line_tty_moves(void)
{
	const char *term = getenv("TERM");

	return term != NULL && *term != '\0' && strcmp(term, "dumb") != 0;
}

void
line_tty_raw(struct line_tty *t)
{
	struct termios mode;

	/*
	 * A command (!stty) may have changed it.  While raw it is ours, or that of a shell that
	 * had stopped us.
	 */
	if (!t->raw && tcgetattr(t->in, &t->saved) < 0)
		t->saved = t->first;
	mode = t->saved;
	mode.c_iflag &= ~(tcflag_t)(ICRNL | INLCR | IGNCR | ISTRIP | INPCK);
	mode.c_oflag |= OPOST | ONLCR;
	mode.c_lflag &= ~(tcflag_t)(ICANON | ECHO | ECHONL | IEXTEN);
	mode.c_lflag |= ISIG;
	mode.c_cc[VMIN] = 1;
	mode.c_cc[VTIME] = 0;
	t->raw = true;
	line_tty_now = t;
	/* TCSADRAIN keeps type-ahead. */
	tcsetattr(t->in, TCSADRAIN, &mode);
	if (line_tty_moves())
		line_tty_write(t, TTY_MARK_PASTES);
}

/* The mode of before line_tty_raw. */
static void
line_tty_cooked(struct line_tty *t)
{
	if (!t->raw)
		return;
	if (line_tty_moves())
		line_tty_write(t, TTY_PLAIN_PASTES);
	tcsetattr(t->in, TCSADRAIN, &t->saved);
	line_tty_now = NULL;
	t->raw = false;
}

void
line_tty_close(struct line_tty *t)
{
	line_tty_cooked(t);
	tcsetattr(t->in, TCSADRAIN, &t->first);
}

static void
line_tty_note(int sig)
{
	for (size_t i = 0; i < TTY_WAKING; i++) {
		if (line_tty_waking[i] == sig)
			line_tty_came[i] = 1;
	}
}

void
line_tty_begin(struct line_tty *t)
{
	struct sigaction act = { .sa_handler = line_tty_note };
	sigset_t set;

	sigemptyset(&act.sa_mask);
	sigemptyset(&set);
	for (size_t i = 0; i < TTY_WAKING; i++)
		sigaddset(&set, line_tty_waking[i]);
	pthread_sigmask(SIG_BLOCK, &set, &t->unblocked);
	t->waiting = t->unblocked;
	for (size_t i = 0; i < TTY_WAKING; i++) {
		sigdelset(&t->waiting, line_tty_waking[i]);
		line_tty_came[i] = 0;
		if (sigaction(line_tty_waking[i], NULL, &line_tty_unnoted[i]) == 0 && line_tty_unnoted[i].sa_handler != SIG_IGN)
			sigaction(line_tty_waking[i], &act, NULL);
	}
}

void
line_tty_end(struct line_tty *t)
{
	line_tty_cooked(t);
	for (size_t i = 0; i < TTY_WAKING; i++) {
		sigaction(line_tty_waking[i], &line_tty_unnoted[i], NULL);
		if (line_tty_came[i])
			raise(line_tty_waking[i]);
	}
	pthread_sigmask(SIG_SETMASK, &t->unblocked, NULL);
}

void
line_tty_stop(struct line_tty *t)
{
	const bool raw = t->raw;
	sigset_t stop;

	line_tty_cooked(t);
	sigemptyset(&stop);
	sigaddset(&stop, SIGTSTP);
	sigaddset(&stop, SIGCONT);
	signal(SIGTSTP, SIG_DFL);
	signal(SIGCONT, SIG_DFL);
	raise(SIGTSTP);
	pthread_sigmask(SIG_UNBLOCK, &stop, NULL);
	pthread_sigmask(SIG_BLOCK, &stop, NULL);
	signal(SIGTSTP, line_tty_note);
	signal(SIGCONT, line_tty_note);
	if (raw)
		line_tty_raw(t);
}

int
line_tty_wait(struct line_tty *t)
{
	int ready = 0;

	assert(t->in < FD_SETSIZE);
	for (;;) {
		sigset_t blocked;
		fd_set in;

		for (size_t i = 0; i < TTY_WAKING; i++) {
			if (line_tty_came[i]) {
				line_tty_came[i] = 0;
				return line_tty_waking[i];
			}
		}
		if (ready > 0)
			return LINE_TTY_CHAR;
		if (ready < 0 && errno != EINTR)
			return LINE_TTY_FAILED;
		FD_ZERO(&in);
		FD_SET(t->in, &in);
		ready = pselect(t->in + 1, &in, NULL, NULL, NULL, &t->waiting);
		/* Where input waits, too, it leaves signals pending; they come first. */
		pthread_sigmask(SIG_SETMASK, &t->waiting, &blocked);
		pthread_sigmask(SIG_SETMASK, &blocked, NULL);
	}
}

int
line_tty_byte(struct line_tty *t, char *byte)
{
	for (;;) {
		int ret = line_tty_wait(t);
		ssize_t n;

		if (ret != LINE_TTY_CHAR)
			return ret;
		n = read(t->in, byte, 1);
		if (n == 1)
			return LINE_TTY_CHAR;
		if (n == 0)
			return LINE_TTY_END;
		if (errno != EINTR && errno != EAGAIN)
			return LINE_TTY_FAILED;
	}
}

bool
line_tty_follows(const struct line_tty *t, int ms)
{
	struct pollfd p = { .fd = t->in, .events = POLLIN };

	return poll(&p, 1, ms) > 0;
}

void
line_tty_size(int out, int *width, int *height)
{
	struct winsize ws = { 0 };

	if (ioctl(out, TIOCGWINSZ, &ws) < 0)
		ws.ws_col = ws.ws_row = 0;
	*width = ws.ws_col > 0 ? ws.ws_col : 80;
	*height = ws.ws_row > 0 ? ws.ws_row : 24;
}
