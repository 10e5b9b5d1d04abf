/* SPDX-License-Identifier: MIT */
/* decide_write - private to decide: answers become marks, and are taken back. */
#ifndef SHELL_DECIDE_WRITE_H
#define SHELL_DECIDE_WRITE_H

#include "shell/decide_level.h"

struct decide_groups_choice;

/** Tell of a failure; one that the dialogue survives, such as a busy index, asks again. */
enum decide_next decide_fail(struct decide *d, struct err *err);

/**
 * Write the marks of a choice, which is for the sets of *answer, and remember the answer, whose
 * sets are taken over or freed.  Returns 0 or -1.
 */
int decide_write(struct decide *d, const struct decide_groups_choice *choice, struct decide_answer *answer, struct err *err);
/** Take the last answer back. */
enum decide_next decide_undo(struct decide *d);

#endif
