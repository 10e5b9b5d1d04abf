/* SPDX-License-Identifier: MIT */
/*
 * Hides how directories are distributed: one stack for all threads, last in first out, so that few
 * wait at a time.  A visit's children are pushed together after it: one lock per directory.  A
 * thread is started when a directory waits and no thread does: a small tree needs one.
 * Directories are opened by their path from the start point, which costs a microsecond more than
 * from the parent's descriptor, but keeps no descriptor open.
 */
#include "base/base.h"

#include "sys/walk.h"

#include <fcntl.h>
#include <pthread.h>
#include <stdatomic.h>
#include <sys/resource.h>
#include <unistd.h>

#include "sys/fs.h"
#include "sys/stop.h"
#include "sys/stall.h"
#include "sys/worker.h"

/* Visits of a thread between two checks whether it has waited for a disk. */
#define WALK_LOOK 32

struct walk {
	pthread_mutex_t lock;
	pthread_cond_t more;       /* a directory was pushed, or all are visited */
	pthread_cond_t begun;      /* a thread that was started has its own descriptors */
	struct walk_dir *stack;
	int n_busy;                /* threads in a visit, which may push */
	const char *const *starts;
	size_t n_starts;
	walk_visit_fn *visit;
	walk_end_fn *end;
	void (*drop)(void *);
	_Atomic bool stop;
	struct walk_worker *workers;
	pthread_t *threads;
	int n_threads;             /* that were started */
	int n_begun;               /* of these, that have their own descriptors */
	int n_wanted;              /* that may be started: at first without the reserve */
	int n_all;                 /* workers */
	bool over;                 /* the workers without a thread have had their end */
};

static void *walk_thread(void *arg);

static struct walk_dir *
walk_dir_new(size_t start, const char *parent, const char *name, void *data)
{
	const size_t plen = strlen(parent), nlen = strlen(name);
	struct walk_dir *d = mem_alloc(sizeof(*d) + plen + nlen + 2);
	const size_t at = plen > 0 ? plen + 1 : 0;

	d->next = NULL;
	d->start = start;
	d->data = data;
	d->name = at;
	memcpy(d->path, parent, plen);
	if (plen > 0)
		d->path[plen] = '/';
	memcpy(d->path + at, name, nlen + 1);
	return d;
}

void
walk_push(struct walk_worker *w, const struct walk_dir *d, const char *name, void *data)
{
	struct walk_dir *child = walk_dir_new(d->start, d->path, name, data);

	child->next = w->pushed;
	w->pushed = child;
}

/*
 * Call in the reserve when the calling thread has to wait for a disk: then
 * others go on meanwhile.  Blocks are of 512 bytes, pages of 4096: that is a
 * page for every fourth directory.
 */
static void
walk_look(struct walk *walk, const struct walk_worker *w)
{
#ifdef RUSAGE_THREAD
	struct rusage usage;

	if (w->n_visits % WALK_LOOK != 0 || getrusage(RUSAGE_THREAD, &usage) < 0 ||
	    (size_t)usage.ru_inblock < 2 * w->n_visits)
		return;
	pthread_mutex_lock(&walk->lock);
	walk->n_wanted = walk->n_all;
	pthread_mutex_unlock(&walk->lock);
#else
	(void)walk, (void)w;
#endif
}

static void
walk_close_start(struct walk_worker *w)
{
	if (w->start_fd >= 0)
		close(w->start_fd);
	w->start_fd = -1;
}

/*
 * Start one more thread, which counts as busy until it first asks for work.  With the lock held;
 * w is the worker that calls, or NULL.  It has no descriptor open until the new thread, which
 * begins with copies of all, has a table of its own.
 */
static void
walk_start_thread(struct walk *walk, struct walk_worker *w)
{
	const int n = walk->n_threads;

	if (w != NULL)
		walk_close_start(w);
	if (worker_start(&walk->threads[n], walk_thread, &walk->workers[n]) == 0) {
		walk->n_threads++;
		walk->n_busy++;
	} else
		walk->n_wanted = n;
	while (w != NULL && walk->n_begun < walk->n_threads)
		pthread_cond_wait(&walk->begun, &walk->lock);
}

/* Take the next directory, waiting while others may still push one.  NULL at the end. */
static struct walk_dir *
walk_take(struct walk *walk, struct walk_worker *w)
{
	struct walk_dir *d, *last;

	pthread_mutex_lock(&walk->lock);
	if (w->pushed != NULL) {
		for (last = w->pushed; last->next != NULL; last = last->next)
			;
		last->next = walk->stack;
		walk->stack = w->pushed;
		w->pushed = NULL;
	}
	walk->n_busy--;
	while (walk->stack == NULL && walk->n_busy > 0)
		pthread_cond_wait(&walk->more, &walk->lock);
	d = walk->stack;
	if (d != NULL) {
		walk->stack = d->next;
		walk->n_busy++;
	}
	if (walk->stack != NULL && walk->n_busy == walk->n_threads && walk->n_threads < walk->n_wanted)
		walk_start_thread(walk, w);
	else if (walk->stack != NULL || d == NULL)
		pthread_cond_broadcast(&walk->more);
	pthread_mutex_unlock(&walk->lock);
	return d;
}

/* At the end: call end for the workers that never got a thread. */
static void
walk_end_rest(struct walk *walk)
{
	int n;

	pthread_mutex_lock(&walk->lock);
	n = walk->over ? walk->n_all : walk->n_threads;
	walk->over = true;
	pthread_mutex_unlock(&walk->lock);
	for (; n < walk->n_all; n++)
		walk->end(&walk->workers[n]);
}

static void *
walk_thread(void *arg)
{
	struct walk_worker *w = arg;
	struct walk *walk = w->walk;
	struct walk_dir *d;

	worker_begin();
	pthread_mutex_lock(&walk->lock);
	walk->n_begun++;
	pthread_cond_broadcast(&walk->begun);
	pthread_mutex_unlock(&walk->lock);
	while ((d = walk_take(walk, w)) != NULL) {
		if (stop_signal() == 0 && !atomic_load(&walk->stop)) {
			int fd;

			stall_begin(w->post, walk->starts[d->start], d->path);
			if (w->start != d->start)
				walk_close_start(w);
			if (w->start_fd < 0)
				w->start_fd = fs_open_dir(AT_FDCWD, walk->starts[d->start]);
			w->start = d->start;
			fd = w->start_fd < 0 ? -1 : fs_open_dir(w->start_fd, d->path);
			walk->visit(w, d, fd);
			stall_end(w->post);
			if (fd >= 0)
				close(fd);
			w->n_visits++;
			walk_look(walk, w);
		} else if (walk->drop != NULL)
			walk->drop(d->data);
		free(d);
	}
	walk->end(w);
	walk_end_rest(walk);
	walk_close_start(w);
	return NULL;
}

struct walk *
walk_start(const char *const *starts, void *const *start_datas, size_t n_starts, int n_threads, int n_reserve,
           void *const *datas, struct stall *watch, walk_visit_fn *visit, walk_end_fn *end, void (*drop)(void *))
{
	struct walk *walk = mem_zalloc(1, sizeof(*walk));
	bool started;

	assert(n_threads > 0 && n_reserve >= 0);
	pthread_mutex_init(&walk->lock, NULL);
	pthread_cond_init(&walk->more, NULL);
	pthread_cond_init(&walk->begun, NULL);
	walk->starts = starts;
	walk->n_starts = n_starts;
	walk->visit = visit;
	walk->end = end;
	walk->drop = drop;
	for (size_t i = n_starts; i-- > 0;) {
		struct walk_dir *d = walk_dir_new(i, "", "", start_datas[i]);

		d->next = walk->stack;
		walk->stack = d;
	}
	walk->n_all = n_threads + n_reserve;
	walk->n_wanted = n_threads;
	walk->workers = mem_zalloc((size_t)walk->n_all, sizeof(*walk->workers));
	walk->threads = mem_zalloc((size_t)walk->n_all, sizeof(*walk->threads));
	for (int i = 0; i < walk->n_all; i++) {
		struct walk_worker *w = &walk->workers[i];

		w->walk = walk;
		w->data = datas[i];
		w->n = i;
		w->start_fd = -1;
		w->post = stall_join(watch);
	}
	pthread_mutex_lock(&walk->lock);
	walk_start_thread(walk, NULL);
	started = walk->n_threads > 0;
	pthread_mutex_unlock(&walk->lock);
	if (started)
		return walk;
	walk_end_rest(walk);
	walk_finish(walk);
	return NULL;
}

void
walk_stop(struct walk *walk)
{
	atomic_store(&walk->stop, true);
}

/* How many threads were started until now. */
static int
walk_n_threads(struct walk *walk)
{
	int n;

	pthread_mutex_lock(&walk->lock);
	n = walk->n_threads;
	pthread_mutex_unlock(&walk->lock);
	return n;
}

void
walk_finish(struct walk *walk)
{
	/* Only a thread that is not joined yet may start another. */
	for (int i = 0; i < walk_n_threads(walk); i++)
		pthread_join(walk->threads[i], NULL);
	/* Drop the directories that no thread visited. */
	while (walk->stack != NULL) {
		struct walk_dir *d = walk->stack;

		walk->stack = d->next;
		if (walk->drop != NULL)
			walk->drop(d->data);
		free(d);
	}
	pthread_cond_destroy(&walk->more);
	pthread_cond_destroy(&walk->begun);
	pthread_mutex_destroy(&walk->lock);
	free(walk->workers);
	free(walk->threads);
	free(walk);
}
