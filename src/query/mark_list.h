/* SPDX-License-Identifier: MIT */
/* mark_list - all decisions, whether each is in effect, and what they come to. */
#ifndef QUERY_MARK_LIST_H
#define QUERY_MARK_LIST_H

#include "query/answer.h"

struct index;

/** Which decisions. */
struct mark_list_query {
	const char *const *paths;    /* absolute, none in another: those at and below */
	size_t n_paths;
	const char *const *exclude;  /* absolute: not those at and below */
	size_t n_exclude;
	enum mark_decision only;     /* MARK_NONE: all */
	const struct keep *keep;     /* that of query/mark_effect; or NULL */
};

/** Called for each, in the order of the paths' bytes.  Returns 0 to go on, else to stop. */
typedef int mark_list_fn(void *arg, const struct mark_answer *m);

/**
 * Deliver the decisions that q asks for, then fill *totals.  Every file is
 * looked at, and so is a name by which the content of one to be dropped survives.
 * Returns 0, what fn returned, or -1 with *err.
 */
int mark_list_each(struct index *ix, const struct mark_list_query *q, mark_list_fn *fn, void *arg, struct mark_totals *totals,
               struct err *err);

#endif
