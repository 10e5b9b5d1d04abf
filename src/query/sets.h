/* SPDX-License-Identifier: MIT */
/* sets - all sets of duplicates, with what they waste, in the order that was asked for. */
#ifndef QUERY_SETS_H
#define QUERY_SETS_H

#include "query/answer.h"
#include "query/sets_source.h"

struct index;

/** The words of enum sets_order, NULL at the end. */
extern const char *const sets_order_names[];

/** Called for each set, in order.  Returns 0 to go on, another value to stop. */
typedef int sets_fn(void *arg, const struct set_answer *set);

/**
 * Deliver the sets that q asks for, then fill *totals (of all sets that
 * match, also those beyond top).  Every member is looked at: one that is
 * gone or has changed is no copy.  Those that are not there, offline or unreadable
 * are counted also of sets that q would ask for if they were there.
 * Returns 0, what fn returned, or -1 with *err.
 */
int sets_each(struct index *ix, const struct sets_query *q, sets_fn *fn, void *arg, struct set_totals *totals,
              struct err *err);

/**
 * Whether one of those that are there has another copy that it may rely on (index/fleeting): else
 * nothing can go, and they are no set.  links: names of one inode are copies of each other.
 */
bool sets_member_any_goes(const struct sets_member *v, size_t n, bool links);

/** What decisions leave of an inode. */
enum sets_fate {
	SETS_OPEN,       /* it can be dropped, or be what stays */
	SETS_FIXED,      /* it can be what stays; dropping its names here frees nothing */
	SETS_KEPT,       /* it has a name that is marked keep */
	SETS_DROPPED     /* all its names are marked drop */
};

/** The fate of an inode with nlink names, of which n are there, and n_drop of these marked drop. */
enum sets_fate sets_member_fate(size_t n, size_t n_drop, bool kept, int64_t nlink);

/** Whether something is to be decided: an inode can go, and another one can stay. */
bool sets_member_open(int64_t n_open, int64_t n_stay);

/** What removing all copies of an arranged set but those that have to stay would free. */
struct sets_freed {
	int64_t copies;          /* inodes that lose their last name */
	int64_t blocks;          /* of these; the largest stays; if some share, the smallest */
};

/**
 * Compute it for n members.  One copy has to stay, or of copies that may go by themselves one for
 * each set of reasons that no other outlasts (fleeting_staying).  An inode with a name in another
 * index, or with more links than the set has names of it, frees nothing, and stays.  Names that
 * are gone or excluded lose it none; one that is offline, unreadable, in a trash or has changed
 * may still be there.
 */
struct sets_freed sets_member_freed(const struct sets_member *v, size_t n);

#endif
