/* SPDX-License-Identifier: MIT */
/* tasks - do pieces of work in threads, and take them back in the calling thread. */
#ifndef SYS_TASKS_H
#define SYS_TASKS_H

/** The head of every piece of work; owned by the threads between tasks_give and tasks_take. */
struct tasks_piece {
	struct tasks_piece *next;
};

/** What threads do; every function gets arg. */
struct tasks_kind {
	void *arg;
	/** Make a thread's state, in that thread; may be NULL. */
	void *(*begin)(void *arg);
	/** Do a piece, in any thread. */
	void (*work)(void *arg, void *state, struct tasks_piece *piece);
	/** Free a thread's state, in that thread; may be NULL. */
	void (*end)(void *arg, void *state);
	bool shares;    /* the threads and the caller use each other's descriptors */
};

struct tasks;

/** How the calling thread takes a piece back. */
enum tasks_how {
	TASKS_READY,    /* one that is done already */
	TASKS_HELP,     /* wait, and do pieces meanwhile that no thread has begun */
	TASKS_TICK      /* wait until the next tick (sys/tick) */
};

/** The number of threads that keeps all processors busy while some wait for the disk. */
int tasks_threads(void);
/**
 * Make up to n_threads threads; each starts when there is work for it.  Where none can be started,
 * the caller does all work in tasks_take.  kind is borrowed.  Never NULL.
 */
struct tasks *tasks_new(const struct tasks_kind *kind, int n_threads);
/** Hand a piece over. */
void tasks_give(struct tasks *t, struct tasks_piece *piece);
/** The number of pieces that are given and not taken back. */
size_t tasks_out(const struct tasks *t);
/**
 * Take back a finished piece, the one that was done first.  NULL: none is ready (TASKS_READY), no
 * piece is out, or the time of a tick has come (TASKS_TICK).
 */
struct tasks_piece *tasks_take(struct tasks *t, enum tasks_how how);
/** End the threads and free t (or NULL).  Pieces not taken are the caller's again, done or not. */
void tasks_free(struct tasks *t);

/** Numbered pieces of work that have results; every function gets arg. */
struct tasks_map {
	void *arg;
	size_t result_size;
	/** As of struct tasks_kind. */
	void *(*begin)(void *arg);
	/** Prefetch for pieces first to first+n-1, which this thread does next; may be NULL. */
	void (*ahead)(void *arg, void *state, size_t first, size_t n);
	/** Do piece i, in any thread; fill result (zeroed before). */
	void (*run)(void *arg, void *state, size_t i, void *result);
	/** As of struct tasks_kind. */
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
int tasks_map_run(const struct tasks_map *map, size_t n, int n_threads, struct err *err);

#endif
