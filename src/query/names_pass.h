/* SPDX-License-Identifier: MIT */
/* names_pass - the names of many contents, from one pass over all rows, looked at meanwhile. */
#ifndef QUERY_NAMES_PASS_H
#define QUERY_NAMES_PASS_H

#include "index/file.h"
#include "index/presence.h"
#include "query/sets_groups.h"

/** A name, and what a look at it gave. */
struct names_passed {
	struct file_row row;
	enum presence presence;
	uint32_t content;            /* private: its number in contents */
};

/** Zero it, names_pass_add() to it, names_pass_load() it, names_pass_release() it. */
struct names_pass {
	struct sets_groups contents;
	VEC(struct names_passed) v;
	VEC(uint32_t) order;         /* of v: n of a content, from first on */
	/* private */
	struct presence_view *view;
	struct arena names;
};

/** Add a content that is wanted, once. */
void names_pass_add(struct names_pass *p, int64_t size, const uint8_t hash[HASH_SIZE]);

/**
 * Load the names of all contents, if that costs less than to look each of them up; view looks at
 * those of which it is not plain that they have their signatures.  Returns 1, 0: there are too few,
 * nothing was loaded; or -1.
 */
int names_pass_load(struct names_pass *p, struct presence_view *view, struct err *err);

/** The content, or NULL: it was not among those loaded. */
const struct sets_group *names_pass_find(const struct names_pass *p, int64_t size, const uint8_t hash[HASH_SIZE]);

void names_pass_release(struct names_pass *p);

#endif
