/* SPDX-License-Identifier: MIT */
#include "base/base.h"

#include "query/several.h"

#include "index/index.h"
#include "index/journal.h"

/* Rows whose contents are read in the time that finding the copies of one file takes. */
#define SEVERAL_ROWS 32

bool
several_are_many(struct several *s, int64_t n)
{
	if (s->n_files == 0)
		s->n_files = journal_files(s->ix);
	return n >= s->n_files / SEVERAL_ROWS;
}

int
several_met(struct several *s, struct err *err)
{
	s->n_met++;
	if (s->known || !several_are_many(s, s->n_met))
		return 0;
	if (sets_groups_load(&s->groups, s->ix->db, 1, NULL, NULL, err) < 0)
		return -1;
	sets_groups_index(&s->groups);
	s->known = true;
	return 0;
}

bool
several_has(void *arg, int64_t size, const uint8_t *hash)
{
	const struct several *s = arg;

	return s->known && sets_groups_find(&s->groups, size, hash) != NULL;
}

void
several_release(struct several *s)
{
	sets_groups_release(&s->groups);
}
