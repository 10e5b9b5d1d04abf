/* SPDX-License-Identifier: MIT */
/* plan - which files an act is for, and which copy of each stays. */
#ifndef ACT_PLAN_H
#define ACT_PLAN_H

#include "act/act.h"
#include "query/list.h"
#include "sys/tick.h"

struct index;
struct keep;
struct exclusive_extents;

/** Why a file is not a victim. */
enum plan_stay {
	PLAN_STAYS,        /* unique, empty, the last copy, marked keep, a link of what stays */
	PLAN_BACKUP,       /* in a backup from which nothing may go */
	PLAN_LEFT_ALONE,   /* hidden, or in another user's directory */
	PLAN_READ_ONLY,    /* on a file system that is mounted read-only */
	PLAN_WHOLE,        /* in a directory that belongs together, and stays */
	PLAN_UNSURE        /* named, and its copies are not known: changed, unreadable ... */
};

/** Called for a file at or below the paths that is no victim.  Borrowed for the call. */
typedef void plan_stay_fn(void *arg, const char *path, enum plan_stay stay, const char *why);

/** What to plan for. */
struct plan_query {
	enum act_kind kind;         /* links are planned for each volume by itself */
	const char *const *paths;   /* absolute, none in another: the files at and below */
	size_t n_paths;             /* 0 only with marked: the whole index */
	bool marked;                /* of these, what has a mark drop that is in effect */
	bool hidden;                /* take files in hidden and other users' directories, too */
	bool inside;                /* single files also of a directory that belongs together */
	const char *const *wholes;  /* index/wholes: what else makes such a directory */
	size_t n_wholes;
	const struct keep *keep;    /* which copies stay */
	bool untried;               /* no act follows that tries out which names are one file */
	plan_stay_fn *stay;
	list_gap_fn *gap;           /* what could not be judged; or NULL */
	tick_fn *tick;              /* for each file met, then for each decided; or NULL */
	void *arg;
};

/** Zero it, plan_make() it, plan_release() it. */
struct plan {
	VEC(struct act_group) groups;   /* in the order of their first victims' paths */
	struct gaps gaps;               /* what could not be judged */
	unsigned wholes;                /* kinds of those in which PLAN_WHOLE files lie */
	/* private */
	struct arena memory;
};

/**
 * Find the victims and keepers.  A file must be a dup of the index; which copies stay is said by
 * keep_choose().  Names of an inode that is to stay are no victims: removing them frees nothing.
 * Of a directory below one of the paths that belongs together (index/wholes) all files go, but for
 * empty ones, or none does; it stays, too, where a copy of it has no better reason to stay than the
 * order (keep_has_reason()).  Not so with q->marked, and for links that keep the content.
 * Nothing is changed.  Returns 0 or -1 with *err.
 */
int plan_make(struct plan *p, struct index *ix, const struct plan_query *q, struct err *err);
void plan_release(struct plan *p);

/** Take the victims with skip out, and groups that have none then. */
void plan_drop_skipped(struct plan *p);

/**
 * What removing the names of a group would free of its i-th victim: 0 unless it is the first name
 * of its inode there.
 */
int64_t plan_frees_victim(const struct act_group *g, size_t i, struct exclusive_extents *own);
/**
 * What removing the names of a group would free: an inode goes when its last name does, with the
 * blocks that no other file has.
 */
int64_t plan_frees(const struct act_group *g, struct exclusive_extents *own);

/** Victims with something that undo or their keeper does not have. */
struct plan_loss {
	int64_t attributes;   /* have attributes of users that their keepers lack */
	int64_t links;        /* have links that undo will not make again */
};

/** Count them, with a look at each file. */
struct plan_loss plan_loss(const struct plan *p, enum act_kind kind);

#endif
