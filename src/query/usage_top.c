/* SPDX-License-Identifier: MIT */
/*
 * "home: 12 GiB" does not help a user who asked about home, and ten lines below home do not where
 * one of them has nearly everything.  So the largest place is replaced by the places within it,
 * again and again: always if one of these has nearly all its bytes, and, while there is room, if
 * it has more than half of all bytes.  What lies above roots is replaced by these.
 */
#include "base/base.h"

#include "query/usage_top.h"

#include "query/dirtree.h"

/* Percent of a place that one within it must have to stand for it. */
enum { USAGE_TOP_NEARLY = 90 };

static int64_t
usage_top_bytes(const struct usage_place *place, enum usage_amount amount)
{
	return amount == USAGE_PORTION ? place->sum.portion : place->sum.redundant;
}

/* The place with most bytes first; of equal ones that with the lower number. */
static int
usage_top_cmp(const struct usage_place *x, const struct usage_place *y, enum usage_amount amount)
{
	ORDER_CMP(usage_top_bytes(y, amount), usage_top_bytes(x, amount));
	ORDER_CMP(x->dir, y->dir);
	return y->within - x->within;
}

static int
usage_top_cmp_redundant(const void *a, const void *b)
{
	return usage_top_cmp(a, b, USAGE_REDUNDANT);
}

static int
usage_top_cmp_portion(const void *a, const void *b)
{
	return usage_top_cmp(a, b, USAGE_PORTION);
}

static void
usage_top_sort(struct usage_places *places, enum usage_amount amount)
{
	if (places->n > 1)
		qsort(places->v, places->n, sizeof(*places->v), amount == USAGE_PORTION ? usage_top_cmp_portion : usage_top_cmp_redundant);
}

void
usage_places_in(const struct usage *u, uint32_t dir, enum usage_amount amount, struct usage_places *places)
{
	const struct dirtree *dirs = usage_dirs(u);
	struct usage_place place = { dir, true, usage_within(u, dir) };

	if (usage_top_bytes(&place, amount) > 0)
		vec_push(places, place);
	for (uint32_t in = dirtree_first(dirs, dir); in != DIRTREE_NONE; in = dirtree_next(dirs, in)) {
		place = (struct usage_place){ in, false, usage_below(u, in) };
		if (usage_top_bytes(&place, amount) > 0 && !dirtree_excluded(dirs, in))
			vec_push(places, place);
	}
	usage_top_sort(places, amount);
}

/* The same, but what lies above roots is no place: it has nothing but them. */
static void
usage_top_in(const struct usage *u, uint32_t dir, enum usage_amount amount, struct usage_places *places)
{
	usage_places_in(u, dir, amount, places);
	for (size_t i = 0; i < places->n;) {
		const struct usage_place above = places->v[i];
		struct usage_places within = { 0 };

		if (above.within || dirtree_id(usage_dirs(u), above.dir) != 0) {
			i++;
			continue;
		}
		places->v[i] = places->v[--places->n];
		usage_places_in(u, above.dir, amount, &within);
		for (size_t j = 0; j < within.n; j++)
			vec_push(places, within.v[j]);
		vec_release(&within);
	}
	usage_top_sort(places, amount);
}

size_t
usage_top(const struct usage *u, uint32_t dir, enum usage_amount amount, struct usage_place *v, size_t max)
{
	const struct usage_place asked = { dir, false, usage_below(u, dir) };
	const int64_t whole = usage_top_bytes(&asked, amount);
	struct usage_places all = { 0 };
	bool opens = true;
	size_t n;

	usage_top_in(u, dir, amount, &all);
	while (opens && all.n > 0) {
		struct usage_places within = { 0 };
		const int64_t bytes = usage_top_bytes(&all.v[0], amount);
		bool nearly;

		if (!all.v[0].within)
			usage_top_in(u, all.v[0].dir, amount, &within);
		/* Whether to replace the largest place by the places within it. */
		nearly = within.n > 0 && !within.v[0].within && usage_top_bytes(&within.v[0], amount) >= bytes / 100 * USAGE_TOP_NEARLY;
		opens = nearly || (within.n > 1 && bytes > whole / 2 && all.n - 1 + within.n <= max);
		if (opens) {
			all.v[0] = all.v[--all.n];
			for (size_t i = 0; i < within.n; i++)
				vec_push(&all, within.v[i]);
			usage_top_sort(&all, amount);
		}
		vec_release(&within);
	}
	n = all.n < max ? all.n : max;
	for (size_t i = 0; i < n; i++)
		v[i] = all.v[i];
	vec_release(&all);
	return n;
}
