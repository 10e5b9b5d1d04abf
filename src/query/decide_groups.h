/* SPDX-License-Identifier: MIT */
/*
 * decide_groups - sets of duplicates that are to be decided, by groups: those whose copies lie in
 * the same directories.
 */
#ifndef QUERY_DECIDE_GROUPS_H
#define QUERY_DECIDE_GROUPS_H

#include "index/backups.h"
#include "index/inode.h"
#include "index/marks.h"
#include "index/roots.h"
#include "index/wholes.h"
#include "query/answer.h"
#include "query/keep.h"
#include "query/sets_source.h"

struct index;

/** A directory with all below it, or only the files directly in it. */
struct place {
	const char *path;     /* absolute */
	bool own;             /* only the files directly in it */
	bool asked;           /* it lies at or below a directory that was asked for */
	uint32_t whole;       /* number of that directory with all below it; else its own */
};

/** All places that were met; zero it, decide_groups_load() fills it. */
struct places {
	VEC(struct place) v;  /* a place's number is its position */
	/* private */
	const char *const *dirs;
	struct pathset asked;
	struct roots roots;
	struct table by_path;
	struct buf dir;       /* that was asked about last */
	struct arena memory;
};

/** Where a directory of files belongs. */
struct place_found {
	uint32_t place;
	bool hidden;          /* a directory below what was asked for, or its root, is hidden */
	unsigned part_of;     /* kind of the whole that it lies in (index/wholes); 0: of none */
};

/** What is asked for. */
struct decide_groups_query {
	struct sets_query sets;   /* dirs: sets with a copy below one; min_size */
	bool within;              /* only sets all of whose copies lie below sets.dirs */
	bool hidden;              /* hidden directories are as others */
	bool inside;              /* parts of wholes (index/wholes) are as others */
	const char *const *wholes; /* what makes a whole besides */
	size_t n_wholes;
	const struct keep *keep;  /* which copies stay; NULL: any one */
	const char *const *only;  /* absolute: only what is below one may go; none: all may */
	size_t n_only;
};

/** What may become of a name in a set. */
enum decide_groups_role {
	DECIDE_GROUPS_OPEN,      /* its inode can be dropped, or be what stays */
	DECIDE_GROUPS_FIXED,     /* it can stay; it is held, or dropping it frees nothing */
	DECIDE_GROUPS_KEPT,      /* its inode has a name that is marked keep */
	DECIDE_GROUPS_DROPPED,   /* all names of its inode are marked drop */
	DECIDE_GROUPS_HIDDEN,    /* it lies in a hidden directory, which is left alone */
	DECIDE_GROUPS_ABSENT     /* gone, changed, offline or unreadable: kind says which */
};

/** Why a name stays because of the query. */
enum decide_groups_held {
	DECIDE_GROUPS_FREE,      /* it does not */
	DECIDE_GROUPS_PROTECTED, /* at or below keep->protect */
	DECIDE_GROUPS_PART,      /* of a whole */
	DECIDE_GROUPS_OUTSIDE    /* not at or below only */
};

/** A name of a set. */
struct decide_groups_name {
	size_t path;             /* decide_groups_path() */
	enum member_kind kind;
	enum decide_groups_role role;
	enum decide_groups_held held;
	bool trash;              /* it lies in a trash: it can go, and is never what stays */
	uint32_t inode;          /* numbered from 0 within the set */
	uint32_t place;
	int error;               /* of MEMBER_UNREADABLE: an errno */
	struct keep_name as;     /* for keep, but for what the path tells */
	/* Filled by decide_groups_ask() and decide_groups_choose() */
	bool out;                /* it counts for nothing */
	bool goes;
	bool picked;             /* its inode is one of those that must stay */
};

/** A set. */
struct decide_groups_set {
	int64_t size;            /* of each copy */
	uint8_t hash[HASH_SIZE];
	int64_t redundant;       /* bytes that dropping all but one copy would free */
	uint32_t group;
	bool open;               /* something is to be decided */
	bool hidden;             /* nobody could say what, for copies are offline or unreadable */
};

/**
 * A group: sets whose copies that can stay lie in the same places.  Where these are not all in one
 * of the directories that were asked for, such a directory is one place.
 */
struct decide_groups_group {
	const uint32_t *places;  /* what was asked for first, otherwise by path */
	size_t n_places;
	bool trash;              /* some of its copies lie in a trash, besides */
	size_t first, n;         /* its sets, most redundant bytes first */
	int64_t redundant;
};

/** Zero it, decide_groups_load() it, decide_groups_release() it. */
struct decide_groups {
	struct decide_groups_query q;
	struct places places;
	VEC(struct decide_groups_set) sets;      /* group after group */
	VEC(struct decide_groups_group) groups;  /* most redundant bytes first */
	int64_t n_decided;                 /* sets of the query in which nothing is open any more */
	int64_t n_hidden;                  /* sets left out because of hidden directories */
	int64_t n_parts;                   /* ... because of wholes */
	unsigned wholes;                   /* ... of these kinds */
	int64_t redundant;
	/* private */
	struct backups backups;            /* those of the index */
	struct pathset only;               /* of the query: copies elsewhere rather stay */
	struct arena memory;
};

/**
 * Load the sets of q that are to be decided, as indexed: no file is looked at.  q and what it
 * points to is borrowed for good.  Returns 0 or -1.
 */
int decide_groups_load(struct decide_groups *o, struct index *ix, const struct decide_groups_query *q, struct err *err);
/** Whether keep of the query has rules. */
bool decide_groups_has_rules(const struct decide_groups *o);
/** Free what it owns. */
void decide_groups_release(struct decide_groups *o);

/** Where the names in a directory belong, once that was asked for. */
struct decide_groups_dir {
	bool known;
	struct place_found found;
};

/**
 * Looks at sets, one after another; zero it, decide_groups_look_begin() it,
 * decide_groups_look_end() it.
 */
struct decide_groups_look {
	VEC(struct decide_groups_name) names;   /* of the set last looked at, by inode, path */
	int64_t n_open, n_stay;           /* inodes that are open; that are fixed or kept */
	int64_t n_marked;                 /* ... that are kept or dropped */
	int64_t n_hidden;                 /* ... that are hidden */
	int64_t n_parts;                  /* ... that stay, for a name is a part of a whole */
	unsigned parts_of;                /* kinds of these wholes */
	int64_t n_goes;                   /* ... that may go, as the query says which stay */
	/* private */
	struct decide_groups *o;
	struct sets_source source;
	struct sets_query q;
	struct buf paths;
	struct marks marks;
	VEC(struct decide_groups_dir) dirs;     /* by their numbers in source */
	struct wholes wholes;
	VEC(struct keep_name) choosing;   /* of decide_groups_choose */
	VEC(struct keep_name *) order;
};

/** Begin: ix and o are borrowed until the end.  Returns 0 or -1. */
int decide_groups_look_begin(struct decide_groups_look *l, struct decide_groups *o, struct index *ix, struct err *err);
/**
 * Look at the files of a set, and at the marks of its names: l->names says what is so now, and
 * set->open whether something is to be decided.  Returns 0 or -1.
 */
int decide_groups_look_at(struct decide_groups_look *l, struct decide_groups_set *set, struct err *err);
/** The path of a name, until the next look. */
const char *decide_groups_path(const struct decide_groups_look *l, const struct decide_groups_name *name);
/** End the use of the index: names and paths of the last look stay.  No further look. */
void decide_groups_look_rest(struct decide_groups_look *l);
void decide_groups_look_end(struct decide_groups_look *l);

/**
 * Ask for a name to go if it is open; pinned: it must stay; out, or where it does not count: as if
 * it were not there.
 */
void decide_groups_ask(struct decide_groups_name *name, bool out, bool pinned);
/**
 * Let keep choose among the names, each as it was asked for.  Sets what goes, and which inodes must
 * stay for that.  Returns the number of inodes that go.
 */
int64_t decide_groups_choose(struct decide_groups_look *l);

/** Whether the inode of a name by position has a name that is held. */
bool decide_groups_is_held(const struct decide_groups_look *l, size_t i);
/** Whether some names are offline or unreadable: nothing is known of them now. */
bool decide_groups_hides_some(const struct decide_groups_look *l);
/** Whether a name counts: it is there, not hidden, and not to be dropped. */
bool decide_groups_counts(const struct decide_groups_name *name);
/** Whether a name can be chosen as one that stays: it counts, and lies in no trash. */
bool decide_groups_can_stay(const struct decide_groups_name *name);

#endif
