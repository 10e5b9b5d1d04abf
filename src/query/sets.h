/* SPDX-License-Identifier: MIT */
/* sets - all sets of duplicates, with what they waste, in the order that was asked for. */
#ifndef QUERY_SETS_H
#define QUERY_SETS_H

#include "query/answer.h"
#include "query/sets_query.h"

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

#endif
