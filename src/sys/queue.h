/* SPDX-License-Identifier: MIT */
/*
 * queue - threads that work on what the calling thread hands them while it goes on finding more.
 */
#ifndef SYS_QUEUE_H
#define SYS_QUEUE_H

/** The beginning of every piece of work; the caller's, but for the time between give and take. */
struct queue_piece {
	struct queue_piece *next;
};

/** Do a piece, in any thread. */
typedef void queue_fn(struct queue_piece *piece);

struct queue;

/** How many threads keep all processors busy when some of them wait for the disk. */
int queue_threads(void);
/** Up to n_threads threads, of which each starts when there is a piece for it.  Never NULL. */
struct queue *queue_new(queue_fn *work, int n_threads);
/** Hand a piece over. */
void queue_give(struct queue *q, struct queue_piece *piece);
/**
 * Take a piece that is done back, in any order.  NULL when none is; with wait,
 * only when none is left: until then the calling thread works as well.
 */
struct queue_piece *queue_take(struct queue *q, bool wait);
/** End the threads and free q (or NULL).  Pieces not taken are the caller's again, done or not. */
void queue_free(struct queue *q);

#endif
