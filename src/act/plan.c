/* SPDX-License-Identifier: MIT */
/*
 * First all files at and below the paths that have a copy, or all that are marked; then, content
 * by content, all names that the index has of it, each looked at once: of these some are victims,
 * and the others may stay.
 *
 * struct plan_file a file that may become a victim struct plan_name a name of the content in hand
 * that is there with its signature
 *
 * Invariants: a victim is never a keeper of any group, no victim is a name of the inode of the
 * first keeper, and no other keeper is a name of the inode of a victim.  All of it runs in the
 * calling thread.
 */
#include <config.h>

#include "act/plan.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "act/guard.h"
#include "base/err.h"
#include "base/order.h"
#include "base/path.h"
#include "base/pathset.h"
#include "index/index.h"
#include "index/mark.h"
#include "index/names.h"
#include "index/presence.h"
#include "query/mark_list.h"
#include "sys/stop.h"

struct plan_file {
	const char *path;       /* in plan.memory */
	int64_t size;
	uint8_t hash[HASH_SIZE];
};

/* What makes a name worse as the copy that stays; an enum of flags, the worst is the highest. */
enum plan_rank {
	PLAN_INSIDE = 1,        /* it is at or below the paths */
	PLAN_HIDDEN = 2,        /* it is hidden, or in a hidden directory of its root */
	PLAN_DROP = 4,          /* it is marked to be dropped */
	PLAN_SHARED = 8,        /* its inode has a name that is a victim */
	PLAN_TRASH = 16         /* it lies in a trash, which may be emptied any time */
};

struct plan_name {
	struct act_file file;   /* its strings are in plan.memory */
	bool victim;
	int rank;               /* enum plan_rank */
};

struct plan_work {
	struct plan *plan;
	struct index *ix;
	const struct plan_query *q;
	struct pathset operands;
	struct guard guard;
	struct presence_view view;
	VEC(struct plan_file) files;
	VEC(struct plan_name) names;   /* of the content in hand, in order of path */
	VEC(struct plan_name *) by_inode;
	bool unseen;                   /* a name of it is offline or unreadable */
};

static void
plan_stays(struct plan_work *w, const char *path, enum plan_stay stay, const char *why)
{
	w->q->stay(w->q->arg, path, stay, why);
}

static bool
plan_is_operand(const struct plan_work *w, const char *path)
{
	size_t number;

	return pathset_find(&w->operands, path, strlen(path), &number);
}

/* What was named, or else the root: from there on guard.h looks. */
static const char *
plan_base(const struct plan_work *w, const char *path)
{
	size_t len = strlen(path), number;
	const struct root *root;

	if (pathset_above(&w->operands, path, &len, &number))
		return w->q->paths[number];
	root = roots_above(&w->view.roots, path);
	return root != NULL ? root->path : path;
}

/* Note a file that has a copy, unless it is left alone. */
static void
plan_add(struct plan_work *w, const char *path, int64_t size, const uint8_t *hash)
{
	const char *alone = guard_why(&w->guard, plan_base(w, path), path);
	struct plan_file *f;

	if (alone != NULL) {
		plan_stays(w, path, PLAN_LEFT_ALONE, alone);
		return;
	}
	f = vec_add(&w->files);
	*f = (struct plan_file){ .path = arena_str(&w->plan->memory, path), .size = size };
	memcpy(f->hash, hash, HASH_SIZE);
}

/* Say that a file that has no copy stays; below a directory only what nobody else counts. */
static void
plan_no_copy(struct plan_work *w, const struct file_answer *a)
{
	const char *why = state_name(a->state);

	switch (a->state) {
	case STATE_UNIQUE:
	case STATE_LINKED:
	case STATE_EMPTY:
		plan_stays(w, a->path, PLAN_STAYS, a->state == STATE_LINKED ? "linked: all its names are one copy" : why);
		break;
	default:
		/* Below a directory these are counted as gaps, and what is gone needs no word. */
		if (plan_is_operand(w, a->path))
			plan_stays(w, a->path, PLAN_UNSURE, a->why != NULL ? a->why : why);
	}
}

/* list_fn */
static int
plan_list_file(void *arg, const struct file_answer *a)
{
	struct plan_work *w = arg;

	/* A dup with a reason is one that can't be looked at now. */
	if (a->state == STATE_DUP && a->why != NULL)
		plan_stays(w, a->path, PLAN_UNSURE, a->why);
	else if (a->state != STATE_DUP || a->hash == NULL)
		plan_no_copy(w, a);
	else if (a->mark == MARK_KEEP)
		plan_stays(w, a->path, PLAN_STAYS, "marked keep");
	else
		plan_add(w, a->path, a->size, a->hash);
	return 0;
}

/* list_gap_fn */
static void
plan_list_gap(void *arg, const char *path, enum gap gap, bool dir, const char *why)
{
	struct plan_work *w = arg;

	if (w->q->gap != NULL)
		w->q->gap(w->q->arg, path, gap, dir, why);
}

/* mark_list_fn */
static int
plan_list_mark(void *arg, const struct mark_answer *m)
{
	struct plan_work *w = arg;
	const char *why = m->why != NULL ? m->why : mark_state_name(m->state);

	if (m->state == MARK_EFFECTIVE && m->hash != NULL && m->size > 0)
		plan_add(w, m->path, m->size, m->hash);
	else
		plan_stays(w, m->path, m->state == MARK_LAST ? PLAN_STAYS : PLAN_UNSURE, m->state == MARK_LAST ? "the last copy" : why);
	return 0;
}

static int
plan_list(struct plan_work *w, struct err *err)
{
	const struct plan_query *q = w->q;
	const struct list_query list = { .depth = 0, .gap = plan_list_gap };
	const char *const all[] = { "/" };
	struct list_totals totals;
	struct mark_totals marks;
	int ret;

	if (q->marked) {
		const struct mark_list_query m = { .paths = q->n_paths > 0 ? q->paths : all, .n_paths = q->n_paths > 0 ? q->n_paths : 1,
		                                   .only = MARK_DROP };

		return mark_list_each(w->ix, &m, plan_list_mark, w, &marks, err);
	}
	memset(&totals, 0, sizeof(totals));
	ret = list_each(w->ix, q->paths, q->n_paths, &list, plan_list_file, w, &totals, err);
	w->plan->gaps = totals.gaps;
	return ret;
}

/* By content, then by path. */
static int
plan_cmp_file(const void *a, const void *b)
{
	const struct plan_file *x = a, *y = b;
	int cmp;

	ORDER_CMP(x->size, y->size);
	cmp = memcmp(x->hash, y->hash, HASH_SIZE);
	return cmp != 0 ? cmp : strcmp(x->path, y->path);
}

static int
plan_cmp_name(const void *a, const void *b)
{
	return strcmp(((const struct plan_name *)a)->file.path, ((const struct plan_name *)b)->file.path);
}

/* Whether a path leads into a trash of freedesktop.org's specification. */
static bool
plan_in_trash(const char *path)
{
	return strstr(path, "/.Trash/") != NULL || strstr(path, "/.Trash-") != NULL || strstr(path, "/Trash/files/") != NULL;
}

/*
 * What is against a name as the copy that stays, before there are victims.  Returns flags, or -1
 * with *err.
 */
static int
plan_rank(struct plan_work *w, const struct root *root, const char *path, struct err *err)
{
	const char *rest = root != NULL ? path_below(path, root->path) : path;
	size_t len = strlen(path), number;
	struct mark m;
	int rank = pathset_above(&w->operands, path, &len, &number) ? PLAN_INSIDE : 0;
	const int marked = w->ix->marks ? mark_get(w->ix, path, &m, err) : 0;

	if (marked < 0)
		return -1;
	if (rest != NULL && (rest[0] == '.' || strstr(rest, "/.") != NULL))
		rank |= PLAN_HIDDEN;
	if (plan_in_trash(path))
		rank |= PLAN_TRASH;
	return marked == 1 && m.decision == MARK_DROP ? rank | PLAN_DROP : rank;
}

/* Note a name of the content if it is there with its signature. */
static int
plan_load_name(struct plan_work *w, const struct file_row *row, struct err *err)
{
	struct plan_name *n;
	enum presence presence;
	const struct root *root;
	const char *path;
	int rank;

	if (presence_row(&w->view, row, &presence, &path, err) < 0)
		return -1;
	w->unseen |= presence == PRESENCE_OFFLINE || presence == PRESENCE_UNREADABLE;
	if (presence != PRESENCE_HERE)
		return 0;
	root = roots_of_file(&w->view.roots, path);
	rank = plan_rank(w, root, path, err);
	if (rank < 0)
		return -1;
	n = vec_add(&w->names);
	*n = (struct plan_name){ .rank = rank, .file = { .path = arena_str(&w->plan->memory, path), .row = *row,
	                                   .trust_mtime = root != NULL && root->rules.trust_mtime } };
	n->file.row.name = path_base(n->file.path);
	return 0;
}

static int
plan_load_names(struct plan_work *w, const struct plan_file *content, struct err *err)
{
	struct names names = names_of_content(w->ix->db, content->size, content->hash, err);
	struct file_row row;
	int ret;

	w->names.n = 0;
	w->unseen = false;
	while ((ret = names_next(&names, &row)) == 1) {
		if (plan_load_name(w, &row, err) < 0 || stop_check(err) < 0) {
			names_end(&names);
			return -1;
		}
	}
	if (w->names.n > 1)
		qsort(w->names.v, w->names.n, sizeof(*w->names.v), plan_cmp_name);
	return ret;
}

static struct plan_name *
plan_find_name(struct plan_work *w, const char *path)
{
	size_t at;

	ORDER_FIRST(at, w->names.n, strcmp(w->names.v[at].file.path, path) < 0);
	return at < w->names.n && strcmp(w->names.v[at].file.path, path) == 0 ? &w->names.v[at] : NULL;
}

static int
plan_cmp_inode(const void *a, const void *b)
{
	return inode_cmp((*(struct plan_name *const *)a)->file.row.inode, (*(struct plan_name *const *)b)->file.row.inode);
}

/* Note of each name whether its inode has a victim. */
static void
plan_find_shared(struct plan_work *w)
{
	w->by_inode.n = 0;
	for (size_t i = 0; i < w->names.n; i++)
		vec_push(&w->by_inode, &w->names.v[i]);
	if (w->names.n > 1)
		qsort(w->by_inode.v, w->by_inode.n, sizeof(*w->by_inode.v), plan_cmp_inode);
	for (size_t begin = 0, end; begin < w->by_inode.n; begin = end) {
		bool victim = false;

		for (end = begin; end < w->by_inode.n && plan_cmp_inode(&w->by_inode.v[begin], &w->by_inode.v[end]) == 0; end++)
			victim |= w->by_inode.v[end]->victim;
		for (size_t i = begin; victim && i < end; i++)
			w->by_inode.v[i]->rank |= PLAN_SHARED;
	}
}

/* The name that stays: the first of the best; or NULL. */
static struct plan_name *
plan_keeper(struct plan_work *w)
{
	struct plan_name *best = NULL;

	plan_find_shared(w);
	for (size_t i = 0; i < w->names.n; i++) {
		struct plan_name *n = &w->names.v[i];

		if (!n->victim && (n->rank & PLAN_TRASH) == 0 && (best == NULL || n->rank < best->rank))
			best = n;
	}
	return best;
}

/* Make the group of the content in hand. */
static void
plan_add_group(struct plan_work *w, const struct plan_name *keeper, size_t n_victims)
{
	struct act_victim *victims = arena_alloc(&w->plan->memory, n_victims * sizeof(*victims));
	struct act_file *keepers = arena_alloc(&w->plan->memory, (w->names.n - n_victims) * sizeof(*keepers));
	struct act_group g = { .victims = victims, .keepers = keepers };

	keepers[g.n_keepers++] = keeper->file;
	/* Another one takes its place if it does not hold; of an inode with victims none does. */
	for (size_t i = 0; i < w->names.n; i++) {
		const struct plan_name *n = &w->names.v[i];

		if (n->victim)
			victims[g.n++] = (struct act_victim){ .file = n->file };
		else if (n != keeper && (n->rank & (PLAN_SHARED | PLAN_TRASH)) == 0)
			keepers[g.n_keepers++] = n->file;
	}
	assert(g.n == n_victims && g.n > 0);
	vec_push(&w->plan->groups, g);
}

/* Say that the last copy stays, which is not certain to be the last. */
static void
plan_last_copy(struct plan_work *w, const char *path)
{
	if (w->unseen)
		plan_stays(w, path, PLAN_UNSURE, "the last copy, but for one that is offline or unreadable");
	else
		plan_stays(w, path, PLAN_STAYS, "the last copy");
}

/* Decide about the files begin to end of one content. */
static int
plan_content(struct plan_work *w, size_t begin, size_t end, struct err *err)
{
	struct plan_name *keeper, *last = NULL;
	size_t n = 0;

	if (plan_load_names(w, &w->files.v[begin], err) < 0)
		return -1;
	for (size_t i = begin; i < end; i++) {
		struct plan_name *name = plan_find_name(w, w->files.v[i].path);

		if (name == NULL)
			plan_stays(w, w->files.v[i].path, PLAN_UNSURE, "it is not there, or has changed");
		else {
			name->victim = true;
			if (last == NULL || (name->rank & PLAN_TRASH) == 0)
				last = name;
		}
	}
	keeper = plan_keeper(w);
	if (keeper == NULL && last != NULL) {
		last->victim = false;
		plan_last_copy(w, last->file.path);
		keeper = plan_keeper(w);
	}
	for (size_t i = 0; i < w->names.n; i++) {
		struct plan_name *v = &w->names.v[i];

		if (v->victim && keeper == NULL) {
			v->victim = false;
			plan_stays(w, v->file.path, PLAN_STAYS, "its copies are in a trash");
		} else if (v->victim && inode_same(v->file.row.inode, keeper->file.row.inode)) {
			v->victim = false;
			plan_stays(w, v->file.path, PLAN_STAYS, "another name of the copy that stays: nothing would be freed");
		}
		n += v->victim;
	}
	if (n > 0)
		plan_add_group(w, keeper, n);
	return 0;
}

static int
plan_contents(struct plan_work *w, struct err *err)
{
	int ret = 0;

	if (w->files.n > 1)
		qsort(w->files.v, w->files.n, sizeof(*w->files.v), plan_cmp_file);
	for (size_t begin = 0, end; ret == 0 && begin < w->files.n; begin = end) {
		const struct plan_file *f = &w->files.v[begin];

		for (end = begin + 1; end < w->files.n && w->files.v[end].size == f->size &&
		                      memcmp(w->files.v[end].hash, f->hash, HASH_SIZE) == 0;)
			end++;
		ret = plan_content(w, begin, end, err);
	}
	return ret;
}

static int
plan_cmp_group(const void *a, const void *b)
{
	return strcmp(((const struct act_group *)a)->victims[0].file.path, ((const struct act_group *)b)->victims[0].file.path);
}

int
plan_make(struct plan *p, struct index *ix, const struct plan_query *q, struct err *err)
{
	struct plan_work w = { .plan = p, .ix = ix, .q = q, .guard = { .hidden = q->hidden } };
	int ret = presence_open(&w.view, ix, err);

	assert(q->n_paths > 0 || q->marked);
	for (size_t i = 0; i < q->n_paths; i++)
		pathset_add(&w.operands, q->paths[i], i);
	pathset_sort(&w.operands);
	if (ret == 0)
		ret = plan_list(&w, err);
	if (ret == 0)
		ret = plan_contents(&w, err);
	if (p->groups.n > 1)
		qsort(p->groups.v, p->groups.n, sizeof(*p->groups.v), plan_cmp_group);
	presence_release(&w.view);
	pathset_release(&w.operands);
	guard_release(&w.guard);
	vec_release(&w.files);
	vec_release(&w.names);
	vec_release(&w.by_inode);
	return ret;
}

void
plan_release(struct plan *p)
{
	vec_release(&p->groups);
	arena_release(&p->memory);
}
