/* SPDX-License-Identifier: MIT */
#include "base/base.h"

#include "browse/look.h"

#include "query/list.h"

/* list_fn: keep the answer. */
static int
look_keep(void *arg, const struct file_answer *a)
{
	struct look *k = arg;
	struct member *members = arena_alloc(&k->memory, (a->n_members + 1) * sizeof(*members));

	k->known = true;
	k->a = *a;
	k->a.path = arena_str(&k->memory, a->path);
	k->a.why = a->why != NULL ? arena_str(&k->memory, a->why) : NULL;
	k->a.hash = NULL;
	for (size_t i = 0; i < a->n_members; i++) {
		members[i] = a->members[i];
		members[i].path = arena_str(&k->memory, a->members[i].path);
	}
	k->a.members = members;
	return 0;
}

/* list_missing_fn: what is gone from both says so by known. */
static void
look_missing(void *arg, const char *path)
{
	(void)arg;
	(void)path;
}

int
look_load(struct look **look, struct index *ix, const char *path, struct err *err)
{
	const struct list_query q = { .copies = { .members = true }, .missing = look_missing };
	struct look *k = mem_zalloc(1, sizeof(*k));
	struct list_totals totals = { .n = { 0 } };
	int ret;

	k->a.path = arena_str(&k->memory, path);
	ret = list_each(ix, &path, 1, &q, look_keep, k, &totals, err);
	if (ret == 0)
		*look = k;
	else
		look_free(k);
	return ret;
}

void
look_free(struct look *k)
{
	if (k == NULL)
		return;
	arena_release(&k->memory);
	free(k);
}
