/* SPDX-License-Identifier: MIT */
/* pool - do numbered pieces of work in threads, and take their results in the calling thread. */
#ifndef SYS_POOL_H
#define SYS_POOL_H

/** The work; every function gets arg. */
struct pool_work {
	void *arg;
	size_t result_size;
	/** Make a thread's state, in that thread; may be NULL. */
	void *(*begin)(void *arg);
	/** Prefetch for pieces first to first+n-1, which this thread does next; may be NULL. */
	void (*ahead)(void *arg, void *state, size_t first, size_t n);
	/** Do piece i, in any thread; fill result (zeroed before). */
	void (*run)(void *arg, void *state, size_t i, void *result);
	/** Free a thread's state, in that thread; may be NULL. */
	void (*end)(void *arg, void *state);
	/** Take a result, in the calling thread.  Returns 0, or -1 with *err to stop. */
	int (*done)(void *arg, size_t i, const void *result, struct err *err);
	/** About ten times a second, in the calling thread; may be NULL.  -1 with *err stops. */
	int (*tick)(void *arg, struct err *err);
};

/**
 * Do the pieces 0 to n-1 with n_threads threads, roughly in that order.
 * A signal stops it between two pieces.
 *
 * Returns 0 when all results were taken, or -1: from done or tick, or ERR_INTERRUPTED;
 * the results of pieces that were done by then have been taken unless done failed.
 */
int pool_run(const struct pool_work *work, size_t n, int n_threads, struct err *err);

#endif
