/* SPDX-License-Identifier: MIT */
/*
 * decide_show - private to decide: the dialogue at one level, what its questions return, and what
 * is said of groups, sets and answers.
 */
#ifndef SHELL_DECIDE_SHOW_H
#define SHELL_DECIDE_SHOW_H

#include "query/decide_groups.h"
#include "query/decide_groups_choice.h"

struct cmd_call;
struct decide_totals;
struct keys;

/** What comes next. */
enum decide_next {
	DECIDE_NEXT,      /* the next set or group */
	DECIDE_AGAIN,     /* the same question */
	DECIDE_BACK,      /* the question whose answer was taken back */
	DECIDE_GROUPS,    /* the next group */
	DECIDE_LEAVE,     /* the end, with what is marked */
	DECIDE_FAILED     /* the same, with *err */
};

/** An answer that can be taken back. */
struct decide_answer {
	int64_t batch;
	size_t group, set;           /* set: SIZE_MAX for an answer about the group */
	bool deeper;                 /* given about directories below it: sets are of that level */
	VEC(size_t) sets;
	int64_t n_drop, frees;
};

/** The answer that . gives to the sets that follow. */
struct decide_last {
	bool known, all, rules;
	uint32_t place;
	struct buf dir;              /* of the copy that stays */
};

struct decide {
	const struct cmd_call *c;
	struct keys *keys;
	const char *base;
	FILE *out;
	int width;
	struct decide_groups o;
	VEC(struct decide_answer) answers;
	struct decide_last last;
	bool repeats;                /* the last answer is repeated to the end of the group */
	size_t back_group, back_set; /* of DECIDE_BACK */
	bool back_deeper;
	struct decide_totals *totals;
	struct err *err;
};

/** Whether questions are to be short, and times are left out. */
bool decide_is_narrow(const struct decide *d);
/** Append a path as seen from base, harmless. */
void decide_add_path(const struct decide *d, struct buf *b, const char *path);
/** Print text, and empty it. */
void decide_print(const struct decide *d, struct buf *b);

/** Sets that are decided, and all, of the present level. */
void decide_count(const struct decide *d, int64_t *n_decided, int64_t *n_sets);
/** Sets of a group in which something is to be decided. */
size_t decide_group_open(const struct decide *d, const struct decide_groups_group *g);

/** Say what there is to be decided. */
void decide_hello(const struct decide *d);
/** Say how many sets are decided. */
void decide_say_progress(const struct decide *d);
/** Show a group and its places, by number. */
void decide_show_group(const struct decide *d, size_t group);

/** What an answer about a group came to. */
struct decide_outcome {
	size_t n_kept, n_several, n_nowhere;
	size_t n_hides;              /* sets of which too few copies can be looked at */
	int64_t n_fixed;             /* copies that stay besides those that were chosen */
	int64_t n_held, n_must;      /* ... because of --protect, --only; of --copies ... */
};

/** Print what keeping the chosen copies came to. */
void decide_say_group(const struct decide *d, const struct decide_groups_group *g, const struct decide_groups_chosen *chosen,
                      const struct decide_outcome *o, int64_t n_drop);
/** Say how many copies that were not chosen must stay. */
void decide_say_must(const struct decide *d, int64_t n);

/** The names of a set that are numbered, one for each inode that can stay, and their number. */
struct decide_choices {
	VEC(size_t) v;               /* positions in decide_groups_look.names; others follow */
	size_t n;
	size_t n_dropped;            /* names marked drop: not among them */
};

/** List those of the set that l has looked at last. */
void decide_list_choices(struct decide_groups_look *l, struct decide_choices *choices);
/** Show the copies of that set, at most that many. */
void decide_show_copies(const struct decide *d, const struct decide_groups_look *l, const struct decide_choices *choices, size_t most);

#endif
