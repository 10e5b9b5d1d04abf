/* SPDX-License-Identifier: MIT */
#include "base/base.h"

#include "act/link_groups.h"

/* Move the victims on a volume to the front, in their order.  Returns their number. */
static size_t
link_groups_front(struct act_group *g, int64_t volume, struct act_victim *room)
{
	size_t n = 0, others = 0;

	for (size_t i = 0; i < g->n; i++) {
		if (g->victims[i].file.row.inode.volume == volume)
			g->victims[n++] = g->victims[i];
		else
			room[others++] = g->victims[i];
	}
	if (others > 0)
		memcpy(g->victims + n, room, others * sizeof(*room));
	return n;
}

/* Move the keepers on a volume to the front of a copy of all.  Returns how many they are. */
static size_t
link_groups_keepers(struct plan *p, struct act_group *g, int64_t volume)
{
	struct act_file *all = arena_alloc(&p->memory, g->n_keepers * sizeof(*all));
	size_t n = 0, here;

	for (size_t i = 0; i < g->n_keepers; i++) {
		if (g->keepers[i].row.inode.volume == volume)
			all[n++] = g->keepers[i];
	}
	here = n;
	for (size_t i = 0; i < g->n_keepers; i++) {
		if (g->keepers[i].row.inode.volume != volume)
			all[n++] = g->keepers[i];
	}
	g->keepers = all;
	return here;
}

/*
 * Give the victims of a group, all of one volume, the last one by path as their keeper, and those
 * that are names of its inode nothing to do.  Returns whether it could.
 */
static bool
link_groups_promote(struct plan *p, struct act_group *g, plan_stay_fn *stay, void *arg)
{
	struct act_file *keeper = arena_alloc(&p->memory, sizeof(*keeper));
	size_t n = 0;

	*keeper = g->victims[g->n - 1].file;
	for (size_t i = 0; i < g->n; i++)
		n += !inode_same(g->victims[i].file.row.inode, keeper->row.inode);
	if (n == 0)
		return false;
	n = 0;
	for (size_t i = 0; i < g->n; i++) {
		if (!inode_same(g->victims[i].file.row.inode, keeper->row.inode))
			g->victims[n++] = g->victims[i];
		else
			stay(arg, g->victims[i].file.path, PLAN_STAYS, "the copy that stays on its volume");
	}
	g->n = n;
	g->keepers = keeper;
	g->n_keepers = 1;
	return true;
}

/* Tell that victims have no copy on their volume: hard links cannot leave it. */
static void
link_groups_drop(struct plan *p, struct act_group *g, plan_stay_fn *stay, void *arg)
{
	struct buf why = { 0 };

	buf_addf(&why, "it is on another volume than '%s'", g->keepers[0].path);
	for (size_t i = 0; i < g->n; i++)
		stay(arg, g->victims[i].file.path, PLAN_STAYS, arena_str(&p->memory, buf_str(&why)));
	buf_release(&why);
	g->n = 0;
}

static int
link_groups_cmp(const void *a, const void *b)
{
	return strcmp(((const struct act_group *)a)->victims[0].file.path, ((const struct act_group *)b)->victims[0].file.path);
}

void
link_groups(struct plan *p, enum act_kind kind, bool untried, plan_stay_fn *stay, void *arg)
{
	const size_t n = p->groups.n;
	size_t kept = 0;

	assert(kind == ACT_HARD || kind == ACT_REFLINK);
	for (size_t i = 0; i < n; i++) {
		struct act_group rest = p->groups.v[i];
		struct act_victim *room = arena_alloc(&p->memory, rest.n * sizeof(*room));
		bool first = true;

		while (rest.n > 0) {
			const int64_t volume = rest.victims[0].file.row.inode.volume;
			const size_t here = link_groups_front(&rest, volume, room);
			struct act_group g = rest;

			g.n = here;
			if (link_groups_keepers(p, &g, volume) == 0 && kind == ACT_HARD && !link_groups_promote(p, &g, stay, arg) && untried)
				link_groups_drop(p, &g, stay, arg);
			rest.victims += here;
			rest.n -= here;
			if (first)
				p->groups.v[i] = g;
			else
				vec_push(&p->groups, g);
			first = false;
		}
	}
	for (size_t i = 0; i < p->groups.n; i++) {
		if (p->groups.v[i].n > 0)
			p->groups.v[kept++] = p->groups.v[i];
	}
	p->groups.n = kept;
	if (p->groups.n > 1)
		qsort(p->groups.v, p->groups.n, sizeof(*p->groups.v), link_groups_cmp);
}
