/* SPDX-License-Identifier: MIT */
#include "base/base.h"

#include "trees/similar_view.h"

#include "query/dirtree.h"
#include "trees/dir_digest.h"

void
similar_view_begin(struct similar_view *v, const struct dir_digest *h, uint32_t top)
{
	if (v->stamp == NULL) {
		v->stamp = mem_zalloc(h->n, sizeof(*v->stamp));
		v->at = mem_alloc(h->n * sizeof(*v->at));
	}
	v->turn++;
	v->top = top;
	v->all.n = 0;
}

void
similar_view_see(struct similar_view *v, const struct dir_digest *h, uint32_t dir)
{
	for (;; dir = dirtree_parent(h->map.dirs, dir)) {
		if (v->stamp[dir] == v->turn)
			return;
		v->stamp[dir] = v->turn;
		vec_push(&v->all, ((struct similar_seen){ .dir = dir }));
		if (dir == v->top)
			return;
	}
}

static int
similar_view_cmp(const void *a, const void *b)
{
	const struct similar_seen *x = a, *y = b;

	ORDER_CMP(x->dir, y->dir);
	return 0;
}

void
similar_view_sort(struct similar_view *v)
{
	if (v->all.n > 1)
		qsort(v->all.v, v->all.n, sizeof(*v->all.v), similar_view_cmp);
	for (size_t i = 0; i < v->all.n; i++)
		v->at[v->all.v[i].dir] = (uint32_t)i;
}

struct similar_seen *
similar_view_at(const struct similar_view *v, const struct dir_digest *h, uint32_t dir)
{
	while (v->stamp[dir] != v->turn)
		dir = dirtree_parent(h->map.dirs, dir);
	return &v->all.v[v->at[dir]];
}

void
similar_view_sum(struct similar_view *v, const struct dir_digest *h)
{
	for (size_t i = v->all.n; i-- > 1;) {
		struct similar_seen *up = &v->all.v[v->at[dirtree_parent(h->map.dirs, v->all.v[i].dir)]];

		up->bytes += v->all.v[i].bytes;
		up->other += v->all.v[i].other;
	}
}

size_t
similar_view_next(const struct similar_view *v, const struct dir_digest *h, size_t i)
{
	const uint32_t end = dirtree_end(h->map.dirs, v->all.v[i].dir);
	size_t at;

	/* Most have few below them. */
	for (at = i + 1; at < v->all.n && at < i + 4; at++) {
		if (v->all.v[at].dir >= end)
			return at;
	}
	ORDER_FIRST(at, v->all.n, v->all.v[at].dir < end);
	return at;
}

void
similar_view_release(struct similar_view *v)
{
	vec_release(&v->all);
	free(v->stamp);
	free(v->at);
}
