/* SPDX-License-Identifier: MIT */
/*
 * Hides how a stuck thread is detected: a working thread counts its steps without a clock; the
 * watching thread notes when it saw the number change.  A post belongs to its thread, except path,
 * entry and busy, behind its lock, and the fields of the watching thread.  Locks are leaves.
 */
#include "base/base.h"

#include "sys/stall.h"

#include <pthread.h>
#include <stdatomic.h>

#include "sys/fs.h"

struct stall_post {
	struct stall_post *next;
	_Atomic uint64_t steps;
	pthread_mutex_t lock;  /* of path, entry and busy */
	struct buf path;
	const char *entry;     /* in path; or NULL */
	bool busy;
	/* Of the watching thread. */
	uint64_t seen;         /* steps */
	int64_t since_ns;      /* when it saw them first */
	bool told;
};

struct stall {
	pthread_mutex_t lock;  /* of the list */
	struct stall_post *posts;
	int64_t limit_ns;
};

struct stall *
stall_new(int64_t limit_ns)
{
	struct stall *w = mem_zalloc(1, sizeof(*w));

	pthread_mutex_init(&w->lock, NULL);
	w->limit_ns = limit_ns;
	return w;
}

void
stall_free(struct stall *w)
{
	struct stall_post *p;

	if (w == NULL)
		return;
	while ((p = w->posts) != NULL) {
		w->posts = p->next;
		pthread_mutex_destroy(&p->lock);
		buf_release(&p->path);
		free(p);
	}
	pthread_mutex_destroy(&w->lock);
	free(w);
}

struct stall_post *
stall_join(struct stall *w)
{
	struct stall_post *p;

	if (w == NULL)
		return NULL;
	p = mem_zalloc(1, sizeof(*p));
	pthread_mutex_init(&p->lock, NULL);
	pthread_mutex_lock(&w->lock);
	p->next = w->posts;
	w->posts = p;
	pthread_mutex_unlock(&w->lock);
	return p;
}

void
stall_begin(struct stall_post *p, const char *dir, const char *path)
{
	if (p == NULL)
		return;
	pthread_mutex_lock(&p->lock);
	buf_cut(&p->path, 0);
	buf_adds(&p->path, dir);
	if (*path != '\0')
		path_append(&p->path, path, strlen(path));
	p->entry = NULL;
	p->busy = true;
	pthread_mutex_unlock(&p->lock);
	stall_step(p);
}

void
stall_entry(struct stall_post *p, const char *name)
{
	if (p == NULL)
		return;
	pthread_mutex_lock(&p->lock);
	p->entry = name;
	pthread_mutex_unlock(&p->lock);
	stall_step(p);
}

void
stall_step(struct stall_post *p)
{
	if (p != NULL)
		atomic_fetch_add_explicit(&p->steps, 1, memory_order_relaxed);
}

void
stall_end(struct stall_post *p)
{
	if (p == NULL)
		return;
	pthread_mutex_lock(&p->lock);
	p->entry = NULL;
	p->busy = false;
	pthread_mutex_unlock(&p->lock);
	stall_step(p);
}

/* Check a post without a step for long: copy its path if the thread is at work. */
static bool
stall_is_stuck(struct stall_post *p, struct buf *path)
{
	bool busy;

	pthread_mutex_lock(&p->lock);
	busy = p->busy;
	buf_cut(path, 0);
	buf_adds(path, buf_str(&p->path));
	if (p->entry != NULL)
		path_append(path, p->entry, strlen(p->entry));
	pthread_mutex_unlock(&p->lock);
	return busy;
}

void
stall_look(struct stall *w, void (*fn)(void *arg, const char *path), void *arg)
{
	const int64_t now = fs_clock_ns();
	struct stall_post *first;
	struct buf path = { 0 };

	/* Posts are added in front and never removed. */
	pthread_mutex_lock(&w->lock);
	first = w->posts;
	pthread_mutex_unlock(&w->lock);
	for (struct stall_post *p = first; p != NULL; p = p->next) {
		const uint64_t steps = atomic_load_explicit(&p->steps, memory_order_relaxed);

		if (steps != p->seen || p->since_ns == 0) {
			p->seen = steps;
			p->since_ns = now;
			p->told = false;
		} else if (!p->told && now - p->since_ns >= w->limit_ns) {
			p->told = true;
			if (stall_is_stuck(p, &path))
				fn(arg, buf_str(&path));
		}
	}
	buf_release(&path);
}
