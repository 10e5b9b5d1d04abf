/* SPDX-License-Identifier: MIT */
#include "base/base.h"

#include "sys/queue.h"

#include <pthread.h>
#include <unistd.h>

#include "sys/worker.h"

/* Threads for each processor, because some wait for the disk. */
#define QUEUE_THREADS 2

struct queue {
	queue_fn *work;
	pthread_mutex_t lock;
	pthread_cond_t given, finished;
	struct queue_piece *todo, **last;  /* in order, so that neighbours are done together */
	struct queue_piece *done;
	int n_idle;                        /* threads that wait for a piece */
	int n_busy;                        /* that are at one */
	bool stop;
	int n_threads, max_threads;
	pthread_t *threads;
};

/* Take the next piece to do, or NULL.  With the lock held. */
static struct queue_piece *
queue_next(struct queue *q)
{
	struct queue_piece *piece = q->todo;

	if (piece != NULL) {
		q->todo = piece->next;
		if (q->todo == NULL)
			q->last = &q->todo;
	}
	return piece;
}

static void *
queue_thread(void *arg)
{
	struct queue *q = arg;
	struct queue_piece *piece;

	worker_begin();
	pthread_mutex_lock(&q->lock);
	while (!q->stop) {
		piece = queue_next(q);
		if (piece == NULL) {
			q->n_idle++;
			pthread_cond_wait(&q->given, &q->lock);
			q->n_idle--;
			continue;
		}
		q->n_busy++;
		pthread_mutex_unlock(&q->lock);
		q->work(piece);
		pthread_mutex_lock(&q->lock);
		q->n_busy--;
		piece->next = q->done;
		q->done = piece;
		pthread_cond_signal(&q->finished);
	}
	pthread_mutex_unlock(&q->lock);
	return NULL;
}

int
queue_threads(void)
{
	const long processors = sysconf(_SC_NPROCESSORS_ONLN);

	return QUEUE_THREADS * (processors > 0 ? (int)processors : 1);
}

struct queue *
queue_new(queue_fn *work, int n_threads)
{
	struct queue *q = mem_zalloc(1, sizeof(*q));

	assert(n_threads >= 0);
	q->work = work;
	q->last = &q->todo;
	q->max_threads = n_threads;
	q->threads = mem_zalloc((size_t)n_threads, sizeof(*q->threads));
	pthread_mutex_init(&q->lock, NULL);
	pthread_cond_init(&q->given, NULL);
	pthread_cond_init(&q->finished, NULL);
	return q;
}

void
queue_give(struct queue *q, struct queue_piece *piece)
{
	bool idle;

	piece->next = NULL;
	pthread_mutex_lock(&q->lock);
	*q->last = piece;
	q->last = &piece->next;
	idle = q->n_idle > 0;
	if (idle)
		pthread_cond_signal(&q->given);
	pthread_mutex_unlock(&q->lock);
	/* If no thread can be started, the caller does all work in queue_take. */
	if (!idle && q->n_threads < q->max_threads && pthread_create(&q->threads[q->n_threads], NULL, queue_thread, q) == 0)
		q->n_threads++;
}

struct queue_piece *
queue_take(struct queue *q, bool wait)
{
	struct queue_piece *piece;

	pthread_mutex_lock(&q->lock);
	while (wait && q->done == NULL && q->todo == NULL && q->n_busy > 0)
		pthread_cond_wait(&q->finished, &q->lock);
	piece = q->done;
	if (piece != NULL) {
		q->done = piece->next;
		pthread_mutex_unlock(&q->lock);
		return piece;
	}
	piece = wait ? queue_next(q) : NULL;
	pthread_mutex_unlock(&q->lock);
	if (piece != NULL)
		q->work(piece);
	return piece;
}

void
queue_free(struct queue *q)
{
	if (q == NULL)
		return;
	pthread_mutex_lock(&q->lock);
	q->stop = true;
	pthread_cond_broadcast(&q->given);
	pthread_mutex_unlock(&q->lock);
	for (int i = 0; i < q->n_threads; i++)
		pthread_join(q->threads[i], NULL);
	pthread_cond_destroy(&q->given);
	pthread_cond_destroy(&q->finished);
	pthread_mutex_destroy(&q->lock);
	free(q->threads);
	free(q);
}
