/* SPDX-License-Identifier: MIT */
/* state_search - the files that have the content or the inode of one: how, and where, to look. */
#ifndef QUERY_STATE_SEARCH_H
#define QUERY_STATE_SEARCH_H

#include "index/file.h"
#include "query/mark_effect.h"
#include "index/presence.h"
#include "query/members.h"
#include "query/reread.h"
#include "query/alias_volumes.h"
#include "query/unhashed_by_size.h"

struct indexes;
struct indexes_other;

/** Contents with more names than this are kept while files ask for them. */
#define STATE_FEW 8

/** How to look for copies. */
struct state_query {
	const char *const *exclude;  /* absolute: as if these did not exist */
	size_t n_exclude;
	const char *const *in;       /* absolute: only copies and links there; none: all */
	size_t n_in;
	struct indexes *with;        /* other indexes that are asked, too; or NULL */
	bool links_are_copies;       /* another name of the inode is enough to be a dup */
	bool links_are_unique;       /* a file with links only is unique (dupd -I) */
	bool members;                /* deliver all members, not only the state */
	/**
	 * ... of a content with many of them only with the first file in one of these states, a
	 * bit (1 << enum file_state) each: with others file_answer.told_with.
	 */
	unsigned fold;
	bool count;                  /* count all copies even so */
	bool any_copy;               /* also what may go by itself, or is a view: keep judges */
	/**
	 * Whether it is enough to know that a content has other names: of a file that is listed
	 * with it unknown is said, without a reason.  Neither is it looked at nor a copy of it
	 * looked for, which is left to the caller.  Or NULL.
	 */
	bool (*several)(void *arg, int64_t size, const uint8_t *hash);
	void *several_arg;
};

/** No search begins after others have passed over all rows for so long. */
#define STATE_PASSING_NS 5000000000

/**
 * Working memory for many files; = { .check = ..., .q = ... }, state_release() it.
 * The members of a content that many files have are looked at once.
 */
struct state {
	struct presence_view *check;
	const struct state_query *q;
	/* private */
	VEC(struct member) members;
	VEC(int64_t) volumes;
	struct arena paths;      /* of the members */
	struct mark_effect effect;
	struct members kept;
	struct alias_volumes views;
	bool viewed;             /* they are loaded */
	unsigned meant;          /* the reasons of what q->in names, which do not matter */
	struct reread reread;
	struct unhashed_by_size sized;      /* names without a hash, and what may equal one */
	struct buf why;
	struct members_set *many;    /* the members of the content of this file, if many; or NULL */
	struct countmap *inodes;     /* of the copies, where they may be many; else NULL */
	int64_t passing_ns;          /* how long searches took that passed over all rows */
};

/** What the members are, counted by kind. */
struct state_found {
	int64_t n[MEMBERS_AS_COUNT];
	int64_t inodes;        /* of the copies, however links count */
	unsigned fleeting;     /* why members may go by themselves: the reasons of all that may */
	const struct indexes_other *offline; /* another index that has one, offline; or NULL */
	const char *disk;    /* name and place of the disk of one that is offline; or NULL */
};

/** A search among the files of an index that were never read whole. */
struct state_unhashed {
	struct state_found *found;
	const char *why;         /* why one of them may be a copy all the same; or NULL */
};

/** Drop the members but for the first n. */
void state_cut(struct state *c, size_t n);

/**
 * Search by content, then by inode: names that were read, and names that were not; in the other
 * indexes, too.  Returns 0 or -1.
 */
int state_search_all(struct state *c, const struct file_row *self, enum presence presence, struct state_found *found,
                     struct err *err);

/**
 * Read the files of self's size that were not read, of the other indexes and, for a file outside,
 * of this one; look at those with self's content.  Returns 0 or -1.
 */
int state_search_all_unhashed(struct state *c, const struct file_row *self, bool outside, struct state_unhashed *u,
                              struct err *err);

/**
 * A file that was not read has no copy in this index; in others it may: then it is read now, and
 * self gets its hash.  *why is set if it can't be read.  Returns 0 or -1.
 */
int state_read_self(struct state *c, enum presence presence, const char *path, struct file_row *self, const char **why,
                    struct err *err);

#endif
