/* SPDX-License-Identifier: MIT */
/*
 * Two names of a content, in directories of which neither is below the other, make a pair of tops:
 * the highest directories that hold one name each, and not both: children of the lowest directory
 * that holds both, or the directories that were asked for.  All pairs that may be told lie at or
 * below a pair of tops, so each pair of tops is looked at by itself.
 *
 * Every two names of a content that lies in few directories make a pair; of a common content only
 * those in neighbouring directories, in the order of the tree.  So the number of pairs is linear
 * in the number of names: a licence that lies in 100,000 directories makes 99,999 pairs at most.
 * Directories that hold just the same make pairs, too, each with the next.
 *
 * Contents are gone through twice, to count and to fill in, so that lists take no more memory
 * than they need.
 */
#include "base/base.h"

#include "trees/similar_tops.h"

#include "query/dirtree.h"
#include "sys/stop.h"
#include "trees/dir_digest.h"

/* The child of a directory that holds another one below it. */
static uint32_t
similar_tops_toward(const struct similar_tops *t, uint32_t from, uint32_t dir)
{
	while (dirtree_parent(t->h->map.dirs, dir) != from)
		dir = dirtree_parent(t->h->map.dirs, dir);
	return dir;
}

size_t
similar_tops_operand(const struct similar_tops *t, uint32_t dir)
{
	size_t found = t->n_dirs;

	for (size_t i = 0; i < t->n_dirs; i++) {
		if (dir_digest_is_below(t->h, dir, t->dirs[i]) && (found == t->n_dirs || t->dirs[i] > t->dirs[found]))
			found = i;
	}
	return found;
}

/* The top of one side: above dir, below joint, within the operand (n_dirs: anywhere), indexed. */
static uint32_t
similar_tops_top(const struct similar_tops *t, size_t operand, uint32_t joint, uint32_t dir)
{
	const bool inside = operand == t->n_dirs || dir_digest_is_below(t->h, joint, t->dirs[operand]);
	uint32_t top = inside ? similar_tops_toward(t, joint, dir) : t->dirs[operand];

	while (dirtree_id(t->h->map.dirs, top) == 0)
		top = similar_tops_toward(t, top, dir);
	return top;
}

/* Whether pairs between two operands were asked for; n_dirs stands for none. */
static bool
similar_tops_asks(const struct similar_tops *t, size_t a, size_t b)
{
	if (t->groups == NULL && t->n_dirs < 2)
		return t->n_dirs == 0 || a == 0 || b == 0;
	if (a == b || a == t->n_dirs || b == t->n_dirs)
		return false;
	return t->groups == NULL || (t->groups[a] != t->groups[b] && (t->groups[a] == 0 || t->groups[b] == 0));
}

/* The tops of two directories in their order.  Returns whether there are some. */
static bool
similar_tops_of(const struct similar_tops *t, uint32_t left, uint32_t right, struct similar_top *top)
{
	const uint32_t joint = dirtree_common(t->h->map.dirs, left, right);
	const size_t a = similar_tops_operand(t, left), b = similar_tops_operand(t, right);

	if (joint == left || left < t->h->root || right >= t->h->end)
		return false;
	if (!similar_tops_asks(t, a, b))
		return false;
	*top = (struct similar_top){ .left = similar_tops_top(t, a, joint, left), .right = similar_tops_top(t, b, joint, right) };
	return true;
}

/* The position of a pair of tops; it is added if it was not there. */
static uint32_t
similar_tops_add(struct similar_tops *t, const struct similar_top *top)
{
	const uint64_t hash = table_hash(top->left, top->right);

	TABLE_EACH(i, &t->by_pair, hash) {
		if (t->all.v[i].left == top->left && t->all.v[i].right == top->right)
			return (uint32_t)i;
	}
	vec_push(&t->all, *top);
	table_add(&t->by_pair, hash, t->all.n - 1);
	return (uint32_t)(t->all.n - 1);
}

/* Make pairs of the names of a content.  fill: note it in the lists, else count it. */
static void
similar_tops_content(struct similar_tops *t, uint32_t content, bool fill)
{
	const struct contents_map_content *c = &t->h->map.v[content];
	const struct contents_map_name *names = &t->h->map.names[c->first];
	uint32_t dirs[SIMILAR_COMMON], seen[SIMILAR_COMMON * SIMILAR_COMMON];
	size_t n = 0, n_seen = 0;
	struct similar_top top;

	for (uint32_t i = 0; i < c->n; i++) {
		if (i == 0 || names[i].dir != names[i - 1].dir)
			dirs[n++] = names[i].dir;
	}
	for (size_t i = 0; i < n; i++) {
		for (size_t j = i + 1; j < n; j++) {
			uint32_t at;
			size_t k = 0;

			if (!similar_tops_of(t, dirs[i], dirs[j], &top))
				continue;
			at = similar_tops_add(t, &top);
			while (k < n_seen && seen[k] != at)
				k++;
			if (k < n_seen)
				continue;
			seen[n_seen++] = at;
			if (fill)
				t->contents[t->all.v[at].first + t->all.v[at].n] = content;
			t->all.v[at].n++;
		}
	}
}

/* Note two directories that hold the same. */
static void
similar_tops_equal(struct similar_tops *t, uint32_t left, uint32_t right)
{
	struct similar_top top;

	if (similar_tops_of(t, left, right, &top) && dir_digest_is_below(t->h, left, top.left) && dir_digest_is_below(t->h, right, top.right))
		vec_push(&t->equals, ((struct similar_equal){ similar_tops_add(t, &top), left, right }));
}

/* Whether the parents of two twins are twins that make a pair, which covers all below. */
static bool
similar_tops_is_covered(const struct similar_tops *t, uint32_t left, uint32_t right)
{
	const struct dir_digest *h = t->h;
	const uint32_t a = dirtree_parent(h->map.dirs, left), b = dirtree_parent(h->map.dirs, right);

	return a != b && h->twin[a] != DIRTREE_NONE && h->twin[a] == h->twin[b] && h->at[b] == h->at[a] + 1 &&
	       similar_tops_operand(t, a) == similar_tops_operand(t, left) && similar_tops_operand(t, b) == similar_tops_operand(t, right);
}

/* The same of directories with the same set of contents. */
static void
similar_tops_sets(struct similar_tops *t)
{
	const struct dir_digest *h = t->h;
	VEC(struct order) dirs = { 0 };

	for (uint32_t dir = h->root; dir < h->end; dir++) {
		if (h->v[dir].files > 0 && dirtree_id(h->map.dirs, dir) != 0 && h->core[dir] == dir)
			vec_push(&dirs, ((struct order){ h->v[dir].contents.low, dir }));
	}
	if (dirs.n > 0)
		order_sort(dirs.v, dirs.n);
	for (size_t i = 0; i < dirs.n; i++) {
		/* The next that does not lie in it. */
		for (size_t j = i + 1; j < dirs.n && dirs.v[j].key == dirs.v[i].key; j++) {
			if (!dir_digest_is_below(h, (uint32_t)dirs.v[j].pos, (uint32_t)dirs.v[i].pos)) {
				similar_tops_equal(t, (uint32_t)dirs.v[i].pos, (uint32_t)dirs.v[j].pos);
				break;
			}
		}
	}
	vec_release(&dirs);
}

static int
similar_tops_cmp_equal(const void *a, const void *b)
{
	const struct similar_equal *x = a, *y = b;

	ORDER_CMP(x->top, y->top);
	ORDER_CMP(x->left, y->left);
	ORDER_CMP(x->right, y->right);
	return 0;
}

static int
similar_tops_cmp_common(const void *a, const void *b)
{
	const struct similar_common *x = a, *y = b;

	ORDER_CMP(x->dir, y->dir);
	ORDER_CMP(x->name, y->name);
	return 0;
}

/* Give the counted lists their places, and put the pairs in order. */
static void
similar_tops_place(struct similar_tops *t)
{
	uint32_t *start = mem_zalloc((size_t)t->h->n + 1, sizeof(*start));   /* by left */
	uint32_t at = 0;

	for (size_t i = 0; i < t->all.n; i++) {
		struct similar_top *top = &t->all.v[i];

		top->first = at;
		at += top->n;
		top->n = 0;
		start[top->left + 1]++;
	}
	t->contents = mem_alloc(((size_t)at + 1) * sizeof(*t->contents));
	t->order = mem_alloc((t->all.n + 1) * sizeof(*t->order));
	for (uint32_t dir = 0; dir < t->h->n; dir++)
		start[dir + 1] += start[dir];
	for (size_t i = 0; i < t->all.n; i++)
		t->order[start[t->all.v[i].left]++] = (uint32_t)i;
	free(start);
}

int
similar_tops_find(struct similar_tops *t, struct err *err)
{
	const struct dir_digest *h = t->h;
	const struct contents_map *m = &h->map;

	t->is_common = mem_zalloc(m->n + 1, 1);
	for (uint32_t c = 0; c < m->n; c++) {
		const struct contents_map_name *names = &m->names[m->v[c].first];
		uint32_t n_dirs = 1;

		for (uint32_t i = 1; i < m->v[c].n && n_dirs <= SIMILAR_COMMON; i++)
			n_dirs += names[i].dir != names[i - 1].dir;
		t->is_common[c] = n_dirs > SIMILAR_COMMON;
		for (uint32_t at = m->v[c].first; t->is_common[c] && at < m->v[c].first + m->v[c].n; at++) {
			const struct contents_map_name *name = &m->names[at];
			struct similar_top top;

			vec_push(&t->common, ((struct similar_common){ name->dir, c, at }));
			if (at > m->v[c].first && name->dir != name[-1].dir && similar_tops_of(t, name[-1].dir, name->dir, &top))
				similar_tops_add(t, &top);
		}
		if (!t->is_common[c] && m->v[c].n > 1)
			similar_tops_content(t, c, false);
		if (stop_check(err) < 0)
			return -1;
	}
	for (uint32_t i = 0; i + 1 < h->n_order; i++) {
		const uint32_t left = h->order[i], right = h->order[i + 1];

		if (h->twin[left] == h->twin[right] && !similar_tops_is_covered(t, left, right))
			similar_tops_equal(t, left, right);
	}
	similar_tops_sets(t);
	if (t->equals.n > 0)
		qsort(t->equals.v, t->equals.n, sizeof(*t->equals.v), similar_tops_cmp_equal);
	if (t->common.n > 0)
		qsort(t->common.v, t->common.n, sizeof(*t->common.v), similar_tops_cmp_common);
	similar_tops_place(t);
	for (uint32_t c = 0; c < m->n; c++) {
		if (!t->is_common[c] && m->v[c].n > 1)
			similar_tops_content(t, c, true);
		if (stop_check(err) < 0)
			return -1;
	}
	table_release(&t->by_pair);
	return 0;
}

void
similar_tops_release(struct similar_tops *t)
{
	vec_release(&t->all);
	vec_release(&t->equals);
	vec_release(&t->common);
	table_release(&t->by_pair);
	free(t->contents);
	free(t->order);
	free(t->is_common);
}
