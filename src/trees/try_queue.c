/* SPDX-License-Identifier: MIT */
/* Hides a binary heap: what does not go has its subdirectories added while others wait. */
#include "base/base.h"

#include "trees/try_queue.h"

#include "query/dirtree.h"
#include "trees/dir_sums.h"

void
try_queue_open(struct try_queue *q, const struct dirtree *t, const struct dir_sum *sums)
{
	const uint32_t n = dirtree_count(t);

	*q = (struct try_queue){ .dirs = t, .sums = sums, .spare = mem_zalloc(n, sizeof(*q->spare)) };
	for (uint32_t dir = 1; dir < n; dir++)
		q->spare[dir] = q->spare[dirtree_parent(t, dir)] || backup_name_name(dirtree_name(t, dir));
}

void
try_queue_release(struct try_queue *q)
{
	vec_release(&q->heap);
	free(q->spare);
}

int
try_queue_cmp(const struct try_queue *q, uint32_t x, uint32_t y)
{
	ORDER_CMP(q->sums[y].frees, q->sums[x].frees);
	ORDER_CMP(q->sums[y].bytes, q->sums[x].bytes);
	ORDER_CMP(q->spare[y], q->spare[x]);
	ORDER_CMP(dirtree_depth(q->dirs, y), dirtree_depth(q->dirs, x));
	ORDER_CMP(y, x);
	return 0;
}

static bool
try_queue_before(const struct try_queue *q, struct try_item x, struct try_item y)
{
	return try_queue_cmp(q, x.dir, y.dir) < 0;
}

void
try_queue_add(struct try_queue *q, uint32_t dir, bool told)
{
	const struct try_item new = { dir, told };
	size_t at = q->heap.n;

	vec_push(&q->heap, new);
	for (; at > 0 && try_queue_before(q, new, q->heap.v[(at - 1) / 2]); at = (at - 1) / 2)
		q->heap.v[at] = q->heap.v[(at - 1) / 2];
	q->heap.v[at] = new;
}

struct try_item
try_queue_take(struct try_queue *q)
{
	const struct try_item first = q->heap.v[0], last = q->heap.v[--q->heap.n];
	size_t at = 0, in;

	for (; (in = at * 2 + 1) < q->heap.n; at = in) {
		in += in + 1 < q->heap.n && try_queue_before(q, q->heap.v[in + 1], q->heap.v[in]);
		if (!try_queue_before(q, q->heap.v[in], last))
			break;
		q->heap.v[at] = q->heap.v[in];
	}
	q->heap.v[at] = last;
	return first;
}
