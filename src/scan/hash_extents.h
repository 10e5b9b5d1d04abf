/* SPDX-License-Identifier: MIT */
/* hash_extents - of wanted files that have all their blocks in common one is read for all. */
#ifndef SCAN_HASH_EXTENTS_H
#define SCAN_HASH_EXTENTS_H

struct hash_plan;
struct hash_plan_result;

/** The groups of one round: made before it, used in it, freed after it. */
struct hash_extents;

/**
 * Find groups among the n files of a round, order, that are to be read whole: those of each but
 * one are taken out of order, and *n becomes smaller.  Nothing is opened where file systems share
 * no blocks.  Returns 0 with an owned *x, NULL where there is no group, or -1 with *err.
 */
int hash_extents_find(struct hash_extents **x, struct hash_plan *p, struct order *order, size_t *n, struct err *err);

/**
 * Note the content of the file at position pos in plan.files if it leads a group and has not
 * changed: fd is still open, res->st was taken before it was read.  Any thread.
 */
void hash_extents_read(struct hash_extents *x, size_t pos, int fd, const struct hash_plan_result *res);

/**
 * After the round: write the leader's content for each follower that still has the same blocks.
 * order gets the other followers, and *n their number, for another round.  Returns 0 or -1 with
 * *err.
 */
int hash_extents_give(struct hash_extents *x, struct order *order, size_t *n, struct err *err);
/** Free.  Accepts NULL. */
void hash_extents_free(struct hash_extents *x);

#endif
