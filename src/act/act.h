/* SPDX-License-Identifier: MIT */
/* act - what acts are done to: groups of equal files, of each of which one stays. */
#ifndef ACT_ACT_H
#define ACT_ACT_H

#include "index/file.h"

/** What is done to a victim. */
enum act_kind {
	ACT_REMOVE,    /* its name is removed */
	ACT_TRASH,     /* it is moved into the trash of its volume */
	ACT_HARD,      /* its name becomes a hard link to the keeper */
	ACT_SOFT,      /* its name becomes a symbolic link to the keeper */
	ACT_REFLINK,   /* it shares the keeper's blocks; its name and inode stay */
	ACT_RESCUE,    /* its name is new: it is a copy of the keeper, which existed nowhere else */
	ACT_KINDS
};

/** Whether a kind makes links. */
static inline bool
act_is_link(enum act_kind kind)
{
	return kind == ACT_HARD || kind == ACT_SOFT || kind == ACT_REFLINK;
}

/** A name of the index. */
struct act_file {
	const char *path;        /* absolute; borrowed */
	struct file_row row;     /* its name is borrowed, too */
	bool trust_mtime;        /* its root's option: another ctime alone is no change */
};

/** A file that is to be acted on. */
struct act_victim {
	struct act_file file;
	size_t order;            /* that of query/keep: the best to stay is first */
	bool skip;               /* it stays after all: plan_drop_skipped() takes it out */
};

/**
 * Files of one content: victims, and names that may be the copy that stays.  No keeper is a victim
 * of any group.  Which keeper it is, the first that holds decides: another name of its inode is
 * then no victim.
 */
struct act_group {
	struct act_victim *victims;
	size_t n;
	struct act_file *keepers;    /* at least one, the best first */
	size_t n_keepers;
};

#endif
