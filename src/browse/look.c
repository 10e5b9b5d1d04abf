/* SPDX-License-Identifier: MIT */
#include "base/base.h"

#include "browse/look.h"

#include "query/answer_sort.h"
#include "query/list.h"

/* list_fn: keep the answer. */
static int
look_keep(void *arg, const struct file_answer *a)
{
	struct look *k = arg;

	k->known = true;
	answer_sort_copy(&k->a, a, &k->memory);
	if (a->why != NULL)
		k->a.why = arena_str(&k->memory, a->why);
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
