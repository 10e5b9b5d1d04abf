/* SPDX-License-Identifier: MIT */
#include "base/base.h"

#include "act/plan_wholes.h"

enum { PLAN_WHOLE_MAY_GO, PLAN_WHOLE_FAILED, PLAN_WHOLE_STAYS };

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
	return whole->number < p->fates.n && p->fates.v[whole->number] == PLAN_WHOLE_STAYS;
}

void
plan_wholes_fail(struct plan_wholes *p, const struct whole *whole)
{
	uint8_t *fate = plan_wholes_fate(p, whole);

	if (*fate == PLAN_WHOLE_MAY_GO)
		*fate = PLAN_WHOLE_FAILED;
}

bool
plan_wholes_end_trial(struct plan_wholes *p)
{
	bool any = false;

	for (size_t i = 0; i < p->fates.n; i++) {
		if (p->fates.v[i] == PLAN_WHOLE_FAILED) {
			p->fates.v[i] = PLAN_WHOLE_STAYS;
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
plan_wholes_why(struct buf *why, const struct whole *whole)
{
	buf_addf(why, "in the %s '%s'", wholes_name(whole->kind), whole->path);
}
