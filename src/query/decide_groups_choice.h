/* SPDX-License-Identifier: MIT */
/* decide_groups_choice - what is to be marked so that the chosen copies of sets stay. */
#ifndef QUERY_DECIDE_GROUPS_CHOICE_H
#define QUERY_DECIDE_GROUPS_CHOICE_H

#include "query/mark_apply.h"
#include "query/decide_groups.h"

/** Marks for mark_apply_items.  Zero it, add choices, decide_groups_choice_release() it. */
struct decide_groups_choice {
	VEC(struct choose_item) items;  /* their hashes are those of the sets */
	int64_t n_drop, frees;              /* of these to drop; bytes of their inodes */
	int64_t n_must;                     /* open inodes that were not chosen, and must stay */
	/* private */
	struct arena memory;
};

/** What stays: one of these, or with none of them all names. */
struct decide_groups_chosen {
	const uint32_t *place;   /* all names in a place */
	const size_t *name;      /* a name that can stay */
	bool rules;              /* what keep of the query chooses */
};

/** What a choice comes to in a set. */
enum decide_groups_outcome {
	DECIDE_GROUPS_DECIDES,   /* nothing is left to be decided */
	DECIDE_GROUPS_SEVERAL,   /* several copies were chosen: only the others get marks */
	DECIDE_GROUPS_NOWHERE    /* none was chosen: nothing is to be marked */
};

/**
 * Of the set that l has looked at last, which is to be decided: keep what was chosen, drop what is
 * open, as far as keep of the query lets it go.  Of several copies in a place its rules, if there
 * are some, choose those that stay.  Names of an inode go together, or stay: what is fixed, kept,
 * hidden or absent is not touched, and is not enough for anything else to go.  Afterwards picked
 * says which inodes were chosen in the end.
 */
enum decide_groups_outcome decide_groups_keep(struct decide_groups_look *l, const struct decide_groups_set *set, const struct decide_groups_chosen *chosen,
                                  struct decide_groups_choice *c);
/** Set picked as keep of the query would choose. */
void decide_groups_propose(struct decide_groups_look *l);

void decide_groups_choice_release(struct decide_groups_choice *c);

#endif
