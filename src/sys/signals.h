/* SPDX-License-Identifier: MIT */
/* signals - wait for blocked signals and input together. */
#ifndef SYS_SIGNALS_H
#define SYS_SIGNALS_H

#include <signal.h>

/** Embed it.  The caller blocks the signals of the set before it waits. */
struct signals {
	const int *list;   /* borrowed: which signals */
	size_t n;
	sigset_t set;      /* those of them that are not ignored */
	int fd;            /* signalfd, readable when a signal is pending; -1 without signalfd */
};

/** Begin to use the n signals of a list that stays.  Returns 0 or -1 with errno. */
int signals_open(struct signals *s, const int *list, size_t n);
void signals_close(struct signals *s);

/**
 * Wait for a signal of the set, which is consumed, or until the descriptor input can be read.
 * Returns the number of the signal, 0: input, or -1 with errno.
 */
int signals_wait(const struct signals *s, int input);

#endif
