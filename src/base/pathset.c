/* SPDX-License-Identifier: MIT */
#include "base/base.h"

void
pathset_add(struct pathset *set, const char *path, size_t number)
{
	const size_t len = strlen(path);

	vec_push(set, ((struct pathset_entry){ path, number }));
	set->longest = len > set->longest ? len : set->longest;
}

static int
pathset_cmp(const void *a, const void *b)
{
	const struct pathset_entry *x = a, *y = b;
	const int cmp = strcmp(x->path, y->path);

	return cmp != 0 ? cmp : (x->number > y->number) - (x->number < y->number);
}

void
pathset_sort(struct pathset *set)
{
	if (set->n > 1)
		qsort(set->v, set->n, sizeof(*set->v), pathset_cmp);
}

void
pathset_release(struct pathset *set)
{
	vec_release(set);
	set->longest = 0;
}

bool
pathset_find(const struct pathset *set, const char *path, size_t len, size_t *number)
{
	size_t at;

	ORDER_FIRST(at, set->n, strncmp(set->v[at].path, path, len) < 0);
	if (at == set->n || strncmp(set->v[at].path, path, len) != 0 || set->v[at].path[len] != '\0')
		return false;
	*number = set->v[at].number;
	return true;
}

bool
pathset_above(const struct pathset *set, const char *path, size_t *len, size_t *number)
{
	for (; *len > 0; *len = path_up_len(path, *len)) {
		if (*len <= set->longest && pathset_find(set, path, *len, number))
			return true;
	}
	return false;
}
