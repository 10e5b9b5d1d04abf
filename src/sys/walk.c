/* SPDX-License-Identifier: MIT */
/*
 * One stack of directories for all threads, last in first out, so that few
 * wait at a time.  A visit's children are pushed together after it: one lock
 * per directory.  Directories are opened by their path from the top, which
 * costs a microsecond more than from the parent's descriptor, and needs none
 * to stay open.
 */
#include <config.h>

#include "sys/walk.h"

#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <unistd.h>

#include "base/mem.h"
#include "sys/fs.h"
#include "sys/stop.h"
#include "sys/watch.h"
#include "sys/worker.h"

/* A thread looks whether it has waited for a disk when it has visited so many directories. */
#define WALK_LOOK 32

struct walk {
	pthread_mutex_t lock;
	pthread_cond_t more;       /* something was pushed, or all is done */
	pthread_cond_t wider;      /* the reserve is wanted, or all is done */
	struct walk_dir *stack;
	size_t n_busy;             /* threads in a visit, which may push */
	const char *const *tops;
	size_t n_tops;
	walk_visit_fn *visit;
	walk_end_fn *end;
	void (*drop)(void *);
	_Atomic bool stop;
	struct walk_worker *workers;
	pthread_t *threads;
	int n_threads;             /* that were started */
	int n_all;                 /* that there should be */
	_Atomic int n_wanted;      /* those with smaller numbers work; the others are the reserve */
};

static struct walk_dir *
walk_dir_new(size_t top, const char *parent, const char *name, void *data)
{
	const size_t plen = strlen(parent), nlen = strlen(name);
	struct walk_dir *d = mem_alloc(sizeof(*d) + plen + nlen + 2);
	const size_t at = plen > 0 ? plen + 1 : 0;

	d->next = NULL;
	d->top = top;
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
	struct walk_dir *child = walk_dir_new(d->top, d->path, name, data);

	child->next = w->pushed;
	w->pushed = child;
}

/* Whether there is nothing to do any more.  With the lock held. */
static bool
walk_is_done(const struct walk *t)
{
	return t->stack == NULL && t->n_busy == 0;
}

/*
 * Call in the reserve when the calling thread has to wait for a disk: then
 * others go on meanwhile.  Blocks are of 512 bytes, pages of 4096: that is a
 * page for every fourth directory.
 */
static void
walk_look(struct walk *t, const struct walk_worker *w)
{
#ifdef RUSAGE_THREAD
	struct rusage usage;

	if (w->n_visits % WALK_LOOK != 0 || getrusage(RUSAGE_THREAD, &usage) < 0 ||
	    (size_t)usage.ru_inblock < 2 * w->n_visits)
		return;
	pthread_mutex_lock(&t->lock);
	atomic_store(&t->n_wanted, t->n_all);
	pthread_cond_broadcast(&t->wider);
	pthread_mutex_unlock(&t->lock);
#else
	(void)t, (void)w;
#endif
}

/* Take the next directory, waiting while others may still push one.  NULL at the end. */
static struct walk_dir *
walk_take(struct walk *t, struct walk_worker *w)
{
	struct walk_dir *d, *last;

	pthread_mutex_lock(&t->lock);
	if (w->pushed != NULL) {
		for (last = w->pushed; last->next != NULL; last = last->next)
			;
		last->next = t->stack;
		t->stack = w->pushed;
		w->pushed = NULL;
	}
	t->n_busy--;
	while (w->n >= atomic_load(&t->n_wanted) && !walk_is_done(t))
		pthread_cond_wait(&t->wider, &t->lock);
	while (t->stack == NULL && t->n_busy > 0)
		pthread_cond_wait(&t->more, &t->lock);
	d = t->stack;
	if (d != NULL) {
		t->stack = d->next;
		t->n_busy++;
	}
	if (t->stack != NULL || d == NULL)
		pthread_cond_broadcast(&t->more);
	if (d == NULL)
		pthread_cond_broadcast(&t->wider);
	pthread_mutex_unlock(&t->lock);
	return d;
}

static int
walk_open(struct walk_worker *w, const struct walk_dir *d)
{
	if (w->top_fd >= 0 && w->top != d->top) {
		close(w->top_fd);
		w->top_fd = -1;
	}
	if (w->top_fd < 0)
		w->top_fd = fs_open_dir(AT_FDCWD, w->tree->tops[d->top]);
	w->top = d->top;
	return w->top_fd < 0 ? -1 : fs_open_dir(w->top_fd, d->path);
}

static void *
walk_thread(void *arg)
{
	struct walk_worker *w = arg;
	struct walk *t = w->tree;
	struct walk_dir *d;

	worker_begin();
	while ((d = walk_take(t, w)) != NULL) {
		if (stop_signal() == 0 && !atomic_load(&t->stop)) {
			int fd;

			watch_begin(w->post, t->tops[d->top], d->path);
			fd = walk_open(w, d);
			t->visit(w, d, fd);
			watch_end(w->post);
			if (fd >= 0)
				close(fd);
			w->n_visits++;
			if (atomic_load(&t->n_wanted) < t->n_all)
				walk_look(t, w);
		} else if (t->drop != NULL)
			t->drop(d->data);
		free(d);
	}
	t->end(w);
	if (w->top_fd >= 0)
		close(w->top_fd);
	return NULL;
}

struct walk *
walk_start(const char *const *tops, void *const *top_datas, size_t n_tops, int n_threads, int n_reserve,
           void *const *datas, struct watch *watch, walk_visit_fn *visit, walk_end_fn *end, void (*drop)(void *))
{
	struct walk *t = mem_zalloc(1, sizeof(*t));

	pthread_mutex_init(&t->lock, NULL);
	pthread_cond_init(&t->more, NULL);
	pthread_cond_init(&t->wider, NULL);
	t->tops = tops;
	t->n_tops = n_tops;
	t->visit = visit;
	t->end = end;
	t->drop = drop;
	for (size_t i = n_tops; i-- > 0;) {
		struct walk_dir *d = walk_dir_new(i, "", "", top_datas[i]);

		d->next = t->stack;
		t->stack = d;
	}
	t->n_all = n_threads + n_reserve;
	atomic_store(&t->n_wanted, n_threads);
	t->workers = mem_zalloc((size_t)t->n_all, sizeof(*t->workers));
	t->threads = mem_zalloc((size_t)t->n_all, sizeof(*t->threads));
	/* Every thread counts as busy until it first asks for work. */
	t->n_busy = (size_t)t->n_all;
	for (int i = 0; i < t->n_all; i++) {
		struct walk_worker *w = &t->workers[i];

		w->tree = t;
		w->data = datas[i];
		w->n = i;
		w->top_fd = -1;
		w->post = watch_join(watch);
	}
	while (t->n_threads < t->n_all &&
	       pthread_create(&t->threads[t->n_threads], NULL, walk_thread, &t->workers[t->n_threads]) == 0)
		t->n_threads++;
	pthread_mutex_lock(&t->lock);
	t->n_busy -= (size_t)(t->n_all - t->n_threads);
	pthread_cond_broadcast(&t->more);
	pthread_cond_broadcast(&t->wider);
	pthread_mutex_unlock(&t->lock);
	for (int i = t->n_threads; i < t->n_all; i++)
		t->end(&t->workers[i]);
	if (t->n_threads > 0)
		return t;
	walk_finish(t);
	return NULL;
}

void
walk_stop(struct walk *t)
{
	atomic_store(&t->stop, true);
}

void
walk_finish(struct walk *t)
{
	for (int i = 0; i < t->n_threads; i++)
		pthread_join(t->threads[i], NULL);
	/* What no thread came to. */
	while (t->stack != NULL) {
		struct walk_dir *d = t->stack;

		t->stack = d->next;
		if (t->drop != NULL)
			t->drop(d->data);
		free(d);
	}
	pthread_cond_destroy(&t->more);
	pthread_cond_destroy(&t->wider);
	pthread_mutex_destroy(&t->lock);
	free(t->workers);
	free(t->threads);
	free(t);
}
