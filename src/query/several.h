/* SPDX-License-Identifier: MIT */
/* several - whether a content has several names: which files are worth a look for copies. */
#ifndef QUERY_SEVERAL_H
#define QUERY_SEVERAL_H

#include "query/sets_groups.h"

struct index;

/** = { .ix = ... }, several_release() it. */
struct several {
	struct index *ix;
	bool known;                  /* the contents with several names are loaded */
	/* private */
	int64_t n_met, n_files;      /* files that were met; in the index */
	struct sets_groups groups;
};

/** Whether a pass over all rows costs little beside what finding the copies of n files takes. */
bool several_are_many(struct several *s, int64_t n);

/**
 * Note that a file was met.  Once they are many, load all contents with several names, which costs
 * little then.  Returns 0 or -1.
 */
int several_met(struct several *s, struct err *err);

/**
 * state_query.several, for a struct several: whether it is known that a content has several names.
 * What its files are is left to who has all files of the content.
 */
bool several_has(void *arg, int64_t size, const uint8_t *hash);

void several_release(struct several *s);

#endif
