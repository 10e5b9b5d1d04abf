/* SPDX-License-Identifier: MIT */
/* answer_sort - answers for files: copied, kept, and delivered again in another order. */
#ifndef QUERY_ANSWER_SORT_H
#define QUERY_ANSWER_SORT_H

struct file_answer;

/** Orders; answer_sort_order_names lists their words in this order, NULL at the end. */
enum answer_sort_order {
	ANSWER_SORT_NAME,       /* as they were added */
	ANSWER_SORT_SIZE,       /* largest first, unknown sizes last */
	ANSWER_SORT_REDUNDANT,  /* by file_redundant, largest first */
	ANSWER_SORT_TIME        /* last modified first, unknown times last */
};
extern const char *const answer_sort_order_names[];

/** Answers in memory. */
struct answer_sort;

/** Returns an owned, empty one for answer_sort_free. */
struct answer_sort *answer_sort_new(void);
/** Free it with all that was added.  Accepts NULL. */
void answer_sort_free(struct answer_sort *as);

/** Copy an answer with its members into memory of kept, but for why, which stays borrowed. */
void answer_sort_copy(struct file_answer *copy, const struct file_answer *a, struct arena *kept);

/** Copy an answer with its members. */
void answer_sort_add(struct answer_sort *as, const struct file_answer *a);

/** Called for each answer, borrowed for that call.  Returns 0 to go on, another value to stop. */
typedef int answer_sort_fn(void *arg, const struct file_answer *a);

/**
 * Deliver all answers in this order, those that are equal in it by path; with
 * reverse from the last to the first.  Nothing may be added afterwards.
 * Returns 0, or what fn returned.
 */
int answer_sort_each(struct answer_sort *as, enum answer_sort_order order, bool reverse, answer_sort_fn *fn, void *arg);

#endif
