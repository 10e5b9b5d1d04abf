/* SPDX-License-Identifier: MIT */
/* queue - threads that work on pieces while the calling thread finds more. */
#ifndef SYS_QUEUE_H
#define SYS_QUEUE_H

/** The head of every piece of work; owned by the queue between queue_give and queue_take. */
struct queue_piece {
	struct queue_piece *next;
};

/** Do a piece, in any thread. */
typedef void queue_fn(struct queue_piece *piece);

struct queue;

/** The number of threads that keeps all processors busy while some wait for the disk. */
int queue_threads(void);
/** Make a queue of up to n_threads threads; each starts when there is work for it.  Never NULL. */
struct queue *queue_new(queue_fn *work, int n_threads);
/** Hand a piece over. */
void queue_give(struct queue *q, struct queue_piece *piece);
/**
 * Take back a finished piece, in any order; NULL if none is ready.  With wait the calling
 * thread works as well, and NULL means that all are taken.
 */
struct queue_piece *queue_take(struct queue *q, bool wait);
/** End the threads and free q (or NULL).  Pieces not taken are the caller's again, done or not. */
void queue_free(struct queue *q);

#endif
