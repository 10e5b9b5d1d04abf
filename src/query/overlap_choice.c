/* SPDX-License-Identifier: MIT */
#include "base/base.h"

#include "query/overlap_choice.h"

/* Whether a name is chosen; of all that stay, or among which rules choose, also one in a trash. */
static bool
overlap_is_chosen(const struct overlap_look *l, size_t i, const struct overlap_chosen *chosen)
{
	if (chosen->place == NULL && chosen->name == NULL)
		return overlap_counts(&l->names.v[i]);
	return overlap_can_stay(&l->names.v[i]) && (chosen->place == NULL || l->names.v[i].place == *chosen->place) &&
	       (chosen->name == NULL || i == *chosen->name);
}

/* Whether a name of the inode of name i is chosen: its names lie side by side. */
static bool
overlap_inode_is_chosen(const struct overlap_look *l, size_t i, const struct overlap_chosen *chosen)
{
	const uint32_t inode = l->names.v[i].inode;
	bool is = false;

	/* The number of an inode is that of its first name. */
	for (size_t j = inode; j < l->names.n && l->names.v[j].inode == inode; j++)
		is |= overlap_is_chosen(l, j, chosen);
	return is;
}

static void
overlap_choice_add(struct overlap_choice *c, const struct overlap_look *l, const struct overlap_set *set, size_t i,
                   enum mark_decision decision)
{
	const struct overlap_name *name = &l->names.v[i];

	if (name->mark != decision)
		vec_push(&c->items, ((struct mark_apply_item){ .path = arena_str(&c->memory, overlap_path(l, name)), .decision = decision,
		                                               .size = set->size, .mtime = name->mtime, .hash = set->hash }));
}

/* Whether keep of the query has rules. */
static bool
overlap_has_rules(const struct overlap_look *l)
{
	return l->o->q.keep != NULL && l->o->q.keep->rules.n > 0;
}

/* Of the chosen inodes, set picked for those that keep would choose.  Returns how many could go. */
static int64_t
overlap_pick(struct overlap_look *l, const struct overlap_chosen *chosen)
{
	for (size_t i = 0; i < l->names.n; i++) {
		struct overlap_name *name = &l->names.v[i];

		name->wish = !overlap_counts(name) || !overlap_inode_is_chosen(l, i, chosen) ? OVERLAP_OUT :
		             name->role == OVERLAP_OPEN ? OVERLAP_ASKED : name->role == OVERLAP_KEPT ? OVERLAP_PINNED : OVERLAP_COUNTS;
	}
	return overlap_choose(l);
}

bool
overlap_propose(struct overlap_look *l)
{
	if (overlap_has_rules(l))
		overlap_pick(l, &(struct overlap_chosen){ .rules = true });
	return overlap_has_rules(l);
}

/*
 * Ask for the open inodes that were not picked to go, while those stay that were; the wish of
 * these remains to tell them.
 */
static void
overlap_ask_others(struct overlap_look *l)
{
	for (size_t i = 0; i < l->names.n; i++) {
		struct overlap_name *name = &l->names.v[i];

		name->wish = !overlap_counts(name) ? OVERLAP_OUT : name->picked || name->role == OVERLAP_KEPT ? OVERLAP_PINNED :
		             name->role == OVERLAP_OPEN ? OVERLAP_ASKED : OVERLAP_COUNTS;
	}
	overlap_choose(l);
}

enum overlap_outcome
overlap_keep(struct overlap_look *l, const struct overlap_set *set, const struct overlap_chosen *chosen, struct overlap_choice *c)
{
	const bool all = chosen->place == NULL && chosen->name == NULL && !chosen->rules;
	const bool rules = chosen->rules || (chosen->place != NULL && overlap_has_rules(l));
	bool several, some = false;

	assert(chosen->name == NULL || (*chosen->name < l->names.n && overlap_can_stay(&l->names.v[*chosen->name])));
	several = overlap_pick(l, chosen) > 0 && !rules && !all;
	for (size_t i = 0; i < l->names.n; i++) {
		struct overlap_name *name = &l->names.v[i];

		if (!rules)
			name->picked = name->wish != OVERLAP_OUT;
		some |= name->picked;
	}
	if (!some)
		return OVERLAP_NOWHERE;
	overlap_ask_others(l);
	for (size_t i = 0; i < l->names.n; i++) {
		struct overlap_name *name = &l->names.v[i];
		const bool first = name->inode == i;

		/* Of what must stay besides, overlap_choose has picked some as well. */
		name->picked = name->wish == OVERLAP_PINNED && overlap_inode_is_chosen(l, i, chosen);
		if (name->goes) {
			overlap_choice_add(c, l, set, i, MARK_DROP);
			c->n_drop++;
			if (first)
				c->frees = num_add(c->frees, set->size);
		} else if (name->picked && overlap_is_chosen(l, i, chosen) && !several)
			overlap_choice_add(c, l, set, i, MARK_KEEP);
		c->n_must += first && name->wish == OVERLAP_ASKED && !name->goes;
	}
	return several ? OVERLAP_SEVERAL : OVERLAP_DECIDES;
}

void
overlap_choice_release(struct overlap_choice *c)
{
	vec_release(&c->items);
	arena_release(&c->memory);
}
