/* SPDX-License-Identifier: MIT */
/*
 * Hides which files are read side by side.  Files of one size with one head mostly are copies:
 * hashed one by one, each would be read once more to be compared, and so would the one that it is
 * compared with.  The first of a group in reading order leads it; one thread reads them all, piece
 * by piece (sys/content).  Left out are inodes with several names, which share one result, and
 * disks that turn, which would go to and fro between the files.
 *
 * Made and freed by the main thread.  A twin belongs to the thread that reads its leader until the
 * main thread takes that result.
 */
#include "base/base.h"

#include "scan/hash_twins.h"

/* A file that may be in a group. */
struct hash_twins_file {
	size_t pos;  /* in plan.files */
	size_t at;   /* in the order of reading */
	int64_t size, head;
};

struct hash_twins_group {
	size_t leader;    /* position in plan.files */
	size_t first, n;  /* in twins */
};

struct hash_twins {
	VEC(struct hash_twin) twins;
	VEC(struct hash_twins_group) groups;
	struct table by_leader;
};

static uint64_t
hash_twins_key(size_t pos)
{
	return table_hash(pos, 0);
}

/* Files of one size and head side by side, in reading order. */
static int
hash_twins_cmp(const void *a, const void *b)
{
	const struct hash_twins_file *x = a, *y = b;

	ORDER_CMP(x->size, y->size);
	ORDER_CMP(x->head, y->head);
	ORDER_CMP(x->at, y->at);
	return 0;
}

/* Make groups of the n files, which are sorted, and note by reading order which of them follow. */
static void
hash_twins_group(struct hash_twins *x, const struct hash_twins_file *v, size_t n, bool *follows)
{
	struct hash_twins_group *g = NULL;

	for (size_t i = 0, leader = 0; i < n; i++) {
		if (i == leader || v[i].size != v[leader].size || v[i].head != v[leader].head || i - leader > HASH_TWINS_MOST) {
			leader = i;
			g = NULL;
			continue;
		}
		if (g == NULL) {
			g = vec_add(&x->groups);
			*g = (struct hash_twins_group){ .leader = v[leader].pos, .first = x->twins.n };
			table_add(&x->by_leader, hash_twins_key(g->leader), x->groups.n - 1);
		}
		g->n++;
		memset(vec_add(&x->twins), 0, sizeof(struct hash_twin));
		x->twins.v[x->twins.n - 1].pos = v[i].pos;
		follows[v[i].at] = true;
	}
}

struct hash_twins *
hash_twins_find(const struct hash_plan *p, struct order *order, size_t *n)
{
	struct hash_twins *x;
	VEC(struct hash_twins_file) may = { 0 };
	size_t kept = 0;
	bool *follows;

	if (p->references == NULL || p->digests != NULL || p->take != NULL || p->rotational)
		return NULL;
	x = mem_zalloc(1, sizeof(*x));
	for (size_t i = 0; i < *n; i++) {
		const struct hash_plan_file *f = &p->files.v[order[i].pos];

		if (f->want == CONTENT_FULL && f->size > CONTENT_LARGE && f->has_head && !f->links)
			vec_push(&may, ((struct hash_twins_file){ order[i].pos, i, f->size, f->head }));
	}
	if (may.n > 1) {
		follows = mem_zalloc(*n, sizeof(*follows));
		qsort(may.v, may.n, sizeof(*may.v), hash_twins_cmp);
		hash_twins_group(x, may.v, may.n, follows);
		for (size_t i = 0; i < *n; i++) {
			if (!follows[i])
				order[kept++] = order[i];
		}
		*n = kept;
		free(follows);
	}
	vec_release(&may);
	if (x->groups.n > 0)
		return x;
	hash_twins_free(x);
	return NULL;
}

struct hash_twin *
hash_twins_of(const struct hash_twins *x, size_t pos, size_t *n)
{
	*n = 0;
	if (x == NULL)
		return NULL;
	TABLE_EACH(i, &x->by_leader, hash_twins_key(pos)) {
		const struct hash_twins_group *g = &x->groups.v[i];

		if (g->leader == pos) {
			*n = g->n;
			return &x->twins.v[g->first];
		}
	}
	return NULL;
}

size_t
hash_twins_left(const struct hash_twins *x, struct order *order)
{
	size_t n = 0;

	for (size_t i = 0; i < x->twins.n; i++) {
		if (!x->twins.v[i].good)
			order[n++].pos = x->twins.v[i].pos;
	}
	return n;
}

void
hash_twins_free(struct hash_twins *x)
{
	if (x == NULL)
		return;
	vec_release(&x->twins);
	vec_release(&x->groups);
	table_release(&x->by_leader);
	free(x);
}
