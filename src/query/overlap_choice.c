/* SPDX-License-Identifier: MIT */
#include <config.h>

#include "query/overlap_choice.h"

#include <assert.h>
#include <stdbool.h>

#include "base/num.h"

/* What is chosen: a place, a name, or with neither all. */
struct overlap_chosen {
	const uint32_t *place;
	const size_t *name;
};

static bool
overlap_is_chosen(const struct overlap_look *l, size_t i, const struct overlap_chosen *chosen)
{
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

static enum overlap_outcome
overlap_keep(const struct overlap_look *l, const struct overlap_set *set, const struct overlap_chosen *chosen, struct overlap_choice *c)
{
	const bool all = chosen->place == NULL && chosen->name == NULL;
	size_t inodes = 0;

	for (size_t i = 0; i < l->names.n; i++)
		inodes += l->names.v[i].inode == i && overlap_inode_is_chosen(l, i, chosen);
	if (inodes == 0)
		return OVERLAP_NOWHERE;
	for (size_t i = 0; i < l->names.n; i++) {
		if (overlap_is_chosen(l, i, chosen)) {
			if (inodes == 1 || all)
				overlap_choice_add(c, l, set, i, MARK_KEEP);
		} else if (l->names.v[i].role == OVERLAP_OPEN && !overlap_inode_is_chosen(l, i, chosen)) {
			overlap_choice_add(c, l, set, i, MARK_DROP);
			c->n_drop++;
			if (l->names.v[i].inode == i)
				c->frees = num_add(c->frees, set->size);
		}
	}
	return inodes > 1 && !all ? OVERLAP_SEVERAL : OVERLAP_DECIDES;
}

enum overlap_outcome
overlap_keep_place(const struct overlap_look *l, const struct overlap_set *set, uint32_t place, struct overlap_choice *c)
{
	return overlap_keep(l, set, &(struct overlap_chosen){ .place = &place }, c);
}

enum overlap_outcome
overlap_keep_name(const struct overlap_look *l, const struct overlap_set *set, size_t name, struct overlap_choice *c)
{
	assert(name < l->names.n && overlap_can_stay(&l->names.v[name]));
	return overlap_keep(l, set, &(struct overlap_chosen){ .name = &name }, c);
}

enum overlap_outcome
overlap_keep_all(const struct overlap_look *l, const struct overlap_set *set, struct overlap_choice *c)
{
	return overlap_keep(l, set, &(struct overlap_chosen){ NULL, NULL }, c);
}

void
overlap_choice_release(struct overlap_choice *c)
{
	vec_release(&c->items);
	arena_release(&c->memory);
}
