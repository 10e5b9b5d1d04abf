/* SPDX-License-Identifier: MIT */
/* sets_source - what sets are made of: contents with several names, and their members. */
#ifndef QUERY_SETS_SOURCE_H
#define QUERY_SETS_SOURCE_H

#include "index/dirs.h"
#include "index/inode.h"
#include "index/presence.h"
#include "query/alias_volumes.h"
#include "query/answer.h"
#include "query/sets_groups.h"

/** A member and what decides its place in the set.  Members of a directory share its path. */
struct sets_member {
	const struct dirs_prefix *dir; /* borrowed */
	size_t name;                 /* where its name begins in the names of all members */
	struct inode inode;
	int64_t blocks, nlink;
	struct fs_time mtime;
	uint32_t group;              /* its content's number, until the members of all are sorted */
	uint8_t kind : 7;            /* enum member_kind */
	uint8_t shares : 1;          /* blocks are fewer than it has: others have the rest, too */
	uint8_t of;                  /* the number of its index; 0: this one */
	int16_t error;               /* of one that is unreadable: an errno, else 0 */
};

/** Whether it is there: a copy or a link. */
static inline bool
sets_member_lives(const struct sets_member *m)
{
	return m->kind == MEMBER_COPY || m->kind == MEMBER_LINK;
}

/** As strcmp of the paths. */
int sets_member_cmp_path(const struct sets_member *a, const struct sets_member *b, const char *names);

/** Append the path and a NUL. */
void sets_member_path(const struct sets_member *m, const char *names, struct buf *path);

/**
 * Tell the links among the members of a set that are there from the copies, and
 * put them in order: copies by path, each followed by its links, then what is not there.
 */
void sets_member_arrange(struct sets_member *v, size_t n, const char *names);

/** Names of the inode of copy i of an arranged set that are there: it and the links behind it. */
size_t sets_member_links(const struct sets_member *v, size_t n, size_t i);

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
/** Load the groups of the query and, where they are many, their members.  Returns 0 or -1. */
int sets_load(struct sets_source *s, struct err *err);
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

#endif
