/* SPDX-License-Identifier: MIT */
#include <config.h>

#include "sys/queue.h"

#include <pthread.h>
#include <stdlib.h>
#include <unistd.h>

#include "base/mem.h"
#include "sys/worker.h"

/* Threads for each processor: what is not in memory is waited for. */
#define CREW_THREADS 2

struct queue {
	queue_fn *work;
	pthread_mutex_t lock;
	pthread_cond_t given, finished;
	struct queue_piece *todo, **last;   /* first come, first served: what belongs together is done together */
	struct queue_piece *done;
	int n_idle;                        /* threads that wait for a piece */
	int n_busy;                        /* that are at one */
	bool stop;
	int n_threads, max_threads;
	pthread_t *threads;
};

/* Take a piece that waits for somebody, or NULL.  With the lock held. */
static struct queue_piece *
queue_next(struct queue *c)
{
	struct queue_piece *piece = c->todo;

	if (piece != NULL) {
		c->todo = piece->next;
		if (c->todo == NULL)
			c->last = &c->todo;
	}
	return piece;
}

static void *
queue_thread(void *arg)
{
	struct queue *c = arg;
	struct queue_piece *piece;

	worker_begin();
	pthread_mutex_lock(&c->lock);
	while (!c->stop) {
		piece = queue_next(c);
		if (piece == NULL) {
			c->n_idle++;
			pthread_cond_wait(&c->given, &c->lock);
			c->n_idle--;
			continue;
		}
		c->n_busy++;
		pthread_mutex_unlock(&c->lock);
		c->work(piece);
		pthread_mutex_lock(&c->lock);
		c->n_busy--;
		piece->next = c->done;
		c->done = piece;
		pthread_cond_signal(&c->finished);
	}
	pthread_mutex_unlock(&c->lock);
	return NULL;
}

int
queue_threads(void)
{
	const long processors = sysconf(_SC_NPROCESSORS_ONLN);

	return CREW_THREADS * (processors > 0 ? (int)processors : 1);
}

struct queue *
queue_new(queue_fn *work, int n_threads)
{
	struct queue *c = mem_zalloc(1, sizeof(*c));

	c->work = work;
	c->last = &c->todo;
	c->max_threads = n_threads;
	c->threads = mem_zalloc((size_t)n_threads, sizeof(*c->threads));
	pthread_mutex_init(&c->lock, NULL);
	pthread_cond_init(&c->given, NULL);
	pthread_cond_init(&c->finished, NULL);
	return c;
}

void
queue_give(struct queue *c, struct queue_piece *piece)
{
	bool idle;

	piece->next = NULL;
	pthread_mutex_lock(&c->lock);
	*c->last = piece;
	c->last = &piece->next;
	idle = c->n_idle > 0;
	if (idle)
		pthread_cond_signal(&c->given);
	pthread_mutex_unlock(&c->lock);
	/* Where none can be started, the caller does everything in queue_take. */
	if (!idle && c->n_threads < c->max_threads && pthread_create(&c->threads[c->n_threads], NULL, queue_thread, c) == 0)
		c->n_threads++;
}

struct queue_piece *
queue_take(struct queue *c, bool wait)
{
	struct queue_piece *piece;

	pthread_mutex_lock(&c->lock);
	while (wait && c->done == NULL && c->todo == NULL && c->n_busy > 0)
		pthread_cond_wait(&c->finished, &c->lock);
	piece = c->done;
	if (piece != NULL) {
		c->done = piece->next;
		pthread_mutex_unlock(&c->lock);
		return piece;
	}
	piece = wait ? queue_next(c) : NULL;
	pthread_mutex_unlock(&c->lock);
	if (piece != NULL)
		c->work(piece);
	return piece;
}

void
queue_free(struct queue *c)
{
	if (c == NULL)
		return;
	pthread_mutex_lock(&c->lock);
	c->stop = true;
	pthread_cond_broadcast(&c->given);
	pthread_mutex_unlock(&c->lock);
	for (int i = 0; i < c->n_threads; i++)
		pthread_join(c->threads[i], NULL);
	pthread_cond_destroy(&c->given);
	pthread_cond_destroy(&c->finished);
	pthread_mutex_destroy(&c->lock);
	free(c->threads);
	free(c);
}
