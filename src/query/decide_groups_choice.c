/* SPDX-License-Identifier: MIT */
#include "base/base.h"

#include "query/decide_groups_choice.h"

/* Whether a name is chosen; of all that stay, or among which rules choose, also one in a trash. */
static bool
decide_groups_is_chosen(const struct decide_groups_look *l, size_t i, const struct decide_groups_chosen *chosen)
{
	if (chosen->place == NULL && chosen->name == NULL)
		return decide_groups_counts(&l->names.v[i]);
	return decide_groups_can_stay(&l->names.v[i]) && (chosen->place == NULL || l->names.v[i].place == *chosen->place) &&
	       (chosen->name == NULL || i == *chosen->name);
}

/* Whether a name of the inode of name i is chosen: its names lie side by side. */
static bool
decide_groups_inode_is_chosen(const struct decide_groups_look *l, size_t i, const struct decide_groups_chosen *chosen)
{
	const uint32_t inode = l->names.v[i].inode;
	bool is = false;

	/* The number of an inode is that of its first name. */
	for (size_t j = inode; j < l->names.n && l->names.v[j].inode == inode; j++)
		is |= decide_groups_is_chosen(l, j, chosen);
	return is;
}

static void
decide_groups_choice_add(struct decide_groups_choice *c, const struct decide_groups_look *l, const struct decide_groups_set *set, size_t i,
                   enum mark_decision decision)
{
	const struct decide_groups_name *name = &l->names.v[i];

	if (name->as.mark != decision)
		vec_push(&c->items, ((struct choose_item){ .path = arena_str(&c->memory, decide_groups_path(l, name)), .decision = decision,
		                                               .size = set->size, .mtime = name->as.facts.mtime, .hash = set->hash }));
}

/*
 * Of the chosen inodes, set picked for those that keep would choose.  Returns how many could go.
 */
static int64_t
decide_groups_pick(struct decide_groups_look *l, const struct decide_groups_chosen *chosen)
{
	for (size_t i = 0; i < l->names.n; i++) {
		struct decide_groups_name *name = &l->names.v[i];

		decide_groups_ask(name, !decide_groups_inode_is_chosen(l, i, chosen), name->role == DECIDE_GROUPS_KEPT);
	}
	return decide_groups_choose(l);
}

void
decide_groups_propose(struct decide_groups_look *l)
{
	decide_groups_pick(l, &(struct decide_groups_chosen){ .rules = true });
}

/*
 * Ask for the open inodes that were not picked to go, while those stay that were; the wish of
 * these remains to tell them.
 */
static void
decide_groups_ask_others(struct decide_groups_look *l)
{
	for (size_t i = 0; i < l->names.n; i++) {
		struct decide_groups_name *name = &l->names.v[i];

		decide_groups_ask(name, false, name->picked || name->role == DECIDE_GROUPS_KEPT);
	}
	decide_groups_choose(l);
}

enum decide_groups_outcome
decide_groups_keep(struct decide_groups_look *l, const struct decide_groups_set *set, const struct decide_groups_chosen *chosen, struct decide_groups_choice *c)
{
	const bool all = chosen->place == NULL && chosen->name == NULL && !chosen->rules;
	const bool rules = chosen->rules || (chosen->place != NULL && decide_groups_has_rules(l->o));
	bool several, some = false;

	assert(chosen->name == NULL || (*chosen->name < l->names.n && decide_groups_can_stay(&l->names.v[*chosen->name])));
	several = decide_groups_pick(l, chosen) > 0 && !rules && !all;
	for (size_t i = 0; i < l->names.n; i++) {
		struct decide_groups_name *name = &l->names.v[i];

		if (!rules)
			name->picked = !name->out;
		some |= name->picked;
	}
	if (!some)
		return DECIDE_GROUPS_NOWHERE;
	decide_groups_ask_others(l);
	for (size_t i = 0; i < l->names.n; i++) {
		struct decide_groups_name *name = &l->names.v[i];
		const bool first = name->inode == i;

		/* Of what must stay besides, decide_groups_choose has picked some as well. */
		name->picked = name->as.wish == KEEP_PINNED && decide_groups_inode_is_chosen(l, i, chosen);
		if (name->goes) {
			decide_groups_choice_add(c, l, set, i, MARK_DROP);
			c->n_drop++;
			if (first)
				c->frees = num_add(c->frees, set->size);
		} else if (name->picked && decide_groups_is_chosen(l, i, chosen) && !several)
			decide_groups_choice_add(c, l, set, i, MARK_KEEP);
		c->n_must += first && name->as.wish == KEEP_ASKED && !name->goes;
	}
	return several ? DECIDE_GROUPS_SEVERAL : DECIDE_GROUPS_DECIDES;
}

void
decide_groups_choice_release(struct decide_groups_choice *c)
{
	vec_release(&c->items);
	arena_release(&c->memory);
}
