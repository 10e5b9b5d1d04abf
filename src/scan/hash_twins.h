/* SPDX-License-Identifier: MIT */
/*
 * hash_twins - in a first scan with --verify, read large files that have the head and the size of
 * another one beside that: each once, to hash and to compare it.
 */
#ifndef SCAN_HASH_TWINS_H
#define SCAN_HASH_TWINS_H

#include "scan/hash_plan.h"

/** The groups of one round: made before it, used in it, freed after it. */
struct hash_twins;

/** A file that is read beside the one that leads its group. */
struct hash_twin {
	size_t pos;                   /* in plan.files */
	struct hash_plan_result res;
	bool good;                    /* res holds; else it must be read by itself */
};

/**
 * Find groups among the n files of a round, order: those of each but the first are taken out of
 * order, and *n becomes smaller.  Returns them, owned, or NULL where there is no group.
 */
struct hash_twins *hash_twins_find(const struct hash_plan *p, struct order *order, size_t *n);

/**
 * The files that are to be read beside the one at position pos in plan.files: sets *n to their
 * number, 0 where it leads no group.  x may be NULL.  Any thread.
 */
struct hash_twin *hash_twins_of(const struct hash_twins *x, size_t pos, size_t *n);

/** After the round: put those that must be read by themselves into order.  Returns their number. */
size_t hash_twins_left(const struct hash_twins *x, struct order *order);

/** Free.  Accepts NULL. */
void hash_twins_free(struct hash_twins *x);

/** Most files that are read beside another one: all of them are open. */
#define HASH_TWINS_MOST 7

#endif
