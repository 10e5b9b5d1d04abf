/* SPDX-License-Identifier: MIT */
/* overlap_choice - what is to be marked so that the chosen copies of sets stay. */
#ifndef QUERY_OVERLAP_CHOICE_H
#define QUERY_OVERLAP_CHOICE_H

#include <stddef.h>
#include <stdint.h>

#include "base/arena.h"
#include "base/vec.h"
#include "query/mark_apply.h"
#include "query/overlap.h"

/** Marks for mark_apply_items.  Zero it, add choices, overlap_choice_release() it. */
struct overlap_choice {
	VEC(struct mark_apply_item) items;  /* their hashes are those of the sets */
	int64_t n_drop, frees;              /* of these to drop; bytes of their inodes */
	/* private */
	struct arena memory;
};

/** What a choice comes to in a set. */
enum overlap_outcome {
	OVERLAP_DECIDES,   /* nothing is left to be decided */
	OVERLAP_SEVERAL,   /* several copies were chosen: only the others get marks */
	OVERLAP_NOWHERE    /* none was chosen: nothing is to be marked */
};

/*
 * Of the set that l has looked at last, which is to be decided: keep what was chosen, drop what is
 * open.  Names of an inode go together, or stay: what is fixed, kept, hidden or absent is not
 * touched, and is not enough for anything else to go.
 */

/** Choose all names in a place. */
enum overlap_outcome overlap_keep_place(const struct overlap_look *l, const struct overlap_set *set, uint32_t place,
                                        struct overlap_choice *c);
/** Choose a name that can stay. */
enum overlap_outcome overlap_keep_name(const struct overlap_look *l, const struct overlap_set *set, size_t name,
                                       struct overlap_choice *c);
/** Choose all names: all are marked keep. */
enum overlap_outcome overlap_keep_all(const struct overlap_look *l, const struct overlap_set *set, struct overlap_choice *c);

void overlap_choice_release(struct overlap_choice *c);

#endif
