/* SPDX-License-Identifier: MIT */
/*
 * Hides how pieces are distributed: threads take chunks of them, in order, by one atomic counter,
 * and deliver the results of a chunk together; the calling thread takes them as they arrive.
 *
 * struct pool_chunk belongs to its thread until pool_deliver, to the caller from pool_take on.
 * One lock, over the list of delivered chunks alone: no function of pool_work is called under it.
 */
#include "base/base.h"

#include "sys/pool.h"

#include <pthread.h>
#include <stdatomic.h>

#include "sys/stop.h"
#include "sys/tick.h"
#include "sys/worker.h"

/* Pieces in a chunk, where there are enough: neighbours share a directory's descriptor. */
#define POOL_CHUNK 16
/* The same with prefetching: 16 or 32 give a disk less to do, 128 no more. */
#define POOL_CHUNK_AHEAD 64
/* Chunks of results that may wait for the calling thread. */
#define POOL_WAITING 256

struct pool_chunk {
	struct pool_chunk *next;
	size_t first, n;
	char *results;
};

struct pool {
	const struct pool_work *work;
	size_t n, chunk;
	_Atomic size_t taken;
	_Atomic bool stop;
	pthread_mutex_t lock;
	pthread_cond_t filled, drained;
	struct pool_chunk *first, **last;
	size_t waiting;
	int n_running;
};

static void
pool_deliver(struct pool *p, struct pool_chunk *c)
{
	pthread_mutex_lock(&p->lock);
	while (p->waiting >= POOL_WAITING && !atomic_load(&p->stop))
		pthread_cond_wait(&p->drained, &p->lock);
	*p->last = c;
	p->last = &c->next;
	p->waiting++;
	pthread_cond_signal(&p->filled);
	pthread_mutex_unlock(&p->lock);
}

static void *
pool_thread(void *arg)
{
	struct pool *p = arg;
	const struct pool_work *w = p->work;
	void *state;

	worker_begin();
	state = w->begin != NULL ? w->begin(w->arg) : NULL;
	while (!atomic_load(&p->stop) && stop_signal() == 0) {
		struct pool_chunk *c = mem_zalloc(1, sizeof(*c));

		c->first = atomic_fetch_add(&p->taken, p->chunk);
		if (c->first >= p->n) {
			free(c);
			break;
		}
		c->results = mem_zalloc(p->chunk, w->result_size);
		if (w->ahead != NULL)
			w->ahead(w->arg, state, c->first, p->n - c->first < p->chunk ? p->n - c->first : p->chunk);
		while (c->n < p->chunk && c->first + c->n < p->n && !atomic_load(&p->stop) && stop_signal() == 0) {
			w->run(w->arg, state, c->first + c->n, c->results + c->n * w->result_size);
			c->n++;
		}
		pool_deliver(p, c);
	}
	if (w->end != NULL)
		w->end(w->arg, state);
	pthread_mutex_lock(&p->lock);
	p->n_running--;
	pthread_cond_signal(&p->filled);
	pthread_mutex_unlock(&p->lock);
	return NULL;
}

/* Wait for the next chunk of results; NULL at a tick without one; *over: no more will come. */
static struct pool_chunk *
pool_take(struct pool *p, bool *over)
{
	struct pool_chunk *c;
	const struct timespec next = tick_next();

	pthread_mutex_lock(&p->lock);
	while (p->first == NULL && p->n_running > 0 && tick_wait(&p->filled, &p->lock, &next))
		;
	c = p->first;
	if (c != NULL) {
		p->first = c->next;
		if (p->first == NULL)
			p->last = &p->first;
		p->waiting--;
		pthread_cond_broadcast(&p->drained);
	}
	*over = c == NULL && p->n_running == 0;
	pthread_mutex_unlock(&p->lock);
	return c;
}

/* Take results until there are no more.  After a failure the rest is only drained. */
static int
pool_collect(struct pool *p, struct err *err)
{
	const struct pool_work *w = p->work;
	struct timespec last = { 0, 0 }, now;
	bool over = false;
	int ret = 0;

	while (!over) {
		struct pool_chunk *c = pool_take(p, &over);

		for (size_t i = 0; c != NULL && ret == 0 && i < c->n; i++)
			ret = w->done(w->arg, c->first + i, c->results + i * w->result_size, err);
		if (c != NULL) {
			free(c->results);
			free(c);
		}
		clock_gettime(CLOCK_MONOTONIC, &now);
		if (ret == 0 && w->tick != NULL &&
		    (now.tv_sec - last.tv_sec) * 1000000000 + now.tv_nsec - last.tv_nsec > 90000000) {
			last = now;
			ret = w->tick(w->arg, err);
		}
		if (ret < 0 && !atomic_load(&p->stop)) {
			atomic_store(&p->stop, true);
			pthread_mutex_lock(&p->lock);
			pthread_cond_broadcast(&p->drained);
			pthread_mutex_unlock(&p->lock);
		}
	}
	return ret < 0 ? -1 : stop_check(err);
}

int
pool_run(const struct pool_work *work, size_t n, int n_threads, struct err *err)
{
	const size_t most = work->ahead != NULL ? POOL_CHUNK_AHEAD : POOL_CHUNK;
	struct pool p = { .work = work, .n = n };
	pthread_t *threads;
	int started = 0, ret;

	assert(n_threads > 0 && work->run != NULL && work->done != NULL);
	if (n == 0)
		return stop_check(err);
	if ((size_t)n_threads > n)
		n_threads = (int)n;
	/* Few pieces are distributed one by one. */
	p.chunk = n / (size_t)n_threads / 4;
	if (p.chunk > most)
		p.chunk = most;
	if (p.chunk == 0)
		p.chunk = 1;
	pthread_mutex_init(&p.lock, NULL);
	tick_cond_init(&p.filled);
	pthread_cond_init(&p.drained, NULL);
	p.last = &p.first;
	p.n_running = n_threads;
	threads = mem_alloc((size_t)n_threads * sizeof(*threads));
	while (started < n_threads && pthread_create(&threads[started], NULL, pool_thread, &p) == 0)
		started++;
	pthread_mutex_lock(&p.lock);
	p.n_running -= n_threads - started;
	pthread_mutex_unlock(&p.lock);
	ret = started > 0 ? pool_collect(&p, err) : err_set(err, ERR_SYS, "no thread could be started");
	for (int i = 0; i < started; i++)
		pthread_join(threads[i], NULL);
	free(threads);
	pthread_cond_destroy(&p.filled);
	pthread_cond_destroy(&p.drained);
	pthread_mutex_destroy(&p.lock);
	return ret;
}
