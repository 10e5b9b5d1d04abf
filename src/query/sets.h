/* SPDX-License-Identifier: MIT */
/* sets - all sets of duplicates, with what they waste, in the order that was asked for. */
#ifndef QUERY_SETS_H
#define QUERY_SETS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "query/answer.h"

struct err;
struct index;

/** Orders of sets; sets_order_names lists their words in this order, NULL at the end. */
enum sets_order { SETS_WASTE, SETS_SIZE, SETS_COUNT, SETS_PATH, SETS_TIME };
extern const char *const sets_order_names[];

/** Called for a member that can't be looked at, in no order: error is an errno. */
typedef void sets_unreadable_fn(void *arg, const char *path, int error);

/** Which sets. */
struct sets_query {
	const char *const *dirs;    /* absolute: only sets with a member below one; none: all */
	size_t n_dirs;
	bool across;                /* only sets with members below at least two of dirs */
	const char *const *exclude; /* absolute: as if these did not exist */
	size_t n_exclude;
	int64_t min_size;           /* of a file, bytes */
	int64_t min_waste;          /* of a set, bytes */
	int64_t top;                /* deliver the first sets up to this number; 0: all */
	enum sets_order order;
	bool links_are_copies;      /* every name counts; those of one inode are a set */
	bool no_check;              /* as indexed: do not look at the file system */
	sets_unreadable_fn *unreadable; /* with the arg of fn; or NULL */
};

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

#endif
