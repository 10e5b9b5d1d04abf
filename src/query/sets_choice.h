/* SPDX-License-Identifier: MIT */
/* sets_choice - which members of a set would stay, and which could go. */
#ifndef QUERY_SETS_CHOICE_H
#define QUERY_SETS_CHOICE_H

#include "query/answer.h"
#include "query/keep.h"
#include "query/sets_member.h"

struct roots;

/** What decides it. */
struct sets_choice {
	const struct keep *keep;
	const char *const *dirs;     /* what the user named */
	struct pathset named;        /* these, by position; none: everything */
	const struct roots *roots;
};

/**
 * Choose for a set: v are its n members, arranged, and answers what is told of them in the same
 * order, with their marks.  As rm would do it: what the user did not name, what is marked keep and
 * what lies in a hidden directory is not to go.  answers are put in the order of the choice: inodes
 * of which a name stays first, the best first, the names of each together; then what is not there.
 */
void sets_choice_make(const struct sets_choice *c, const struct sets_member *v, struct member *answers, size_t n);

#endif
