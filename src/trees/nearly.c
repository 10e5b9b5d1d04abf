/* SPDX-License-Identifier: MIT */
/*
 * A content is lost with a directory exactly if the directory is, or lies above, one of the lowest
 * directories that hold all inodes of it but too few: for one copy that is the directory that all
 * its names have in common.  So each name is lost with the lowest directory above it that is, or
 * lies above, one of these.  It is counted there, and at all directories above by adding up.
 *
 *	nearly_lowest     those directories of a content
 *	nearly_count      the lost names of every directory
 *	nearly_live       the directories that may not go for all copies they have
 *	nearly_choose     the highest directories with few
 */
#include "base/base.h"

#include "trees/nearly.h"

#include "query/dirtree.h"
#include "sys/stop.h"
#include "trees/contents_map.h"
#include "trees/dir_sums.h"
#include "trees/keepers.h"

/* Limits of the files that may be lost: a number, and one of how many. */
enum { NEARLY_FILES = 3, NEARLY_SHARE = 100 };

/* What is lost with a directory. */
struct nearly_lost {
	int64_t files, bytes;        /* bytes by name: links count each */
};

/* One count of all contents. */
struct nearly_count {
	const struct nearly_query *q;
	const bool *going;           /* NULL: nothing goes yet */
	struct nearly_lost *lost;    /* by directory */
	/* Of the content in hand: */
	uint32_t *common;            /* by copy: the directory that its names have in common */
	bool *outside;               /* by copy: a link outside of the index keeps it */
	VEC(uint32_t) inodes;        /* the same of inodes that may be lost, in order */
	VEC(uint32_t) lowest;
};

static bool
nearly_stays(const struct nearly_count *w, const struct contents_map_name *name)
{
	return w->going == NULL || !w->going[name->dir];
}

/* List for each inode of a content the directory of its names.  Returns how many must stay. */
static int64_t
nearly_inodes(struct nearly_count *w, size_t content)
{
	const struct contents_map_content *c = &w->q->m->v[content];
	const struct contents_map_name *names = w->q->m->names + c->first;
	int64_t must = w->q->copies > 1 ? w->q->copies : 1;

	w->inodes.n = 0;
	for (uint32_t i = 0; i < c->copies; i++) {
		w->common[i] = DIRTREE_NONE;
		w->outside[i] = false;
	}
	for (uint32_t i = 0; i < c->n && !c->alias; i++) {
		uint32_t *common = &w->common[names[i].copy];

		if (!nearly_stays(w, &names[i]) || !keepers_in(w->q->keepers, content, names[i].dir))
			continue;
		*common = *common == DIRTREE_NONE ? names[i].dir : dirtree_common(w->q->m->dirs, *common, names[i].dir);
		w->outside[names[i].copy] |= w->q->outside && names[i].outside;
	}
	for (uint32_t i = 0; i < c->copies; i++) {
		must -= w->outside[i];
		if (w->common[i] != DIRTREE_NONE && !w->outside[i])
			vec_push(&w->inodes, w->common[i]);
	}
	if (w->inodes.n > 1)
		qsort(w->inodes.v, w->inodes.n, sizeof(*w->inodes.v), order_cmp_uint32);
	return must;
}

/* List the lowest directories that leave less inodes than must stay; none: every name must stay. */
static void
nearly_lowest(struct nearly_count *w, int64_t must)
{
	/* A directory is a range of numbers, so inodes in it stand together. */
	const int64_t held = (int64_t)w->inodes.n - must + 1;

	w->lowest.n = 0;
	for (size_t i = 0; held > 0 && i + (size_t)held <= w->inodes.n; i++)
		vec_push(&w->lowest, dirtree_common(w->q->m->dirs, w->inodes.v[i], w->inodes.v[i + (size_t)held - 1]));
	if (w->lowest.n > 1)
		qsort(w->lowest.v, w->lowest.n, sizeof(*w->lowest.v), order_cmp_uint32);
}

/* The lowest directory with which a name that lies in dir is lost. */
static uint32_t
nearly_lost_with(const struct nearly_count *w, uint32_t dir)
{
	const struct dirtree *t = w->q->m->dirs;
	uint32_t before = 0, behind = 0;
	size_t at;

	if (w->lowest.n == 0)
		return dir;
	/* The next ones in order have most in common with it. */
	ORDER_FIRST(at, w->lowest.n, w->lowest.v[at] < dir);
	if (at < w->lowest.n)
		behind = dirtree_common(t, dir, w->lowest.v[at]);
	if (at > 0)
		before = dirtree_common(t, dir, w->lowest.v[at - 1]);
	return before > behind ? before : behind;
}

static void
nearly_content(struct nearly_count *w, size_t content)
{
	const struct contents_map_content *c = &w->q->m->v[content];
	const int64_t must = nearly_inodes(w, content);

	if (must <= 0)
		return;
	nearly_lowest(w, must);
	for (uint32_t i = c->first; i < c->first + c->n; i++) {
		struct nearly_lost *lost;

		if (!nearly_stays(w, &w->q->m->names[i]))
			continue;
		lost = &w->lost[nearly_lost_with(w, w->q->m->names[i].dir)];
		lost->files++;
		lost->bytes += c->size;
	}
}

/* Count what is lost with each directory.  Returns 0 with *lost owned, or -1. */
static int
nearly_count(const struct nearly_query *q, const bool *going, struct nearly_lost **lost, struct err *err)
{
	struct nearly_count w = { .q = q, .going = going, .lost = mem_zalloc(dirtree_count(q->m->dirs), sizeof(*w.lost)) };
	uint32_t copies = 1;
	int ret = 0;

	for (size_t i = 0; i < q->m->n; i++)
		copies = q->m->v[i].copies > copies ? q->m->v[i].copies : copies;
	w.common = mem_alloc(copies * sizeof(*w.common));
	w.outside = mem_alloc(copies * sizeof(*w.outside));
	for (size_t i = 0; ret == 0 && i < q->m->n; i++) {
		nearly_content(&w, i);
		if (i % 4096 == 0)
			ret = stop_check(err);
	}
	dirtree_add_up(q->m->dirs, (uint64_t *)&w.lost->files, 2, 2);
	free(w.common);
	free(w.outside);
	vec_release(&w.inodes);
	vec_release(&w.lowest);
	*lost = w.lost;
	return ret;
}

/* Whether a directory is another one, or lies above it. */
static bool
nearly_holds(const struct dirtree *t, uint32_t dir, uint32_t in)
{
	return dir <= in && in < dirtree_end(t, dir);
}

/*
 * Find the directories that may not go for the copies of a content, which are all too spare.
 * common: for each number of spare names, where all names with no more of them lie.
 */
static void
nearly_live_content(const struct nearly_query *q, size_t content, uint32_t *common, uint32_t most, bool *live)
{
	const struct contents_map_content *c = &q->m->v[content];
	const struct contents_map_name *names = q->m->names + c->first;
	const struct dirtree *t = q->m->dirs;

	for (uint32_t n = 0; n <= most; n++)
		common[n] = DIRTREE_NONE;
	for (uint32_t i = 0; i < c->n && !c->alias; i++) {
		if (!keepers_in(q->keepers, content, names[i].dir))
			continue;
		if (q->outside && names[i].outside)
			return;
		for (uint32_t n = q->keepers->ranks[names[i].dir].spare; n <= most; n++)
			common[n] = common[n] == DIRTREE_NONE ? names[i].dir : dirtree_common(t, common[n], names[i].dir);
	}
	if (common[most] == DIRTREE_NONE)
		return;
	for (uint32_t i = 0; i < c->n; i++) {
		for (uint32_t dir = names[i].dir; !nearly_holds(t, dir, common[most]); dir = dirtree_parent(t, dir)) {
			const uint32_t fit = common[q->keepers->ranks[dir].spare];

			live[dir] |= fit == DIRTREE_NONE || nearly_holds(t, dir, fit);
		}
	}
}

/* Which directories may not go for all copies they have (keepers_suit()): an owned array. */
static bool *
nearly_live(const struct nearly_query *q)
{
	const uint32_t n = dirtree_count(q->m->dirs);
	bool *live = mem_zalloc(n, sizeof(*live));
	uint32_t most = 0, *common;

	for (uint32_t dir = 0; q->keepers->ranks != NULL && dir < n; dir++)
		most = q->keepers->ranks[dir].spare > most ? q->keepers->ranks[dir].spare : most;
	common = mem_alloc((most + 1) * sizeof(*common));
	for (size_t i = 0; most > 0 && i < q->m->n; i++) {
		if (q->m->v[i].n > 1)
			nearly_live_content(q, i, common, most, live);
	}
	for (uint32_t dir = 0; q->keepers->named != NULL && dir < n; dir++)
		live[dir] &= !q->keepers->named[dir];
	free(common);
	return live;
}

/* Bytes to be freed when what is lost with it is kept; as many as there are at most. */
static int64_t
nearly_worth(const struct dir_sum *sum, const struct nearly_lost *lost)
{
	return (int64_t)sum->bytes - lost->bytes;
}

/* Choose the highest directories, and of these the ones that are worth most.  Returns 0 or -1. */
static int
nearly_choose(struct nearly *n, const struct nearly_query *q, const struct nearly_lost *lost, const bool *live)
{
	for (uint32_t dir = 1; dir < dirtree_count(q->m->dirs);) {
		const int64_t files = (int64_t)n->sums[dir].files, bytes = (int64_t)n->sums[dir].bytes, share = files / NEARLY_SHARE;
		/* Whether so little is lost with it that it is worth a look. */
		const bool fits = lost[dir].files > 0 && lost[dir].files <= (share > NEARLY_FILES ? share : NEARLY_FILES) &&
		                  lost[dir].files * 2 < files && lost[dir].bytes * 2 <= bytes && bytes >= q->min_size;
		size_t at = n->n;
		int part;

		if (q->never[dir] || live[dir] || !fits) {
			dir++;
			continue;
		}
		part = q->part(q->arg, dir);
		if (part < 0)
			return -1;
		while (part == 0 && at > 0 && nearly_worth(&n->sums[dir], &lost[dir]) > nearly_worth(n->v[at - 1].sum, &lost[n->v[at - 1].dir]))
			at--;
		if (part == 0 && at < NEARLY_MAX) {
			n->n += n->n < NEARLY_MAX;
			memmove(n->v + at + 1, n->v + at, (n->n - 1 - at) * sizeof(*n->v));
			n->v[at] = (struct nearly_dir){ .dir = dir, .missing = lost[dir].files, .sum = &n->sums[dir] };
		}
		dir = dirtree_end(q->m->dirs, dir);
	}
	return 0;
}

int
nearly_find(struct nearly *n, const struct nearly_query *q, struct err *err)
{
	struct nearly_lost *lost = NULL, *then = NULL;
	int ret = nearly_count(q, NULL, &lost, err);

	if (ret == 0) {
		bool *live = nearly_live(q);

		n->sums = dir_sums_make(q->m, NULL);
		ret = nearly_choose(n, q, lost, live);
		free(live);
	}
	if (ret == 0 && n->n > 0)
		ret = nearly_count(q, q->going, &then, err);
	for (size_t i = 0; ret == 0 && i < n->n; i++)
		n->v[i].together = then[n->v[i].dir].files <= n->v[i].missing;
	free(lost);
	free(then);
	return ret;
}

void
nearly_release(struct nearly *n)
{
	free(n->sums);
}
