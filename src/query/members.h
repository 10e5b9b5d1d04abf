/* SPDX-License-Identifier: MIT */
/* members - the names of a content or an inode: each looked at once, kept for the next files. */
#ifndef QUERY_MEMBERS_H
#define QUERY_MEMBERS_H

#include "query/answer.h"
#include "index/presence.h"
#include "index/file.h"
#include "index/names.h"

struct indexes;
struct indexes_other;
struct members_set;
struct alias_volumes;

/** Which rows belong together. */
enum members_by {
	MEMBERS_CONTENT,  /* of one size and hash */
	MEMBERS_INODE,    /* the unread names of an inode: those that a content does not give */
	MEMBERS_LINKS     /* the read hard links of a size: for a file that was not read itself */
};

/** What counts; an enum of flags. */
enum members_flags {
	MEMBERS_ALL = 1,          /* look at all, not only until there is a copy */
	MEMBERS_LINKS_COUNT = 2   /* another name of the inode is a copy */
};

/** Sets that are kept; = { .check = ..., .where = ... }, then members_release(). */
struct members {
	struct presence_view *check;
	struct presence_where where;
	struct indexes *with;          /* other indexes whose names belong, too; or NULL */
	const char *path;              /* with them: of the file that is asked about */
	const struct alias_volumes *views;     /* borrowed; none: every other inode is a copy */
	/* private */
	VEC(struct members_set *) sets;
	struct table by_key;           /* of sets, by what they belong to */
	size_t total;                  /* members in all, and some for each set */
	size_t largest;                /* the same of the largest set */
};

/** Free all sets. */
void members_release(struct members *m);

/** Begin an iteration over the names that belong together with self, a row or a file outside. */
struct names members_names(struct index *ix, enum members_by by, const struct file_row *self, struct err *err);

/**
 * Whether such a row is an answer for self: another row, and one that only this way of belonging
 * together gives.  A link with self's content is given by MEMBERS_CONTENT alone.
 */
bool members_concern(enum members_by by, const struct file_row *self, const struct file_row *row);

/** What a member that was looked at is to self: a copy of the same inode is a link. */
enum member_kind members_kind(const struct file_row *self, const struct file_row *row, enum presence presence,
                              enum members_flags flags);

/** What members count as; an enum member_kind, or what lies behind those. */
enum members_as {
	MEMBERS_LINK_UNREADABLE = MEMBER_COUNT, /* a name of self's inode that can't be looked at */
	MEMBERS_LINK_OFFLINE,    /* such a name that is offline */
	MEMBERS_NOTHING,         /* such a name that self has left: it is no copy */
	MEMBERS_ALIAS,           /* another inode, which may be self all the same (views) */
	MEMBERS_AS_COUNT
};

/** What such a member counts as for self. */
enum members_as members_counted(const struct members *m, const struct file_row *self, const struct file_row *row,
                                enum presence presence, enum members_flags flags);

/** Drop all sets if they are too many: before the next file, for they are valid until then. */
void members_trim(struct members *m);

/** The set of self if it is kept, else NULL.  Valid until members_trim. */
struct members_set *members_find(const struct members *m, enum members_by by, const struct file_row *self);

/**
 * Load the set of self, which is not kept, and keep it.
 *
 * Returns 0 with *set, which is valid until members_trim, or -1.
 */
int members_load(struct members *m, enum members_by by, const struct file_row *self, struct members_set **set,
                 struct err *err);

/**
 * Count what concerns self.  Members that were not looked at before
 * are looked at, as far as the answer needs it; two names of one inode are
 * one copy.  Costs the same however many members there are.
 *
 * Returns 0 or -1.
 */
int members_count(struct members *m, struct members_set *set, const struct file_row *self, enum members_flags flags,
                  int64_t n[MEMBERS_AS_COUNT], struct err *err);

/** A member, and what a look at it gave. */
struct members_seen {
	const struct file_row *row;
	enum presence presence;
	int error;                     /* errno if it is unreadable, else 0 */
	unsigned fleeting;             /* why it may go by itself, if that is its presence */
	struct indexes_other *of;      /* the index that has it, or NULL: this one */
	bool again;                    /* of another index, and gone, or known by one before it */
};

/**
 * Tell of the i-th member, after members_count with MEMBERS_ALL.  Returns false behind the last.
 */
bool members_at(const struct members_set *set, size_t i, struct members_seen *seen);

/** Whether a member of this inode was looked at and is there. */
bool members_has_inode(const struct members_set *set, struct inode inode);

/** Why those members looked at so far that may go by themselves do: all reasons. */
unsigned members_fleeting(const struct members_set *set);

/** Note that a file was told with the members of a set. */
void members_tell_with(struct members_set *set, const char *path);
/** The path of that file, valid until members_trim, or NULL. */
const char *members_told_with(const struct members_set *set);

/** Name and place of the disk of one that is offline (index/drawer), or NULL. */
const char *members_disk(const struct members_set *set);
/** The index of the first member looked at that is offline and not of this index, or NULL. */
const struct indexes_other *members_offline(const struct members_set *set);

#endif
