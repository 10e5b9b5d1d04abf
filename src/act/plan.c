/* SPDX-License-Identifier: MIT */
/*
 * First all files at and below the paths that have a copy, or all that are marked; then, content
 * by content, all names that the index has of it, each looked at once: of these some are victims,
 * and the others may stay.  Where files are many, whose content has several names is taken for a
 * dup (query/choose); if it or its copies turn out to be missing, its state says why.
 *
 * Files of a whole (index/wholes) wait until all are listed.  If something in it stays, they stay;
 * else the choice is made for trial, because the copy that stays may lie in it, or may stay for no
 * better reason than the order of paths.  A whole that stays keeps its copies first, which may make
 * another one stay, and never lets one go: so those that must stay come first.
 *
 * struct plan_work  one call of plan_make; who stays is the choice of query/choose.
 *
 * Invariants: a victim is never a keeper of any group, no victim is a name of the inode of the
 * first keeper, and no other keeper is a name of the inode of a victim.  All of it runs in the
 * calling thread.
 */
#include "base/base.h"

#include "act/plan.h"

#include <unistd.h>

#include "act/left_alone.h"
#include "act/plan_wholes.h"
#include "index/index.h"
#include "index/mark.h"
#include "index/exclusive_extents.h"
#include "query/choose.h"
#include "query/mark_list.h"
#include "sys/attrs.h"
#include "sys/fs.h"

struct plan_work {
	struct plan *plan;
	struct index *ix;
	const struct plan_query *q;
	struct left_alone left;
	struct keep keep;              /* of q; copies: at least those marked keep */
	struct choose names;       /* the files that may become victims; names of a content */
	bool apart;                    /* files of wholes are as all others */
	struct plan_wholes wholes;
	bool sure;                     /* in a trial: only what stays whatever is chosen counts */
	struct err *err;               /* of plan_make */
	bool failed;                   /* it is set, by a callback that cannot say so */
	struct list_totals totals;
	VEC(const char *) alone;       /* files that were taken for dups, and have no copy there */
	size_t done;                   /* files that were decided */
};

static void
plan_tick(const struct plan_work *w, size_t done, size_t all)
{
	if (w->q->tick != NULL)
		w->q->tick(w->q->arg, (int64_t)done, (int64_t)all);
}

static void
plan_stays(struct plan_work *w, const char *path, enum plan_stay stay, const char *why)
{
	w->q->stay(w->q->arg, path, stay, why);
}

/* What was named, or else the root: left_alone_why looks from there on. */
static const char *
plan_base(const struct plan_work *w, const char *path)
{
	size_t len = strlen(path), number;
	const struct root *root;

	if (pathset_above(&w->names.named, path, &len, &number))
		return w->q->paths[number];
	root = roots_above(&w->names.view.roots, path);
	return root != NULL ? root->path : path;
}

/* Find the whole that a path lies in, or of a directory is.  Returns 1, 0 or -1. */
static int
plan_whole_of(struct plan_work *w, const char *path, bool dir, struct whole *whole)
{
	struct buf inside = { 0 };
	int ret;

	if (w->apart)
		return 0;
	if (dir) {
		buf_adds(&inside, path);
		buf_addc(&inside, '/');
	}
	ret = wholes_find(&w->wholes.wholes, plan_base(w, path), dir ? buf_str(&inside) : path, whole, w->err);
	buf_release(&inside);
	return ret;
}

/* Have the whole that a path lies in stay.  Returns 0 or -1. */
static int
plan_whole_stays(struct plan_work *w, const char *path, bool dir)
{
	struct whole whole;
	const int ret = plan_whole_of(w, path, dir, &whole);

	if (ret == 1)
		plan_wholes_stay(&w->wholes, &whole);
	return ret < 0 ? -1 : 0;
}

/* Tell that a file stays with its whole. */
static void
plan_stays_whole(struct plan_work *w, const char *path, const struct whole *whole)
{
	struct buf why = { 0 };

	plan_wholes_why(&w->wholes, &why, whole);
	w->plan->wholes |= whole->kind;
	plan_stays(w, path, PLAN_WHOLE, buf_str(&why));
	buf_release(&why);
}

static void
plan_choose_file(struct plan_work *w, const char *path, int64_t size, const uint8_t *hash)
{
	choose_add(&w->names, &(struct choose_item){ .path = path, .decision = MARK_DROP, .size = size, .hash = hash });
}

/* Note a file that has a copy, unless it is left alone. */
static int
plan_add(struct plan_work *w, const char *path, int64_t size, const uint8_t *hash)
{
	const char *base = plan_base(w, path), *alone;
	struct whole whole;
	int ret;

	if (keep_holds(w->q->keep, &w->ix->backups, path)) {
		plan_stays(w, path, PLAN_BACKUP, "in a backup");
		return plan_whole_stays(w, path, false);
	}
	ret = plan_whole_of(w, path, false, &whole);
	/* What is hidden in a whole is a part of it. */
	alone = left_alone_why(&w->left, base, ret == 1 ? whole.path : NULL, path);
	if (alone != NULL)
		plan_stays(w, path, w->left.read_only ? PLAN_READ_ONLY : PLAN_LEFT_ALONE, alone);
	if (ret == 1 && alone != NULL)
		plan_wholes_stay(&w->wholes, &whole);
	else if (alone != NULL)
		return ret < 0 ? -1 : 0;
	else if (ret == 1)
		plan_wholes_wait(&w->wholes, &whole, path, size, hash);
	else if (ret == 0)
		plan_choose_file(w, path, size, hash);
	return ret < 0 ? -1 : 0;
}

/* Tell that a file without a copy stays, unless it is counted as a gap. */
static void
plan_no_copy(struct plan_work *w, const struct file_answer *a)
{
	const char *why = keep_state_why(w->q->keep, a->state);
	size_t number;

	switch (a->state) {
	case STATE_UNIQUE:
	case STATE_LINKED:
	case STATE_EMPTY:
		plan_stays(w, a->path, PLAN_STAYS, a->state == STATE_LINKED ? "linked: all its names are one copy" : why);
		break;
	default:
		/*
		 * Below a directory these are counted as gaps; files that are gone are not worth a
		 * line.
		 */
		if (pathset_find(&w->names.named, a->path, strlen(a->path), &number))
			plan_stays(w, a->path, PLAN_UNSURE, a->why != NULL ? a->why : why);
	}
}

/* list_fn */
static int
plan_list_file(void *arg, const struct file_answer *a)
{
	struct plan_work *w = arg;

	plan_tick(w, w->names.files.n, 0);
	if (keep_holds(w->q->keep, &w->ix->backups, a->path))
		plan_stays(w, a->path, PLAN_BACKUP, "in a backup");
	else if (choose_may_go(a) && a->mark != MARK_KEEP)
		return plan_add(w, a->path, a->size, a->hash);
	/* A dup with a reason can't be looked at now. */
	else if (a->state == STATE_DUP && a->why != NULL)
		plan_stays(w, a->path, PLAN_UNSURE, a->why);
	else if (!choose_may_go(a))
		plan_no_copy(w, a);
	else
		plan_stays(w, a->path, PLAN_STAYS, "marked keep");
	/* Nothing is lost with an empty file, or one that is gone. */
	return a->state == STATE_EMPTY || a->state == STATE_GONE ? 0 : plan_whole_stays(w, a->path, false);
}

/* list_fn: of a file that was alone. */
static int
plan_list_alone(void *arg, const struct file_answer *a)
{
	struct plan_work *w = arg;

	if (a->state == STATE_DUP)
		plan_stays(w, a->path, PLAN_UNSURE, a->why != NULL ? a->why : "its copy was not there just before");
	else
		plan_no_copy(w, a);
	return 0;
}

/* list_gap_fn */
static void
plan_list_gap(void *arg, const char *path, enum gap gap, bool dir, const char *why)
{
	struct plan_work *w = arg;

	if (w->q->gap != NULL)
		w->q->gap(w->q->arg, path, gap, dir, why);
	w->failed |= !w->failed && gap_matters(gap) && gap != GAP_GONE && plan_whole_stays(w, path, dir) < 0;
}

/* mark_list_fn */
static int
plan_list_mark(void *arg, const struct mark_answer *m)
{
	struct plan_work *w = arg;
	const char *why = m->why != NULL ? m->why : mark_state_name(m->state);

	plan_tick(w, w->names.files.n, 0);
	if (m->state == MARK_EFFECTIVE && m->hash != NULL && m->size > 0)
		return plan_add(w, m->path, m->size, m->hash);
	plan_stays(w, m->path, m->state == MARK_LAST ? PLAN_STAYS : PLAN_UNSURE, m->state == MARK_LAST ? "the last copy" : why);
	return 0;
}

static int
plan_list(struct plan_work *w, struct err *err)
{
	const struct plan_query *q = w->q;
	const struct keep *keep = q->keep;
	const char *const all[] = { "/" };
	struct mark_totals marks;
	int ret;

	if (q->marked) {
		/* What backups are for is decided here. */
		const struct keep any = { .backups_count = true, .from_backup = all, .n_from_backup = 1 };
		const struct mark_list_query m = { .paths = q->n_paths > 0 ? q->paths : all, .n_paths = q->n_paths > 0 ? q->n_paths : 1,
		                                   .only = MARK_DROP, .keep = &any };

		return mark_list_each(w->ix, &m, plan_list_mark, w, &marks, err);
	}
	ret = choose_list(&w->names, q->paths, q->n_paths, plan_list_file, plan_list_gap, w, &w->totals, err);
	/* A file without a copy there may have one among the files that the index does not know. */
	if (ret == 0 && keep->n_in > 0 && w->totals.n[STATE_UNIQUE] + w->totals.n[STATE_UNKNOWN] > 0)
		ret = list_count_gaps(w->ix, keep->in, keep->n_in, plan_list_gap, w, &w->totals.gaps, err);
	return ret == 0 && w->failed ? -1 : ret;
}

/* Copy a name for the plan, which outlives the content in hand. */
static struct act_file
plan_copy(struct plan_work *w, const struct keep_name *n)
{
	const struct choose_name *e = (const struct choose_name *)n;
	struct act_file f = { .path = arena_str(&w->plan->memory, n->facts.path), .row = e->row, .trust_mtime = e->trust_mtime };

	f.row.name = path_base(f.path);
	return f;
}

static int
plan_cmp_victim(const void *a, const void *b)
{
	return strcmp(((const struct act_victim *)a)->file.path, ((const struct act_victim *)b)->file.path);
}

/* Make the group of the content in hand. */
static void
plan_add_group(struct plan_work *w, size_t n_victims)
{
	struct keep_name *const *v = w->names.order.v;
	const size_t n = w->names.order.n;
	struct act_victim *victims = arena_alloc(&w->plan->memory, n_victims * sizeof(*victims));
	struct act_file *keepers = arena_alloc(&w->plan->memory, (n - n_victims) * sizeof(*keepers));
	struct act_group g = { .victims = victims, .keepers = keepers };

	for (size_t i = 0; i < n; i++) {
		if (v[i]->fate == KEEP_GOES)
			victims[g.n++] = (struct act_victim){ .file = plan_copy(w, v[i]), .order = i };
		else if (v[i]->chosen && v[i]->standing == KEEP_COUNTS)
			keepers[g.n_keepers++] = plan_copy(w, v[i]);
	}
	assert(g.n_keepers > 0);
	/* The others are spare keepers, unless a victim is a name of their inode. */
	for (size_t i = 0; i < n; i++) {
		if (v[i]->fate != KEEP_GOES && !v[i]->chosen && !v[i]->shared && v[i]->standing == KEEP_COUNTS)
			keepers[g.n_keepers++] = plan_copy(w, v[i]);
	}
	assert(g.n == n_victims && g.n > 0);
	qsort(victims, g.n, sizeof(*victims), plan_cmp_victim);
	vec_push(&w->plan->groups, g);
}

/* Tell why a name stays that was asked to go.  Returns whether it does stay. */
static bool
plan_tell_stay(struct plan_work *w, const struct choose_name *e)
{
	const struct choose *k = &w->names;
	const char *why = e->asked ? keep_why(&w->keep, &e->name, k->n_stay) : NULL;

	/* It may not be the last: a copy is offline or unreadable. */
	if (why != NULL && e->name.fate == KEEP_CHOSEN && k->n_stay <= 1 && k->unseen)
		plan_stays(w, e->name.facts.path, PLAN_UNSURE, "the last copy that is not offline or unreadable");
	else if (why != NULL)
		plan_stays(w, e->name.facts.path, PLAN_STAYS, why);
	return why != NULL;
}

/* Let names in wholes that stay be the first copies to stay.  Returns 0 or -1. */
static int
plan_pin_wholes(struct plan_work *w)
{
	struct choose *k = &w->names;
	struct whole whole;

	for (size_t i = 0; !w->apart && i < k->entries.n; i++) {
		struct keep_name *name = &k->entries.v[i].name;
		const int ret = name->inside ? plan_whole_of(w, name->facts.path, false, &whole) : 0;

		if (ret < 0)
			return -1;
		if (ret == 1 && plan_wholes_stays(&w->wholes, &whole) && keep_may_ask(name))
			name->wish = KEEP_PINNED;
	}
	return 0;
}

/* Ask for the n files of the content in hand to go, and choose. */
static int
plan_choose(struct plan_work *w, const struct choose_file *v, size_t n)
{
	if (plan_pin_wholes(w) < 0)
		return -1;
	w->keep.copies = w->q->keep->copies;
	if (w->q->marked) {
		const int64_t promised = choose_promised(&w->names, v[0].m.size, v[0].m.hash);

		w->keep.copies = promised > w->keep.copies ? promised : w->keep.copies;
	}
	for (size_t i = 0; i < n; i++) {
		struct choose_name *e = choose_find(&w->names, v[i].m.path);

		if (e != NULL)
			choose_ask(e);
	}
	choose_fates(&w->names);
	return 0;
}

/* Whether a name of the content in hand stays whichever others do. */
static bool
plan_stays_surely(const struct plan_work *w, const struct choose_name *e)
{
	bool counts = false;

	if (e == NULL || (e->name.fate != KEEP_CHOSEN && e->name.fate != KEEP_LINK))
		return true;
	for (size_t i = 0; i < w->names.entries.n; i++) {
		const struct keep_name *other = &w->names.entries.v[i].name;

		counts |= other->standing == KEEP_COUNTS && !inode_same(other->inode, e->name.inode);
	}
	return !counts;
}

/*
 * Whether nothing but the order tells a name from its copies: it goes, and none of the others that
 * stay has a better reason to; or it stays, and has no better reason than one that goes.
 */
static bool
plan_is_equal(const struct plan_work *w, const struct choose_name *e)
{
	const bool goes = e->name.fate == KEEP_GOES;

	for (size_t i = 0; i < w->names.entries.n; i++) {
		const struct keep_name *other = &w->names.entries.v[i].name;

		if (other->standing != KEEP_COUNTS || (other->fate == KEEP_GOES) == goes)
			continue;
		if (goes ? keep_has_reason(&w->keep, other, &e->name) : keep_has_reason(&w->keep, &e->name, other))
			return false;
	}
	return true;
}

/*
 * choose_fn: for trial; have the wholes stay of which a file does, or has copies in no better
 * place.  Why one stays is told unless only the order of its copies has chosen it.
 */
static int
plan_content_trial(void *arg, struct choose_file *v, size_t n, struct err *err)
{
	struct plan_work *w = arg;
	struct whole whole;
	bool chosen = false;

	(void)err;
	for (size_t i = 0; i < n; i++) {
		const int ret = plan_whole_of(w, v[i].m.path, false, &whole);
		const struct choose_name *e;
		bool goes, equal;

		if (ret < 0 || (ret == 1 && !chosen && plan_choose(w, v, n) < 0))
			return -1;
		chosen |= ret == 1;
		if (ret == 0 || plan_wholes_stays(&w->wholes, &whole))
			continue;
		e = choose_find(&w->names, v[i].m.path);
		goes = e != NULL && e->name.fate == KEEP_GOES;
		equal = !w->sure && e != NULL && plan_is_equal(w, e);
		if (w->sure ? goes || !plan_stays_surely(w, e) : goes && !equal)
			continue;
		plan_wholes_fail(&w->wholes, &whole, equal);
		v[i].already = !equal && e != NULL && !(w->names.many && choose_are_one(&w->names)) && plan_tell_stay(w, e);
	}
	return 0;
}

/* Once all files are listed: which wholes stay, with all their files. */
static int
plan_settle_wholes(struct plan_work *w, struct err *err)
{
	struct plan_wholes *p = &w->wholes;
	bool try = false;
	int ret = 0;

	for (size_t i = 0; i < p->waiting.n; i++) {
		const struct plan_wholes_file *f = &p->waiting.v[i];

		if (plan_wholes_stays(p, &f->whole))
			plan_stays_whole(w, f->path, &f->whole);
		else {
			plan_choose_file(w, f->path, f->size, f->hash);
			try = true;
		}
	}
	/* Until a trial finds none that stays besides. */
	w->sure = true;
	while (ret == 0 && try) {
		ret = choose_each(&w->names, plan_content_trial, w, err);
		try = plan_wholes_end_trial(p) || w->sure;
		w->sure = false;
	}
	return ret;
}

/* Tell what becomes of a file that is there no more, or must not go, unless that was told. */
static int
plan_content_file(struct plan_work *w, const struct choose_file *f)
{
	const char *path = f->m.path;
	const struct choose_name *e = choose_find(&w->names, path);
	struct whole whole;
	const int ret = plan_whole_of(w, path, false, &whole);

	if (f->already || ret < 0)
		return ret < 0 ? -1 : 0;
	if (e == NULL && w->names.many)
		vec_push(&w->alone, path);
	else if (e == NULL)
		plan_stays(w, path, PLAN_UNSURE, "it is not there, or has changed");
	else if (ret == 1 && plan_wholes_stays(&w->wholes, &whole))
		plan_stays_whole(w, path, &whole);
	else if (!keep_may_ask(&e->name))
		plan_stays(w, path, PLAN_STAYS, keep_why(w->q->keep, &e->name, 0));
	return 0;
}

/* choose_fn: decide about n files of one content. */
static int
plan_content(void *arg, struct choose_file *v, size_t n, struct err *err)
{
	struct plan_work *w = arg;
	const struct choose *k = &w->names;
	size_t n_victims = 0;

	(void)err;
	plan_tick(w, w->done, w->names.files.n);
	w->done += n;
	if (w->names.many && choose_are_one(&w->names)) {
		for (size_t i = 0; i < n; i++)
			vec_push(&w->alone, v[i].m.path);
		return 0;
	}
	if (plan_choose(w, v, n) < 0)
		return -1;
	for (size_t i = 0; i < n; i++) {
		if (plan_content_file(w, &v[i]) < 0)
			return -1;
	}
	for (size_t i = 0; i < k->entries.n; i++) {
		plan_tell_stay(w, &k->entries.v[i]);
		n_victims += k->entries.v[i].name.fate == KEEP_GOES;
	}
	if (n_victims > 0)
		plan_add_group(w, n_victims);
	return 0;
}

/* Move the victims on a volume to the front, in their order.  Returns their number. */
static size_t
plan_link_front(struct act_group *g, int64_t volume, struct act_victim *room)
{
	size_t n = 0, others = 0;

	for (size_t i = 0; i < g->n; i++) {
		if (g->victims[i].file.row.inode.volume == volume)
			g->victims[n++] = g->victims[i];
		else
			room[others++] = g->victims[i];
	}
	if (others > 0)
		memcpy(g->victims + n, room, others * sizeof(*room));
	return n;
}

/* Move the keepers on a volume to the front of a copy of all.  Returns how many they are. */
static size_t
plan_link_keepers(struct plan *p, struct act_group *g, int64_t volume)
{
	struct act_file *all = arena_alloc(&p->memory, g->n_keepers * sizeof(*all));
	size_t n = 0, here;

	for (size_t i = 0; i < g->n_keepers; i++) {
		if (g->keepers[i].row.inode.volume == volume)
			all[n++] = g->keepers[i];
	}
	here = n;
	for (size_t i = 0; i < g->n_keepers; i++) {
		if (g->keepers[i].row.inode.volume != volume)
			all[n++] = g->keepers[i];
	}
	g->keepers = all;
	return here;
}

/*
 * Give the victims of a group, all of one volume, the best of them as their keeper, and those
 * that are names of its inode nothing to do.  Returns whether it could.
 */
static bool
plan_link_promote(struct plan_work *w, struct act_group *g)
{
	struct act_file *keeper = arena_alloc(&w->plan->memory, sizeof(*keeper));
	size_t n = 0, best = 0;

	for (size_t i = 1; i < g->n; i++)
		best = g->victims[i].order < g->victims[best].order ? i : best;
	*keeper = g->victims[best].file;
	for (size_t i = 0; i < g->n; i++)
		n += !inode_same(g->victims[i].file.row.inode, keeper->row.inode);
	if (n == 0)
		return false;
	n = 0;
	for (size_t i = 0; i < g->n; i++) {
		if (!inode_same(g->victims[i].file.row.inode, keeper->row.inode))
			g->victims[n++] = g->victims[i];
		else
			plan_stays(w, g->victims[i].file.path, PLAN_STAYS, "the copy that stays on its volume");
	}
	g->n = n;
	g->keepers = keeper;
	g->n_keepers = 1;
	return true;
}

/* Tell that victims have no copy on their volume, which hard links and reflinks cannot leave. */
static void
plan_link_drop(struct plan_work *w, struct act_group *g)
{
	struct buf why = { 0 };

	buf_addf(&why, "it is on another volume than '%s'", g->keepers[0].path);
	for (size_t i = 0; i < g->n; i++)
		plan_stays(w, g->victims[i].file.path, PLAN_STAYS, buf_str(&why));
	buf_release(&why);
	g->n = 0;
}

/*
 * Let victims have a keeper of their own volume first.  For hard links and reflinks, where their
 * volume has no keeper and several victims, the best victim becomes the keeper, and is told to
 * stay.  A victim that is alone on its volume keeps its keepers: the act finds out.  Where no act
 * follows (untried), such a link to another volume is told to stay instead, and is no victim any
 * more.
 */
static void
plan_link(struct plan_work *w)
{
	struct plan *p = w->plan;
	const size_t n = p->groups.n;
	size_t kept = 0;

	for (size_t i = 0; i < n; i++) {
		struct act_group rest = p->groups.v[i];
		struct act_victim *room = arena_alloc(&p->memory, rest.n * sizeof(*room));
		bool first = true;

		while (rest.n > 0) {
			const int64_t volume = rest.victims[0].file.row.inode.volume;
			const size_t here = plan_link_front(&rest, volume, room);
			struct act_group g = rest;

			g.n = here;
			if (plan_link_keepers(p, &g, volume) == 0 && w->q->kind != ACT_SOFT && !plan_link_promote(w, &g) && w->q->untried)
				plan_link_drop(w, &g);
			rest.victims += here;
			rest.n -= here;
			if (first)
				p->groups.v[i] = g;
			else
				vec_push(&p->groups, g);
			first = false;
		}
	}
	for (size_t i = 0; i < p->groups.n; i++) {
		if (p->groups.v[i].n > 0)
			p->groups.v[kept++] = p->groups.v[i];
	}
	p->groups.n = kept;
}

static int
plan_cmp_group(const void *a, const void *b)
{
	return strcmp(((const struct act_group *)a)->victims[0].file.path, ((const struct act_group *)b)->victims[0].file.path);
}

static void
plan_sort(struct plan *p)
{
	if (p->groups.n > 1)
		qsort(p->groups.v, p->groups.n, sizeof(*p->groups.v), plan_cmp_group);
}

int
plan_make(struct plan *p, struct index *ix, const struct plan_query *q, struct err *err)
{
	struct plan_work w = { .plan = p, .ix = ix, .q = q, .left = { .hidden = q->hidden }, .keep = *q->keep,
	                       .names = { .ix = ix, .keep = &w.keep, .untried = q->untried }, .err = err,
	                       .wholes = { .wholes = { .db = ix->db, .more = q->wholes, .n_more = q->n_wholes } } };
	const struct list_query alone = { .copies = { .any_copy = true }, .gap = plan_list_gap };
	int ret = choose_open(&w.names, q->paths, q->n_paths, err);

	assert(q->n_paths > 0 || q->marked);
	/* After these acts both names have the content; a symbolic link depends on its target. */
	w.keep.linking = q->kind == ACT_HARD || q->kind == ACT_REFLINK;
	w.apart = q->inside || q->marked || w.keep.linking;
	if (ret == 0)
		ret = plan_list(&w, err);
	if (ret == 0 && q->marked)
		ret = marks_load(&w.names.marks, err);
	if (ret == 0)
		ret = plan_settle_wholes(&w, err);
	if (ret == 0)
		ret = choose_each(&w.names, plan_content, &w, err);
	if (ret == 0 && w.alone.n > 0)
		ret = list_each(ix, w.alone.v, w.alone.n, &alone, plan_list_alone, &w, &w.totals, err);
	p->gaps = w.totals.gaps;
	plan_sort(p);
	if (ret == 0 && w.keep.linking) {
		plan_link(&w);
		plan_sort(p);
	}
	left_alone_release(&w.left);
	vec_release(&w.alone);
	plan_wholes_release(&w.wholes);
	choose_release(&w.names);
	return ret;
}

void
plan_release(struct plan *p)
{
	vec_release(&p->groups);
	arena_release(&p->memory);
}

void
plan_drop_skipped(struct plan *p)
{
	size_t n = 0;

	for (size_t i = 0; i < p->groups.n; i++) {
		struct act_group g = p->groups.v[i];
		size_t left = 0;

		for (size_t j = 0; j < g.n; j++) {
			if (!g.victims[j].skip)
				g.victims[left++] = g.victims[j];
		}
		g.n = left;
		if (left > 0)
			p->groups.v[n++] = g;
	}
	p->groups.n = n;
}

/* How many names of the inode of a group's i-th victim go with it; *first: it is the first. */
static int64_t
plan_names(const struct act_group *g, size_t i, bool *first)
{
	const struct file_row *row = &g->victims[i].file.row;
	int64_t names = 1;

	*first = true;
	for (size_t j = 0; row->nlink > 1 && j < g->n; j++) {
		if (j != i && inode_same(g->victims[j].file.row.inode, row->inode)) {
			names++;
			*first &= j > i;
		}
	}
	return names;
}

int64_t
plan_frees_victim(const struct act_group *g, size_t i, struct exclusive_extents *own)
{
	const struct act_file *f = &g->victims[i].file;
	bool first;

	if (plan_names(g, i, &first) < f->row.nlink || !first)
		return 0;
	return num_mul(exclusive_extents_at(own, (uint64_t)f->row.inode.volume, f->path, f->row.blocks), 512);
}

int64_t
plan_frees(const struct act_group *g, struct exclusive_extents *own)
{
	int64_t sum = 0;

	for (size_t i = 0; i < g->n; i++)
		sum = num_add(sum, plan_frees_victim(g, i, own));
	return sum;
}

struct plan_loss
plan_loss(const struct plan *p, enum act_kind kind)
{
	const bool goes = kind == ACT_REMOVE, becomes = kind == ACT_HARD || kind == ACT_SOFT;
	struct plan_loss loss = { .links = 0 };
	bool first;

	for (size_t i = 0; (goes || becomes) && i < p->groups.n; i++) {
		const struct act_group *g = &p->groups.v[i];

		for (size_t j = 0; j < g->n; j++) {
			const struct act_file *f = &g->victims[j].file;

			loss.attributes += attrs_has_more(f->path, g->keepers[0].path);
			loss.links += f->row.nlink > 1 && (becomes || plan_names(g, j, &first) < f->row.nlink);
		}
	}
	return loss;
}
