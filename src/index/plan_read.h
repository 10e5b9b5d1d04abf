/* SPDX-License-Identifier: MIT */
/* plan_read - read what a plan wants, in the order of the disk, and write the hashes to the index. */
#ifndef INDEX_PLAN_READ_H
#define INDEX_PLAN_READ_H

struct err;
struct plan;

/**
 * Read every file of the plan whose want is set, and give each a head, a
 * hash, or up.  Renews the transaction when it is old.
 *
 * Returns 0, or -1 with *err; what was read by then is written.
 */
int plan_read(struct plan *p, struct err *err);

/** Count in the plan's counts what reading would come to at most, this round and those that follow from it. */
void plan_read_estimate(struct plan *p);

#endif
