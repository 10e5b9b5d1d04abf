/* SPDX-License-Identifier: MIT */
#include "base/base.h"

#include "query/has_duplicates.h"

#include "index/index.h"
#include "index/journal.h"

/* Rows whose contents are read in the time that finding the copies of one file takes. */
#define HAS_DUPLICATES_ROWS 32

bool
has_duplicates_are_many(struct has_duplicates *s, int64_t n)
{
	if (s->n_files == 0)
		s->n_files = journal_files(s->ix);
	return n >= s->n_files / HAS_DUPLICATES_ROWS;
}

int
has_duplicates_met(struct has_duplicates *s, struct err *err)
{
	s->n_met++;
	if (s->known || !has_duplicates_are_many(s, s->n_met))
		return 0;
	if (sets_groups_load(&s->groups, s->ix->db, 1, NULL, NULL, err) < 0)
		return -1;
	sets_groups_index(&s->groups);
	s->known = true;
	return 0;
}

bool
has_duplicates_has(void *arg, int64_t size, const uint8_t *hash)
{
	const struct has_duplicates *s = arg;

	return s->known && sets_groups_find(&s->groups, size, hash) != NULL;
}

void
has_duplicates_release(struct has_duplicates *s)
{
	sets_groups_release(&s->groups);
}
