/* SPDX-License-Identifier: MIT */
/* sets_member - a member of a set while sets are made: small, because there may be millions. */
#ifndef QUERY_SETS_MEMBER_H
#define QUERY_SETS_MEMBER_H

#include "query/answer.h"
#include "index/dirs.h"
#include "index/inode.h"

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

/** By path, of one path first what is there, then by the number of the index: for order_sort_by. */
int sets_member_cmp_double(const void *a, const void *b, void *names);

/** Append the path and a NUL. */
void sets_member_path(const struct sets_member *m, const char *names, struct buf *path);

/**
 * Tell the links among the members of a set that are there from the copies, and put each behind
 * its copy; otherwise the order is any.  Returns whether there are links.
 */
bool sets_member_find_links(struct sets_member *v, size_t n, const char *names);

/**
 * Tell the links among the members of a set that are there from the copies, and
 * put them in order: copies by path, each followed by its links, then what is not there.
 */
void sets_member_arrange(struct sets_member *v, size_t n, const char *names);

/**
 * Whether one of those that are there has another copy that it may rely on (index/fleeting): else
 * nothing can go, and they are no set.  links: names of one inode are copies of each other.
 */
bool sets_member_any_goes(const struct sets_member *v, size_t n, bool links);

/** Why those that are there may go by themselves, as far as it holds for all of them. */
unsigned sets_member_common(const struct sets_member *v, size_t n);

/** Names of the inode of copy i of an arranged set that are there: it and the links behind it. */
size_t sets_member_links(const struct sets_member *v, size_t n, size_t i);

/** What decisions leave of an inode. */
enum sets_fate {
	SETS_OPEN,       /* it can be dropped, or be what stays */
	SETS_FIXED,      /* it can be what stays; dropping its names here frees nothing */
	SETS_KEPT,       /* it has a name that is marked keep */
	SETS_DROPPED     /* all its names are marked drop */
};

/** The fate of an inode with nlink names, of which n are there, and n_drop of these marked drop. */
enum sets_fate sets_member_fate(size_t n, size_t n_drop, bool kept, int64_t nlink);

/** Whether something is to be decided: an inode can go, and another one can stay. */
bool sets_member_open(int64_t n_open, int64_t n_stay);

/** What removing all copies of an arranged set but those that have to stay would free. */
struct sets_freed {
	int64_t copies;          /* inodes that lose their last name */
	int64_t blocks;          /* of these; the largest stays; if some share, the smallest */
};

/**
 * Work it out.  One copy has to stay, or of copies that may go by themselves one for each set of
 * reasons that no other outlasts (fleeting_staying).  An inode with a name in another index, or
 * with more links than the set has names of it, frees nothing, and stays.  Names that are gone or
 * excluded lose it none; one that is offline, unreadable, in a trash or has changed may still be
 * there.
 */
struct sets_freed sets_member_freed(const struct sets_member *v, size_t n);

#endif
