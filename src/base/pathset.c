/* SPDX-License-Identifier: MIT */
#include <config.h>

#include "base/pathset.h"

#include <stdlib.h>
#include <string.h>

#include "base/path.h"
#include "base/vec.h"

void
pathset_add(struct pathset *set, const char *path, size_t number)
{
	vec_push(set, ((struct pathset_entry){ path, number }));
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
}

bool
pathset_find(const struct pathset *set, const char *path, size_t len, size_t *number)
{
	size_t low = 0, high = set->n;

	/* The first that does not sort before these bytes. */
	while (low < high) {
		const size_t middle = low + (high - low) / 2;

		if (strncmp(set->v[middle].path, path, len) < 0)
			low = middle + 1;
		else
			high = middle;
	}
	if (low == set->n || strncmp(set->v[low].path, path, len) != 0 || set->v[low].path[len] != '\0')
		return false;
	*number = set->v[low].number;
	return true;
}

bool
pathset_above(const struct pathset *set, const char *path, size_t *len, size_t *number)
{
	for (; *len > 0; *len = path_up_len(path, *len)) {
		if (pathset_find(set, path, *len, number))
			return true;
	}
	return false;
}
