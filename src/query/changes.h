/* SPDX-License-Identifier: MIT */
/* changes - what differs between the states of the index after two runs. */
#ifndef QUERY_CHANGES_H
#define QUERY_CHANGES_H

#include "query/answer.h"

struct changes;
struct growth;
struct growth_query;
struct index;

/** Of changes_query.to: as the index is now. */
#define CHANGES_NOW INT64_MAX

/** Which states, and what of them. */
struct changes_query {
	int64_t from, to;            /* runs: after which; from is in the history */
	const char *const *below;    /* absolute: only what lies, or lay, there; or none */
	size_t n_below;
	const char *const *exclude;  /* absolute: as if these did not exist */
	size_t n_exclude;
	bool each;                   /* each file of a directory that is new or gone as a whole */
};

/** Called for each change.  Returns 0 to go on, another value to stop. */
typedef int changes_fn(void *arg, const struct change_answer *a);

/**
 * Compare two states.  Returns 0 with owned *c, or -1: ERR_INTERRUPTED, ERR_BAD_INDEX, ERR_DB.
 */
int changes_load(struct changes **c, struct index *ix, const struct changes_query *q, struct err *err);
/** What was found, in numbers.  Lives as long as c. */
const struct changes_totals *changes_totals(const struct changes *c);
/** Whether any directory of either state lies below this path, or is it. */
bool changes_know(struct changes *c, const char *path);
/** Deliver the changes of a class in the order of paths.  Returns 0, or what fn returned. */
int changes_each(const struct changes *c, enum change_class class, changes_fn *fn, void *arg);
/** Count by how much directories have grown, as growth_load() does.  Returns 0 or -1. */
int changes_growth(struct changes *c, struct index *ix, const struct growth_query *q, struct growth *g, struct err *err);
/** Free.  Accepts NULL. */
void changes_free(struct changes *c);

#endif
