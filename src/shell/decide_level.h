/* SPDX-License-Identifier: MIT */
/* decide_level - private to decide: the dialogue at one level, and what its questions return. */
#ifndef SHELL_DECIDE_LEVEL_H
#define SHELL_DECIDE_LEVEL_H

#include "query/decide_groups.h"

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

#endif
