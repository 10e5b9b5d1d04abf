/* SPDX-License-Identifier: MIT */
/* sweep - directories that a walk has not met any more. */
#ifndef SCAN_SWEEP_H
#define SCAN_SWEEP_H

struct merge;

/**
 * After merge_finish: drop every directory that was not met although its
 * parent was read to the end, with its files.  Inside a transaction.
 *
 * Returns 0, or -1 with *err.
 */
int sweep_drop(struct merge *m, struct err *err);

#endif
