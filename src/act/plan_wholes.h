/* SPDX-License-Identifier: MIT */
/*
 * plan_wholes - directories that belong together, in a plan: each goes with all its files, or stays
 * with all of them.
 */
#ifndef ACT_PLAN_WHOLES_H
#define ACT_PLAN_WHOLES_H

#include "index/wholes.h"
#include "sys/content.h"

/** A file that may go, if all others of its whole may. */
struct plan_wholes_file {
	const char *path;
	int64_t size;
	uint8_t hash[HASH_SIZE];
	struct whole whole;
};

/** Set db and the markers of wholes; release it. */
struct plan_wholes {
	struct wholes wholes;
	VEC(struct plan_wholes_file) waiting;
	/* private */
	VEC(uint8_t) fates;          /* by number of a whole */
	struct arena memory;
};

void plan_wholes_release(struct plan_wholes *p);

/** Have a whole stay: something in it does. */
void plan_wholes_stay(struct plan_wholes *p, const struct whole *whole);
/** Whether a whole stays, as far as that is known. */
bool plan_wholes_stays(const struct plan_wholes *p, const struct whole *whole);
/**
 * Have it stay from the end of the trial on, because a file in it does, or because one has copies
 * only in places that are equal to its own.
 */
void plan_wholes_fail(struct plan_wholes *p, const struct whole *whole, bool equal);
/** End a trial.  Returns whether a whole stays that did not before. */
bool plan_wholes_end_trial(struct plan_wholes *p);
/** Note a file of a whole that may go. */
void plan_wholes_wait(struct plan_wholes *p, const struct whole *whole, const char *path, int64_t size, const uint8_t *hash);
/** Append why a file of a whole stays. */
void plan_wholes_why(const struct plan_wholes *p, struct buf *why, const struct whole *whole);

#endif
