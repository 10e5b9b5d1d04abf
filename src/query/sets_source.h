/* SPDX-License-Identifier: MIT */
/* sets_source - what sets are made of: contents with several names, members looked at. */
#ifndef QUERY_SETS_SOURCE_H
#define QUERY_SETS_SOURCE_H

#include "index/inode.h"
#include "index/presence.h"
#include "query/sets_groups.h"
#include "query/sets_member.h"
#include "query/sets_query.h"
#include "query/sets_unread.h"
#include "query/alias_volumes.h"

/** An inode with several names, of which none was read. */
struct sets_inode {
	int64_t size;
	struct inode inode;
};

/**
 * Zero it, set ix and q, sets_source_open() it, sets_load() it unless the groups are known,
 * sets_source_release() it.
 */
struct sets_source {
	struct index *ix;
	const struct sets_query *q;
	struct presence_view check;              /* whose directories the members borrow */
	struct presence_where where;             /* where members count */
	struct sets_unread read;                 /* read for this, of all indexes */
	struct sets_groups groups;
	VEC(struct sets_inode) inodes;   /* only where links are copies */
	VEC(struct sets_member) members; /* of all groups loaded so far, each group's together */
	struct buf names;                /* of the members */
	bool passed;                     /* all members came from one pass */
	/* private */
	struct buf path;
	struct alias_volumes views;
	size_t names_before;             /* length of names before the group last looked up */
};

/** Prepare to look at members.  Returns 0 or -1. */
int sets_source_open(struct sets_source *s, struct err *err);
/**
 * Load the members of a group where that was not done yet, and arrange them.  Names of their
 * inodes that were not read are added.  What was added is the last.  Returns 0 or -1.
 */
int sets_source_members(struct sets_source *s, struct sets_group *g, struct err *err);
/** Load the names of an inode as a group, of which size, n and first are set.  Returns 0 or -1. */
int sets_source_inode(struct sets_source *s, const struct sets_inode *inode, struct sets_group *g, struct err *err);
/** Drop the members of the group that was loaded last: the query is not for it.  Saves memory. */
void sets_source_drop(struct sets_source *s, struct sets_group *g);
/** Free what it owns. */
void sets_source_release(struct sets_source *s);

/** For sets_load: the number of other indexes. */
size_t sets_source_others(const struct sets_source *s);
/** How the index with a number sees files. */
struct presence_view *sets_source_view(struct sets_source *s, size_t of);
/** Look the members of a content up and look at each.  Returns 0 or -1. */
int sets_source_look_up(struct sets_source *s, struct sets_group *g, struct err *err);
/**
 * Note a member: the row that the index with a number has, what a look at it gave.  Returns it,
 * valid until the next one, or NULL with *err.
 */
struct sets_member *sets_source_add(struct sets_source *s, size_t of, const struct file_row *row, enum presence presence,
                                    struct err *err);

#endif
