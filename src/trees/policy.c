/* SPDX-License-Identifier: MIT */
/*
 * Names that are the same to every file are one group: in places of the same kind on one disk.  A
 * group keeps no more inodes than a line can ask for, so that a file of a content with many names
 * is judged as fast as others.
 *
 * Two inodes may be one file, shown by a view or a share: of these only one counts.
 */
#include "base/base.h"

#include "trees/policy.h"

#include "query/dirtree.h"
#include "trees/contents_map.h"
#include "trees/disks.h"
#include "trees/keepers.h"
#include "trees/stat_results.h"

static_assert(POLICY_MOST <= UINT8_MAX, "policy_found keeps the numbers in bytes");

const char *const policy_rules[POLICY_RULES] = {
	[POLICY_COPIES] = "copies", [POLICY_VOLUMES] = "volumes", [POLICY_OFFLINE] = "offline",
};

struct policy_group {
	uint32_t dir;            /* of the first of them */
	uint8_t why;             /* why they may go by themselves */
	bool here, offline;      /* neither: they can't be looked at */
	uint32_t copies[POLICY_MOST + 1];   /* inodes, the first of them */
	uint32_t n;
};

/* A copy that counts for the file in hand. */
struct policy_copy {
	uint32_t dir, copy;
};

/* The copies that count so far: enough for each rule, if all are other ones. */
struct policy_copies {
	struct policy_copy v[POLICY_RULES * POLICY_MOST + 1];
	size_t n;
	uint32_t n_offline, n_disks, n_unseen;
};

struct policy_line *
policy_find(const struct policy *p, const char *tree, enum policy_rule rule)
{
	for (size_t i = 0; i < p->lines.n; i++) {
		if (p->lines.v[i].rule == rule && strcmp(p->lines.v[i].tree, tree) == 0)
			return &p->lines.v[i];
	}
	return NULL;
}

/* Trees above others first; each tree's lines in their order. */
static int
policy_cmp(const void *a, const void *b)
{
	const struct policy_line *x = a, *y = b;

	ORDER_CMP(strlen(x->tree), strlen(y->tree));
	ORDER_CMP(x->number, y->number);
	return 0;
}

static int
policy_cmp_number(const void *a, const void *b)
{
	const struct policy_line *x = a, *y = b;

	ORDER_CMP(x->number, y->number);
	return 0;
}

void
policy_open(struct policy *p, const struct dirtree *t)
{
	VEC(struct policy_line) inner = { 0 };

	assert(p->lines.n < UINT8_MAX);
	if (p->lines.n > 1)
		qsort(p->lines.v, p->lines.n, sizeof(*p->lines.v), policy_cmp_number);
	for (int rule = 0; rule < POLICY_RULES; rule++)
		p->of[rule] = mem_zalloc(dirtree_count(t), sizeof(*p->of[rule]));
	for (size_t i = 0; i < p->lines.n; i++)
		vec_push(&inner, p->lines.v[i]);
	if (inner.n > 1)
		qsort(inner.v, inner.n, sizeof(*inner.v), policy_cmp);
	for (size_t i = 0; i < inner.n; i++) {
		const uint32_t dir = dirtree_find(t, inner.v[i].tree);
		const size_t at = (size_t)(policy_find(p, inner.v[i].tree, inner.v[i].rule) - p->lines.v);

		if (dir != DIRTREE_NONE)
			memset(p->of[inner.v[i].rule] + dir, (int)at + 1, dirtree_end(t, dir) - dir);
	}
	vec_release(&inner);
}

void
policy_release(struct policy *p)
{
	for (int rule = 0; rule < POLICY_RULES; rule++)
		free(p->of[rule]);
	vec_release(&p->lines);
	vec_release(&p->groups);
}

bool
policy_holds_in(const struct policy *p, uint32_t dir)
{
	bool holds = false;

	for (int rule = 0; rule < POLICY_RULES; rule++)
		holds |= p->of[rule][dir] != 0;
	return holds;
}

/* Add a name to its group. */
static void
policy_add(struct policy *p, const struct policy_view *v, const struct contents_map_name *n, bool here, bool offline)
{
	const uint8_t why = v->keepers->why[n->dir];
	struct policy_group *g = NULL;

	for (size_t i = 0; g == NULL && i < p->groups.n; i++) {
		struct policy_group *o = &p->groups.v[i];

		if (o->why == why && o->here == here && o->offline == offline && v->disks->of[o->dir] == v->disks->of[n->dir] &&
		    v->disks->splits[o->dir] == v->disks->splits[n->dir])
			g = o;
	}
	if (g == NULL) {
		vec_push(&p->groups, ((struct policy_group){ .dir = n->dir, .why = why, .here = here, .offline = offline }));
		g = &p->groups.v[p->groups.n - 1];
	}
	for (uint32_t i = 0; i < g->n; i++) {
		if (g->copies[i] == n->copy)
			return;
	}
	/* One more than can be asked for, because the file in hand may be among them. */
	if (g->n <= POLICY_MOST)
		g->copies[g->n++] = n->copy;
}

void
policy_take(struct policy *p, const struct policy_view *v, const struct contents_map_content *c)
{
	p->groups.n = 0;
	for (uint32_t at = c->first; at < c->first + c->n; at++) {
		const struct contents_map_name *n = &v->map->names[at];
		const bool here = stat_results_here(v->looks, at) && !n->overtaken;
		const bool offline = !here && stat_results_offline(v->looks, at) && !n->overtaken;

		if ((v->keepers->why[n->dir] & FLEETING_TRASH) == 0 && (here || offline || stat_results_unseen(v->looks, at) || n->overtaken))
			policy_add(p, v, n, here, offline);
	}
}

/* Count the copies of a group, as far as they may matter. */
static void
policy_count_group(struct policy_copies *all, const struct policy_view *v, const struct contents_map_content *c, const struct policy_group *g)
{
	for (uint32_t i = 0; i < g->n; i++) {
		bool fresh = true, counted = false;

		for (size_t k = 0; fresh && k < all->n; k++)
			fresh = !disks_numbers_are_one(v->disks->of[all->v[k].dir], v->disks->of[g->dir]);
		/* It may be the same file as one that counts. */
		for (size_t k = 0; !counted && k < all->n; k++) {
			const struct policy_copy *o = &all->v[k];

			counted = o->copy == g->copies[i] || disks_may_be_one(v->disks, o->dir, g->dir) ||
			          (c->mirrored && v->disks->splits[o->dir] && v->disks->splits[g->dir]);
		}
		if (counted)
			continue;
		if (!g->here && !g->offline) {
			all->n_unseen++;
			continue;
		}
		if (all->n > POLICY_MOST && (!fresh || all->n_disks >= POLICY_MOST) && (!g->offline || all->n_offline >= POLICY_MOST))
			return;
		all->v[all->n++] = (struct policy_copy){ g->dir, g->copies[i] };
		all->n_offline += g->offline;
		all->n_disks += fresh;
	}
}

struct policy_found
policy_judge(const struct policy *p, const struct policy_view *v, const struct contents_map_content *c, const struct contents_map_name *n)
{
	struct policy_copies all = { .v = { { n->dir, n->copy } }, .n = 1, .n_disks = 1 };
	struct policy_found found = { .has = { 0 } };
	const unsigned own = dirtree_fleeting(v->map->dirs, n->dir);
	uint32_t has[POLICY_RULES];

	for (size_t i = 0; i < p->groups.n; i++) {
		if (fleeting_keeps(p->groups.v[i].why, own))
			policy_count_group(&all, v, c, &p->groups.v[i]);
	}
	has[POLICY_COPIES] = (uint32_t)all.n;
	has[POLICY_VOLUMES] = all.n_disks;
	has[POLICY_OFFLINE] = all.n_offline;
	for (int rule = 0; rule < POLICY_RULES; rule++) {
		const uint8_t line = p->of[rule][n->dir];
		const int64_t least = line != 0 ? p->lines.v[line - 1].least : 0;

		found.has[rule] = (uint8_t)(has[rule] < POLICY_MOST ? has[rule] : POLICY_MOST);
		if (has[rule] >= least)
			continue;
		/* What nobody can see may be what is missing. */
		if (n->overtaken || c->unproven || has[rule] + all.n_unseen >= least)
			found.unsure |= (uint8_t)(1U << rule);
		else
			found.broken |= (uint8_t)(1U << rule);
	}
	return found;
}

void
policy_count(struct policy *p, uint32_t dir, const struct policy_found *found, int64_t bytes)
{
	for (int rule = 0; rule < POLICY_RULES; rule++) {
		struct policy_line *l;

		if ((found->broken >> rule & 1) == 0)
			continue;
		l = &p->lines.v[p->of[rule][dir] - 1];
		l->files++;
		l->bytes = num_add(l->bytes, bytes);
	}
}

void
policy_why(struct buf *b, const struct policy *p, uint32_t dir, const struct policy_found *found)
{
	const size_t start = b->len;

	for (int rule = 0; rule < POLICY_RULES; rule++) {
		const struct policy_line *l;

		if ((found->broken >> rule & 1) == 0)
			continue;
		l = &p->lines.v[p->of[rule][dir] - 1];
		buf_addf(b, "%sline %lld: %s = %lld, and it has %d", b->len > start ? "; " : "", (long long)l->number, policy_rules[rule],
		         (long long)l->least, found->has[rule]);
	}
}
