/* SPDX-License-Identifier: MIT */
/* vanished - directories that a walk has not met any more. */
#ifndef INDEX_VANISHED_H
#define INDEX_VANISHED_H

struct err;
struct merge;

/**
 * After merge_finish: drop every directory that was not met although its
 * parent was read to the end, with its files.  Inside a transaction.
 *
 * Returns 0, or -1 with *err.
 */
int vanished_drop(struct merge *m, struct err *err);

#endif
