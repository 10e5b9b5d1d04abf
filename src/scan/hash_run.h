/* SPDX-License-Identifier: MIT */
/* hash_run - the read phase: rounds of planning and reading, until every claim is proven. */
#ifndef SCAN_HASH_RUN_H
#define SCAN_HASH_RUN_H

struct hash_plan;

/**
 * Read what must be read, round by round, and write it to the index, in the
 * caller's transaction, which is renewed when it is old.  A dry run only counts.
 *
 * Returns 0, or -1 with *err (ERR_INTERRUPTED: what was read is written).
 */
int hash_run(struct hash_plan *p, struct err *err);

#endif
