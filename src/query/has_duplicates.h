/* SPDX-License-Identifier: MIT */
/*
 * has_duplicates - whether a content has several names: which files are worth a look for copies.
 */
#ifndef QUERY_HAS_DUPLICATES_H
#define QUERY_HAS_DUPLICATES_H

#include "query/sets_groups.h"

struct index;

/** = { .ix = ... }, has_duplicates_release() it. */
struct has_duplicates {
	struct index *ix;
	bool known;                  /* the contents with several names are loaded */
	/* private */
	int64_t n_met, n_files;      /* files that were met; in the index */
	struct sets_groups groups;
};

/** Whether one pass over all rows costs little compared with finding the copies of n files. */
bool has_duplicates_are_many(struct has_duplicates *s, int64_t n);

/**
 * Note that a file was met.  Once they are many, load all contents with several names, which costs
 * little then.  Returns 0 or -1.
 */
int has_duplicates_met(struct has_duplicates *s, struct err *err);

/**
 * state_query.several, for a struct has_duplicates: whether a content is known to have several
 * names.  The caller has all files of the content, and judges them.
 */
bool has_duplicates_has(void *arg, int64_t size, const uint8_t *hash);

void has_duplicates_release(struct has_duplicates *s);

#endif
