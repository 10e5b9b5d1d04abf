/* SPDX-License-Identifier: MIT */
/*
 * Hides how pieces are distributed: one list of those to do, in order, so that neighbours are done
 * together, and one of those that are done.  tasks_map_run gives chunks of numbered pieces; each
 * comes back with the results of all its pieces.
 *
 * A piece belongs to its thread until it is done, to the caller from tasks_take on.  One lock, over
 * both lists alone: no function of tasks_kind or tasks_map is called under it.
 */
#include "base/base.h"

#include "sys/tasks.h"

#include <pthread.h>
#include <stdatomic.h>
#include <unistd.h>

#include "sys/stop.h"
#include "sys/tick.h"
#include "sys/worker.h"

/* Threads for each processor, because some wait for the disk. */
#define TASKS_THREADS 2
/* Pieces in a chunk, where there are enough: neighbours share a directory's descriptor. */
#define TASKS_CHUNK 16
/* The same with prefetching: 16 or 32 give a disk less to do, 128 no more. */
#define TASKS_CHUNK_AHEAD 64
/* Chunks that are given and not taken back: their results may wait for the calling thread. */
#define TASKS_CHUNKS 256

struct tasks_list {
	struct tasks_piece *first, **last;
};

struct tasks {
	const struct tasks_kind *kind;
	pthread_mutex_t lock;
	pthread_cond_t given, finished;
	/* Under the lock. */
	struct tasks_list todo, done;
	int n_idle;                    /* threads that wait for a piece */
	bool stop;
	/* The caller's. */
	size_t n_out;
	int n_threads, max_threads;
	pthread_t *threads;
	void *state;                   /* of kind, for the pieces that the caller does */
	bool has_state;
};

static void
tasks_push(struct tasks_list *l, struct tasks_piece *piece)
{
	piece->next = NULL;
	*l->last = piece;
	l->last = &piece->next;
}

/* Take the first piece, or NULL. */
static struct tasks_piece *
tasks_pop(struct tasks_list *l)
{
	struct tasks_piece *piece = l->first;

	if (piece != NULL) {
		l->first = piece->next;
		if (l->first == NULL)
			l->last = &l->first;
	}
	return piece;
}

static void *
tasks_thread(void *arg)
{
	struct tasks *t = arg;
	const struct tasks_kind *k = t->kind;
	struct tasks_piece *piece;
	void *state;

	if (k->shares)
		worker_stand_back();
	else
		worker_begin();
	state = k->begin != NULL ? k->begin(k->arg) : NULL;
	pthread_mutex_lock(&t->lock);
	while (!t->stop) {
		piece = tasks_pop(&t->todo);
		if (piece == NULL) {
			t->n_idle++;
			pthread_cond_wait(&t->given, &t->lock);
			t->n_idle--;
			continue;
		}
		pthread_mutex_unlock(&t->lock);
		k->work(k->arg, state, piece);
		pthread_mutex_lock(&t->lock);
		tasks_push(&t->done, piece);
		pthread_cond_signal(&t->finished);
	}
	pthread_mutex_unlock(&t->lock);
	if (k->end != NULL)
		k->end(k->arg, state);
	return NULL;
}

int
tasks_threads(void)
{
	const long processors = sysconf(_SC_NPROCESSORS_ONLN);

	return TASKS_THREADS * (processors > 0 ? (int)processors : 1);
}

struct tasks *
tasks_new(const struct tasks_kind *kind, int n_threads)
{
	struct tasks *t = mem_zalloc(1, sizeof(*t));

	assert(n_threads >= 0);
	t->kind = kind;
	t->todo.last = &t->todo.first;
	t->done.last = &t->done.first;
	t->max_threads = n_threads;
	t->threads = mem_zalloc((size_t)n_threads, sizeof(*t->threads));
	pthread_mutex_init(&t->lock, NULL);
	pthread_cond_init(&t->given, NULL);
	tick_cond_init(&t->finished);
	return t;
}

void
tasks_give(struct tasks *t, struct tasks_piece *piece)
{
	bool idle;

	t->n_out++;
	pthread_mutex_lock(&t->lock);
	tasks_push(&t->todo, piece);
	idle = t->n_idle > 0;
	if (idle)
		pthread_cond_signal(&t->given);
	pthread_mutex_unlock(&t->lock);
	if (!idle && t->n_threads < t->max_threads && worker_start(&t->threads[t->n_threads], tasks_thread, t) == 0)
		t->n_threads++;
}

size_t
tasks_out(const struct tasks *t)
{
	return t->n_out;
}

struct tasks_piece *
tasks_take(struct tasks *t, enum tasks_how how)
{
	const bool help = how == TASKS_HELP || (how == TASKS_TICK && t->n_threads == 0);
	const struct timespec next = tick_next();
	const struct tasks_kind *k = t->kind;
	struct tasks_piece *piece, *mine = NULL;
	bool wait = how != TASKS_READY && t->n_out > 0;

	pthread_mutex_lock(&t->lock);
	while (wait && t->done.first == NULL && (!help || t->todo.first == NULL)) {
		if (how == TASKS_TICK)
			wait = tick_wait(&t->finished, &t->lock, &next);
		else
			pthread_cond_wait(&t->finished, &t->lock);
	}
	piece = tasks_pop(&t->done);
	if (piece == NULL && help)
		piece = mine = tasks_pop(&t->todo);
	pthread_mutex_unlock(&t->lock);
	if (mine != NULL) {
		if (!t->has_state && k->begin != NULL)
			t->state = k->begin(k->arg);
		t->has_state = true;
		k->work(k->arg, t->state, mine);
	}
	t->n_out -= piece != NULL;
	return piece;
}

void
tasks_free(struct tasks *t)
{
	if (t == NULL)
		return;
	pthread_mutex_lock(&t->lock);
	t->stop = true;
	pthread_cond_broadcast(&t->given);
	pthread_mutex_unlock(&t->lock);
	for (int i = 0; i < t->n_threads; i++)
		pthread_join(t->threads[i], NULL);
	if (t->has_state && t->kind->end != NULL)
		t->kind->end(t->kind->arg, t->state);
	pthread_cond_destroy(&t->given);
	pthread_cond_destroy(&t->finished);
	pthread_mutex_destroy(&t->lock);
	free(t->threads);
	free(t);
}

struct tasks_mapping {
	const struct tasks_map *map;
	size_t n, chunk, next;         /* pieces in all, in a chunk, before the next chunk */
	_Atomic bool stop;
};

struct tasks_chunk {
	struct tasks_piece piece;      /* first, so that it is the chunk */
	const struct tasks_mapping *m;
	size_t first, n, n_done;
	char *results;                 /* of n_done pieces; owned */
};

static bool
tasks_map_stops(const struct tasks_mapping *m)
{
	return atomic_load(&m->stop) || stop_signal() != 0;
}

/* tasks_kind.work */
static void
tasks_map_work(void *arg, void *state, struct tasks_piece *piece)
{
	struct tasks_chunk *c = (struct tasks_chunk *)(void *)piece;
	const struct tasks_map *map = c->m->map;

	if (tasks_map_stops(c->m))
		return;
	c->results = mem_zalloc(c->n, map->result_size);
	if (map->ahead != NULL)
		map->ahead(arg, state, c->first, c->n);
	for (; c->n_done < c->n && !tasks_map_stops(c->m); c->n_done++)
		map->run(arg, state, c->first + c->n_done, c->results + c->n_done * map->result_size);
}

/* Give all chunks and take their results.  After a failure the rest is only drained. */
static int
tasks_map_collect(struct tasks_mapping *m, struct tasks *t, struct err *err)
{
	const struct tasks_map *map = m->map;
	struct timespec last = { 0, 0 }, now;
	int ret = 0;

	for (;;) {
		struct tasks_chunk *c;

		for (; m->next < m->n && t->n_out < TASKS_CHUNKS && !tasks_map_stops(m); m->next += c->n) {
			c = mem_zalloc(1, sizeof(*c));
			c->m = m;
			c->first = m->next;
			c->n = m->n - m->next < m->chunk ? m->n - m->next : m->chunk;
			tasks_give(t, &c->piece);
		}
		if (t->n_out == 0)
			break;
		c = (struct tasks_chunk *)(void *)tasks_take(t, TASKS_TICK);
		for (size_t i = 0; c != NULL && ret == 0 && i < c->n_done; i++)
			ret = map->done(map->arg, c->first + i, c->results + i * map->result_size, err);
		if (c != NULL)
			free(c->results);
		free(c);
		clock_gettime(CLOCK_MONOTONIC, &now);
		if (ret == 0 && map->tick != NULL &&
		    (now.tv_sec - last.tv_sec) * 1000000000 + now.tv_nsec - last.tv_nsec > 90000000) {
			last = now;
			ret = map->tick(map->arg, err);
		}
		if (ret < 0)
			atomic_store(&m->stop, true);
	}
	return ret < 0 ? -1 : stop_check(err);
}

int
tasks_map_run(const struct tasks_map *map, size_t n, int n_threads, struct err *err)
{
	const size_t most = map->ahead != NULL ? TASKS_CHUNK_AHEAD : TASKS_CHUNK;
	struct tasks_mapping m = { .map = map, .n = n };
	const struct tasks_kind kind = { .arg = map->arg, .begin = map->begin, .work = tasks_map_work, .end = map->end };
	struct tasks *t;
	int ret;

	assert(n_threads > 0 && map->run != NULL && map->done != NULL);
	if (n == 0)
		return stop_check(err);
	if ((size_t)n_threads > n)
		n_threads = (int)n;
	/* Few pieces are distributed one by one. */
	m.chunk = n / (size_t)n_threads / 4;
	if (m.chunk > most)
		m.chunk = most;
	if (m.chunk == 0)
		m.chunk = 1;
	t = tasks_new(&kind, n_threads);
	ret = tasks_map_collect(&m, t, err);
	tasks_free(t);
	return ret;
}
