/* SPDX-License-Identifier: MIT */
#include "base/base.h"

#include "act/plan_wholes.h"

/* The later one holds. */
enum {
	PLAN_WHOLE_MAY_GO,
	PLAN_WHOLE_EQUALED,     /* no copy is in a better place: it stays when the trial ends */
	PLAN_WHOLE_FAILED,      /* a file in it stays: so does it when the trial ends */
	PLAN_WHOLE_EQUAL,       /* it stays, for its copies are in no better place */
	PLAN_WHOLE_STAYS
};

void
plan_wholes_release(struct plan_wholes *p)
{
	wholes_release(&p->wholes);
	vec_release(&p->waiting);
	vec_release(&p->fates);
	arena_release(&p->memory);
}

/* The fate of a whole: where it is not known, it may go. */
static uint8_t *
plan_wholes_fate(struct plan_wholes *p, const struct whole *whole)
{
	while (p->fates.n <= whole->number)
		vec_push(&p->fates, PLAN_WHOLE_MAY_GO);
	return &p->fates.v[whole->number];
}

void
plan_wholes_stay(struct plan_wholes *p, const struct whole *whole)
{
	*plan_wholes_fate(p, whole) = PLAN_WHOLE_STAYS;
}

bool
plan_wholes_stays(const struct plan_wholes *p, const struct whole *whole)
{
	return whole->number < p->fates.n && p->fates.v[whole->number] >= PLAN_WHOLE_EQUAL;
}

void
plan_wholes_fail(struct plan_wholes *p, const struct whole *whole, bool equal)
{
	const uint8_t fails = equal ? PLAN_WHOLE_EQUALED : PLAN_WHOLE_FAILED;
	uint8_t *fate = plan_wholes_fate(p, whole);

	if (*fate < fails)
		*fate = fails;
}

bool
plan_wholes_end_trial(struct plan_wholes *p)
{
	bool any = false;

	for (size_t i = 0; i < p->fates.n; i++) {
		uint8_t *fate = &p->fates.v[i];

		if (*fate == PLAN_WHOLE_EQUALED || *fate == PLAN_WHOLE_FAILED) {
			*fate = *fate == PLAN_WHOLE_EQUALED ? PLAN_WHOLE_EQUAL : PLAN_WHOLE_STAYS;
			any = true;
		}
	}
	return any;
}

void
plan_wholes_wait(struct plan_wholes *p, const struct whole *whole, const char *path, int64_t size, const uint8_t *hash)
{
	struct plan_wholes_file *f = vec_add(&p->waiting);

	*f = (struct plan_wholes_file){ .path = arena_str(&p->memory, path), .size = size, .whole = *whole };
	memcpy(f->hash, hash, HASH_SIZE);
}

void
plan_wholes_why(const struct plan_wholes *p, struct buf *why, const struct whole *whole)
{
	const bool equal = whole->number < p->fates.n && p->fates.v[whole->number] == PLAN_WHOLE_EQUAL;

	buf_addf(why, "in the %s '%s'%s", wholes_name(whole->kind), whole->path, equal ? ", whose copies are in no better place" : "");
}
