/* SPDX-License-Identifier: MIT */
/* answers - answers for files, kept beyond the call that delivered them, and delivered again in another order. */
#ifndef INDEX_ANSWERS_H
#define INDEX_ANSWERS_H

#include <stdbool.h>

struct file_answer;

/** Orders; answers_order_names lists their words in this order, NULL at the end. */
enum answers_order {
	ANSWERS_NAME,       /* as they were added */
	ANSWERS_SIZE,       /* largest first, unknown sizes last */
	ANSWERS_REDUNDANT,  /* by file_redundant, largest first */
	ANSWERS_TIME        /* last modified first, unknown times last */
};
extern const char *const answers_order_names[];

/** Answers in memory. */
struct answers;

/** Returns an owned, empty one for answers_free. */
struct answers *answers_new(void);
/** Free as with all that was added; NULL is allowed. */
void answers_free(struct answers *as);

/** Copy an answer with its members. */
void answers_add(struct answers *as, const struct file_answer *a);

/** Called for each answer, which is borrowed for that call.  Returns 0 to go on, another value to stop. */
typedef int answers_fn(void *arg, const struct file_answer *a);

/**
 * Deliver all answers in this order, those that are equal in it by path; with
 * reverse from the last to the first.  Nothing may be added afterwards.
 * Returns 0, or what fn returned.
 */
int answers_each(struct answers *as, enum answers_order order, bool reverse, answers_fn *fn, void *arg);

#endif
