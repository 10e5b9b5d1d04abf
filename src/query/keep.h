/* SPDX-License-Identifier: MIT */
/* keep - of the copies of a content: which stay, and which of those that are to go may go. */
#ifndef QUERY_KEEP_H
#define QUERY_KEEP_H

#include "index/inode.h"
#include "index/mark.h"
#include "query/answer.h"
#include "query/keep_rules.h"
#include "query/place_rank.h"

struct backups;
struct root;

/** What decides who stays; zeroed: one copy, by the order of keep_choose() alone. */
struct keep {
	struct keep_rules rules;
	const char *const *protect;   /* absolute: nothing goes at and below these */
	size_t n_protect;
	const char *const *in;        /* absolute: only copies there count; none: all */
	size_t n_in;
	int64_t copies;               /* how many inodes stay at least; 0: one */
	bool per_volume;              /* one stays on each volume */
	bool backups_count;           /* copies in backups (index/backups) count like others */
	const char *const *from_backup; /* absolute: in backups, what is at and below may go */
	size_t n_from_backup;
	bool linking;                 /* for links, which lose nothing: fleeting ones count */
};

/** What becomes of a name. */
enum keep_fate {
	KEEP_STAYS,        /* it was not to go */
	KEEP_GOES,
	KEEP_CHOSEN,       /* it was to go, and is a copy that stays */
	KEEP_LINK,         /* it was to go, and its inode stays by another name */
	KEEP_NO_COPY,      /* it was to go, and no copy counts */
	KEEP_FATES
};

/** What is asked of a name. */
enum keep_wish {
	KEEP_NOT_ASKED,
	KEEP_ASKED,        /* it is to go */
	KEEP_PINNED,       /* it must not go: protected, or marked keep */
	KEEP_HELD          /* it must not go, and is no reason to stay there: in a backup */
};

/** Whether a name counts as a copy. */
enum keep_standing {
	KEEP_COUNTS,
	KEEP_IGNORED,      /* in a trash, a backup, outside of keep.in, or less lasting */
	KEEP_ALIAS         /* it may be another name's file, by another inode: so it stays, too */
};

/** A name of a content that is there. */
struct keep_name {
	struct keep_facts facts;
	struct inode inode;
	enum keep_wish wish;
	enum keep_standing standing;
	enum mark_decision mark;
	struct place_rank rank;
	bool inside;       /* it is at or below what the user named */
	unsigned fleeting; /* why it may go by itself (index/fleeting): no copy of what would not */
	/* Filled by keep_choose() */
	unsigned beside;   /* why copies of it were not counted, which may go by themselves */
	bool spared;       /* copies of it were not counted, for they are in backups */
	bool shared;       /* a name of its inode is to go */
	bool chosen;       /* its inode is one of those that must stay */
	bool best;         /* ... and this is the best of its names that count */
	enum keep_fate fate;
};

/**
 * Fill what the path tells: facts.path must be set, root (or NULL) is the innermost above it,
 * named has the paths that the user named, backups those of the index.
 */
void keep_place(const struct keep *k, const struct pathset *named, const struct backups *backups, const struct root *root,
                struct keep_name *n);

/** Whether a path lies in a backup from which nothing may go. */
bool keep_holds(const struct keep *k, const struct backups *backups, const char *path);
/** Whether a path lies in a backup, and neither counts as a copy nor may go; k NULL: none does. */
bool keep_leaves_out(const struct keep *k, const struct backups *backups, const char *path);
/** Whether a name may be asked to go. */
bool keep_may_ask(const struct keep_name *n);

/**
 * Choose who stays of all n names of a content that are there, and put them in order, the best
 * first: those that count, then pinned ones, then by the rules; then what the user did not name,
 * what is not marked drop, what is marked keep, the kind of place (place_rank_cmp_kind()), inodes
 * of which no name is to go, the place (place_rank_cmp()), and then the order of paths.  The first
 * inodes in that order stay, as many as k says: an inode is where its best name is.  Names that may
 * go by themselves are ignored where one is to go that would not.  If no name counts, nothing goes,
 * and the best, unless k->in says where copies count, is told as chosen.
 */
void keep_choose(const struct keep *k, struct keep_name **v, size_t n);

/**
 * Whether one of two names stays before the other for a reason, not for the sake of an order: by a
 * rule, because the other alone was named or is marked, by the kind of place, or because k->in says
 * where copies count.
 */
bool keep_has_reason(const struct keep *k, const struct keep_name *stays, const struct keep_name *goes);

/** How many distinct inodes are behind n names, which are put in another order. */
int64_t keep_count_inodes(struct keep_name **v, size_t n);
/** How many distinct inodes are behind those of n names that count and do not go. */
int64_t keep_count(struct keep_name *const *v, size_t n);

/** Why a file without a copy that counts stays, for people; k may be NULL. */
const char *keep_state_why(const struct keep *k, enum file_state state);

/** Why a name stays, for people, where n_stay inodes do; NULL: it goes, or nobody asked it to. */
const char *keep_why(const struct keep *k, const struct keep_name *n, int64_t n_stay);

#endif
