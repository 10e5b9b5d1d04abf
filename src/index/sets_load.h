/* SPDX-License-Identifier: MIT */
/* sets_load - what sets are made of: contents with several names, and their members, each looked at. */
#ifndef INDEX_SETS_LOAD_H
#define INDEX_SETS_LOAD_H

#include <stddef.h>
#include <stdint.h>

#include "base/buf.h"
#include "base/vec.h"
#include "index/check.h"
#include "index/sets.h"

/** A content with several names. */
struct sets_group {
	int64_t size, names;
	size_t first, n;             /* its members in all */
	uint8_t hash[HASH_SIZE];
};

/** A member and what decides its place in the set. */
struct sets_member {
	struct member m;             /* its path is in paths until the set is delivered */
	size_t path;
	int64_t volume, blocks;
	size_t group;
	struct sets_member *lead;    /* the first name of its inode */
};

/** Zero it, set ix and q, sets_load() it, sets_load_release() it. */
struct sets_source {
	struct index *ix;
	const struct sets_query *q;
	struct check check;
	VEC(struct sets_group) groups;
	VEC(struct sets_member) all;     /* private: members of all groups, when they came from one pass */
	VEC(struct sets_member) set;     /* of the group last asked for */
	struct buf paths;                /* of all members delivered so far */
};

/** Load only the groups: contents of at least min_size bytes.  Returns 0 or -1. */
int sets_load_groups(struct sets_source *s, int64_t min_size, struct err *err);
/** Load the groups of the query and, where they are many, their members.  Returns 0 or -1. */
int sets_load(struct sets_source *s, struct err *err);
/** Make set the members of a group.  Returns 0 or -1. */
int sets_load_members(struct sets_source *s, const struct sets_group *g, struct err *err);
/** Free what it owns. */
void sets_load_release(struct sets_source *s);

#endif
