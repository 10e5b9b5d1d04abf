/* SPDX-License-Identifier: MIT */
/* hash_read - read what a plan wants, in the order of the disk. */
#ifndef SCAN_HASH_READ_H
#define SCAN_HASH_READ_H

struct hash_plan;

/**
 * Read every file of the plan whose want is set, and give each a head, a
 * hash, or up.  Renews the transaction when it is old.
 *
 * Returns 0, or -1 with *err; what was read by then is written.
 */
int hash_read(struct hash_plan *p, struct err *err);

/** Count in to_read the most that this round and those after it can read. */
void hash_read_estimate(struct hash_plan *p);

#endif
