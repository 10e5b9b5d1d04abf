/* SPDX-License-Identifier: MIT */
/*
 * All is known by then: what goes, and what each content keeps.  Of what stays it is found which
 * directories that go lean on it, and of these which lean on one alone: a pair.
 */
#include "base/base.h"

#include "trees/redundant_answers.h"

#include "query/dirtree.h"
#include "sys/stop.h"
#include "trees/contents_map.h"
#include "trees/copy_locations.h"
#include "trees/dir_sums.h"
#include "trees/removal.h"

/* Limit of entries that are told to rely on one directory. */
enum { REDUNDANT_ANSWERS_LEANING = 8 };

/* An entry that goes, by position, and its files that lean on another one. */
struct redundant_answers_user {
	uint32_t entry;
	int64_t files;
};

/* What is worked with while answers are made. */
struct redundant_answers_work {
	const struct redundant_answers *q;
	const struct contents_map *m;
	uint32_t *entry;             /* by directory: the entry that it goes with */
	int64_t *leaning;            /* by entry: files that lean on the directory in hand */
	size_t *stamp;               /* by entry: the content that was counted last, from 1 */
	size_t stamps;
	VEC(struct redundant_answers_user) users;
	struct removal_contents contents;    /* of the directory in hand */
	struct removal_contents kept;        /* ... those that have enough copies */
	struct copy_locations cover;
	VEC(struct tree_place) places;       /* of the answer in hand, then what leans on it */
	struct arena texts;          /* its paths */
};

/* Take a directory in hand: list its contents. */
static void
redundant_answers_list(struct redundant_answers_work *w, uint32_t dir)
{
	w->contents.n = 0;
	removal_list(w->q->removal, dir, &w->contents);
}

static int
redundant_answers_cmp(const void *a, const void *b)
{
	const struct redundant_answers_user *x = a, *y = b;

	ORDER_CMP(y->files, x->files);
	ORDER_CMP(x->entry, y->entry);
	return 0;
}

/* Find directories that go and rely on this one: it alone keeps contents that lay in them. */
static void
redundant_answers_lean(struct redundant_answers_work *w)
{
	w->users.n = 0;
	for (size_t i = 0; i < w->contents.n; i++) {
		const struct removal_content *c = &w->contents.v[i];
		const struct contents_map_content *content = &w->m->v[c->content];

		w->stamps++;
		for (uint32_t at = content->first; c->needed && at < content->first + content->n; at++) {
			const uint32_t dir = w->m->names[at].dir, entry = w->entry[dir];

			if (!w->q->removal->going[dir] || !stat_results_here(w->q->looks, at) || w->stamp[entry] == w->stamps)
				continue;
			w->stamp[entry] = w->stamps;
			if (w->leaning[entry] == 0)
				vec_push(&w->users, ((struct redundant_answers_user){ entry, 0 }));
			w->leaning[entry] += c->files;
		}
	}
	for (size_t i = 0; i < w->users.n; i++) {
		w->users.v[i].files = w->leaning[w->users.v[i].entry];
		w->leaning[w->users.v[i].entry] = 0;
	}
	if (w->users.n > 1)
		qsort(w->users.v, w->users.n, sizeof(*w->users.v), redundant_answers_cmp);
}

/* In redundant_entry.pair while searching: more than one. */
#define REDUNDANT_ANSWERS_PAIRS (DIRTREE_NONE - 1)

/* Find pairs: a directory that stays only because a single other one goes. */
static void
redundant_answers_pairs(struct redundant_answers_work *w)
{

	for (size_t i = 0; i < w->q->n; i++) {
		const struct redundant_answers_entry *e = &w->q->v[i];
		uint32_t *pair;

		if (e->state != TREE_LEANED_ON)
			continue;
		redundant_answers_list(w, e->dir);
		redundant_answers_lean(w);
		if (w->users.n != 1)
			continue;
		pair = &w->q->v[w->users.v[0].entry].pair;
		*pair = *pair == DIRTREE_NONE ? e->dir : REDUNDANT_ANSWERS_PAIRS;
	}
	for (size_t i = 0; i < w->q->n; i++) {
		if (w->q->v[i].pair == REDUNDANT_ANSWERS_PAIRS)
			w->q->v[i].pair = DIRTREE_NONE;
	}
}

/* The path of a directory, for the answer in hand. */
static const char *
redundant_answers_path(struct redundant_answers_work *w, uint32_t dir)
{
	struct buf path = { 0 };
	const char *text;

	dirtree_path(w->m->dirs, dir, &path);
	text = arena_str(&w->texts, buf_str(&path));
	buf_release(&path);
	return text;
}

static void
redundant_answers_add_gaps(struct redundant_answers_work *w, const struct redundant_answers_entry *e, stat_results_gap_fn *gap, void *arg, struct gaps *gaps)
{
	const uint32_t end = dirtree_end(w->m->dirs, e->dir);

	for (size_t i = stat_results_gap_at(w->q->looks, e->dir); i < w->q->looks->gaps.n && w->q->looks->gaps.v[i].dir < end; i++) {
		const struct stat_results_gap *g = &w->q->looks->gaps.v[i];

		gaps_count(gaps, g->gap, g->is_dir);
		if (gap != NULL)
			gap(arg, g);
	}
}

/* Whether only copies that can't be looked at would let a content go with an entry. */
static bool
redundant_answers_is_open(const struct redundant_answers_entry *e, const struct removal_content *c)
{
	return c->alone || (c->spare && e->state == TREE_UNPROVEN);
}

/* Deliver the answer for an entry. */
static int
redundant_answers_deliver(struct redundant_answers_work *w, const struct redundant_answers_entry *e, redundant_answers_fn *fn,
                          stat_results_gap_fn *gap, void *arg, struct tree_totals *totals)
{
	const struct dir_sum *sum = &w->q->sums[e->dir];
	struct tree_answer a = { .state = e->state, .files = (int64_t)sum->files, .bytes = (int64_t)sum->bytes, .frees = (int64_t)sum->frees,
	                         .mounted = w->q->mounted[e->dir] };

	arena_clear(&w->texts);
	w->places.n = 0;
	redundant_answers_list(w, e->dir);
	w->kept.n = 0;
	for (size_t i = 0; i < w->contents.n; i++) {
		const struct removal_content *c = &w->contents.v[i];

		if (!redundant_answers_is_open(e, c))
			vec_push(&w->kept, *c);
		a.missing += e->state == TREE_LIVE && c->spare ? c->files : 0;
	}
	copy_locations_find(&w->cover, e->dir, &w->kept);
	for (uint32_t dir = e->dir; dir < dirtree_end(w->m->dirs, e->dir); dir++)
		a.mounts += w->q->mounted[dir];
	for (size_t i = 0; i < w->cover.found.n; i++) {
		const struct copy_locations_place *p = &w->cover.found.v[i];

		vec_push(&w->places, ((struct tree_place){ redundant_answers_path(w, p->place / 2), p->files, (p->place & 1) != 0 }));
	}
	a.n_places = w->places.n;
	if (e->state == TREE_LEANED_ON) {
		redundant_answers_lean(w);
		a.told = w->users.n > 0 && w->q->v[w->users.v[0].entry].pair == e->dir;
		for (size_t i = 0; i < w->users.n && i < REDUNDANT_ANSWERS_LEANING; i++)
			vec_push(&w->places, ((struct tree_place){ redundant_answers_path(w, w->q->v[w->users.v[i].entry].dir), w->users.v[i].files, false }));
		a.n_leaning = w->places.n - a.n_places;
	}
	a.path = redundant_answers_path(w, e->dir);
	a.pair = e->pair != DIRTREE_NONE ? redundant_answers_path(w, e->pair) : NULL;
	a.places = w->places.v;
	a.leaning = a.n_leaning > 0 ? w->places.v + a.n_places : NULL;
	redundant_answers_add_gaps(w, e, NULL, NULL, &a.gaps);
	redundant_answers_add_gaps(w, e, e->state == TREE_UNPROVEN ? gap : NULL, arg, &totals->gaps);
	/* The copies that would keep what is in hand, if they could be looked at. */
	for (size_t i = 0; i < w->contents.n; i++) {
		const struct removal_content *in = &w->contents.v[i];
		const struct contents_map_content *c = &w->m->v[in->content];

		if (!redundant_answers_is_open(e, in))
			continue;
		a.unseen += in->files;
		for (uint32_t name = c->first; name < c->first + c->n; name++) {
			if (removal_unseen(w->q->removal, in->content, name, e->dir))
				stat_results_tell_copy(w->q->looks, name, gap, arg, &totals->gaps);
		}
	}
	a.elsewhere = w->cover.elsewhere;
	a.outside = w->cover.outside;
	totals->unseen += a.unseen;
	return fn(arg, &a);
}

/* Count what goes and what does not. */
static void
redundant_answers_count(const struct redundant_answers_work *w, struct tree_totals *t)
{
	for (size_t i = 0; i < w->q->n; i++) {
		const struct redundant_answers_entry *e = &w->q->v[i];

		t->leaned_on += e->state == TREE_LEANED_ON;
		t->unproven += e->state == TREE_UNPROVEN;
		t->live += e->state == TREE_LIVE;
		if (e->state != TREE_REDUNDANT)
			continue;
		t->dirs++;
		t->files += (int64_t)w->q->sums[e->dir].files;
		t->bytes += (int64_t)w->q->sums[e->dir].bytes;
	}
	t->frees = (int64_t)dir_sums_frees(w->m, w->q->looks, w->q->removal->going);
}

int
redundant_answers_each(const struct redundant_answers *q, redundant_answers_fn *fn, stat_results_gap_fn *gap, void *arg,
                       struct tree_totals *totals, struct err *err)
{
	const struct dirtree *t = q->removal->m->dirs;
	struct redundant_answers_work w = {
		.q = q, .m = q->removal->m, .entry = mem_zalloc(dirtree_count(t), sizeof(*w.entry)),
		.leaning = mem_zalloc(q->n + 1, sizeof(*w.leaning)), .stamp = mem_zalloc(q->n + 1, sizeof(*w.stamp)),
		.cover = { .r = q->removal },
	};
	int ret = 0;

	for (size_t i = 0; i < q->n; i++) {
		const struct redundant_answers_entry *e = &q->v[i];

		for (uint32_t dir = e->dir; e->state == TREE_REDUNDANT && dir < dirtree_end(t, e->dir); dir++)
			w.entry[dir] = (uint32_t)i;
	}
	redundant_answers_count(&w, totals);
	redundant_answers_pairs(&w);
	for (size_t i = 0; ret == 0 && i < q->n; i++) {
		ret = redundant_answers_deliver(&w, &q->v[i], fn, gap, arg, totals);
		if (ret == 0)
			ret = stop_check(err);
	}
	free(w.entry);
	free(w.leaning);
	free(w.stamp);
	vec_release(&w.users);
	vec_release(&w.contents);
	vec_release(&w.kept);
	vec_release(&w.places);
	copy_locations_release(&w.cover);
	arena_release(&w.texts);
	return ret;
}
