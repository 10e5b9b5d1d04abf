/* SPDX-License-Identifier: MIT */
/*
 * Inodes stay, names go.  The names are sorted by inode; of each inode the best name that counts
 * stands for it, and these representatives are sorted by what keep.h says.  The first of them are
 * chosen, as many as must stay, and so the last copy never goes: where one counts, one is chosen.
 *
 * Invariants: a name that goes was asked for, and is not pinned; no name of a chosen inode goes;
 * if a name goes, another one is chosen.
 */
#include "base/base.h"

#include "query/keep.h"

#include "index/backups.h"
#include "index/fleeting.h"
#include "index/roots.h"

static const char keep_none_in[] = "no copy of it is at or below a directory of --in";

/* Whether a copy in a backup counts: the user said so, or that copies count there alone. */
static bool
keep_counts_backup(const struct keep *k, const struct backups *backups, const char *path)
{
	return k->backups_count || backups_names(backups, k->in, k->n_in, path);
}

void
keep_place(const struct keep *k, const struct pathset *named, const struct backups *backups, const struct root *root,
           struct keep_name *n)
{
	const char *path = n->facts.path;
	size_t len = strlen(path), number;

	n->facts.root = root != NULL ? root->id : INT64_MAX;
	n->inside = pathset_above(named, path, &len, &number);
	n->rank = place_rank_path(path);
	n->rank.backup = backups_has(backups, path);
	if (n->standing == KEEP_COUNTS && (path_trash_len(path) > 0 || (k->n_in > 0 && !path_is_below_any(path, k->in, k->n_in))))
		n->standing = KEEP_IGNORED;
	if (n->standing == KEEP_COUNTS && n->rank.backup && !keep_counts_backup(k, backups, path))
		n->standing = KEEP_IGNORED;
	n->fleeting |= fleeting_of_path(path);
	if (path_is_below_any(path, k->protect, k->n_protect))
		n->wish = KEEP_PINNED;
	if (n->wish != KEEP_PINNED && keep_holds(k, backups, path))
		n->wish = KEEP_HELD;
}

bool
keep_holds(const struct keep *k, const struct backups *backups, const char *path)
{
	return backups_has(backups, path) && !path_is_below_any(path, k->from_backup, k->n_from_backup);
}

bool
keep_leaves_out(const struct keep *k, const struct backups *backups, const char *path)
{
	return backups_has(backups, path) && (k == NULL || (keep_holds(k, backups, path) && !keep_counts_backup(k, backups, path)));
}

bool
keep_may_ask(const struct keep_name *n)
{
	return n->wish != KEEP_PINNED && n->wish != KEEP_HELD;
}

/* What the user said of two names, and the kinds of their places: negative if a is better. */
static int
keep_cmp_reasons(const struct keep *k, const struct keep_name *a, const struct keep_name *b)
{
	const int cmp = keep_rules_cmp(&k->rules, &a->facts, &b->facts);

	if (cmp != 0)
		return cmp;
	ORDER_CMP(a->inside, b->inside);
	ORDER_CMP(a->mark == MARK_DROP, b->mark == MARK_DROP);
	ORDER_CMP(b->mark == MARK_KEEP, a->mark == MARK_KEEP);
	return place_rank_cmp_kind(&a->rank, &b->rank);
}

/* As keep.h says: negative if a is better. */
static int
keep_cmp(const struct keep *k, const struct keep_name *a, const struct keep_name *b)
{
	int cmp;

	ORDER_CMP(a->standing != KEEP_COUNTS, b->standing != KEEP_COUNTS);
	ORDER_CMP(b->wish == KEEP_PINNED, a->wish == KEEP_PINNED);
	cmp = keep_cmp_reasons(k, a, b);
	if (cmp != 0)
		return cmp;
	ORDER_CMP(a->shared, b->shared);
	cmp = place_rank_cmp(&a->rank, &b->rank);
	return cmp != 0 ? cmp : strcmp(a->facts.path, b->facts.path);
}

static int
keep_cmp_name(const void *a, const void *b, void *k)
{
	return keep_cmp(k, *(struct keep_name *const *)a, *(struct keep_name *const *)b);
}

static int
keep_cmp_inode(const void *a, const void *b)
{
	return inode_cmp((*(struct keep_name *const *)a)->inode, (*(struct keep_name *const *)b)->inode);
}

/* The names of an inode: begin to end of those sorted by inode. */
struct keep_run {
	struct keep_name *best;    /* that counts; or NULL */
	size_t begin, end;
};

typedef VEC(struct keep_run) keep_runs;

static int
keep_cmp_run(const void *a, const void *b, void *k)
{
	const struct keep_run *x = a, *y = b;

	return keep_cmp(k, x->best, y->best);
}

/* Find the inodes that have a name that counts; v is sorted by inode. */
static void
keep_find_runs(const struct keep *k, struct keep_name **v, size_t n, keep_runs *runs)
{
	for (size_t begin = 0, end; begin < n; begin = end) {
		struct keep_run run = { .begin = begin };
		bool shared = false;

		for (end = begin; end < n && inode_same(v[begin]->inode, v[end]->inode); end++)
			shared |= v[end]->wish == KEEP_ASKED;
		for (size_t i = begin; i < end; i++) {
			v[i]->shared = shared;
			if (v[i]->standing == KEEP_COUNTS && (run.best == NULL || keep_cmp(k, v[i], run.best) < 0))
				run.best = v[i];
		}
		run.end = end;
		if (run.best != NULL)
			vec_push(runs, run);
	}
}

/* Choose inodes, the best first.  Returns how many. */
static int64_t
keep_choose_runs(const struct keep *k, struct keep_name **v, keep_runs *runs)
{
	const int64_t least = k->copies > 0 ? k->copies : 1;
	VEC(int64_t) volumes = { 0 };
	int64_t n = 0;

	if (runs->n > 1)
		order_sort_by(runs->v, runs->n, sizeof(*runs->v), keep_cmp_run, (void *)(uintptr_t)k);
	for (size_t i = 0; i < runs->n && (n < least || k->per_volume); i++) {
		const struct keep_run *run = &runs->v[i];
		bool new_volume = true;

		for (size_t j = 0; j < volumes.n; j++)
			new_volume &= volumes.v[j] != run->best->inode.volume;
		if (n >= least && !new_volume)
			continue;
		n++;
		if (new_volume)
			vec_push(&volumes, run->best->inode.volume);
		for (size_t j = run->begin; j < run->end; j++) {
			v[j]->chosen = true;
			v[j]->best = v[j] == run->best;
			if (v[j]->wish == KEEP_ASKED)
				v[j]->fate = v[j] == run->best ? KEEP_CHOSEN : KEEP_LINK;
		}
	}
	vec_release(&volumes);
	return n;
}

/* Ignore copies that may go by themselves, where what is to go would not (index/fleeting). */
static void
keep_lose_fleeting(struct keep_name **v, size_t n)
{
	unsigned allowed = ~0U, beside = 0;

	for (size_t i = 0; i < n; i++)
		allowed &= v[i]->wish == KEEP_ASKED ? v[i]->fleeting : ~0U;
	for (size_t i = 0; i < n; i++) {
		if (v[i]->standing != KEEP_COUNTS)
			continue;
		beside |= v[i]->fleeting & ~allowed;
		if (!fleeting_keeps(v[i]->fleeting, allowed))
			v[i]->standing = KEEP_IGNORED;
	}
	for (size_t i = 0; i < n; i++)
		v[i]->beside = beside;
}

void
keep_choose(const struct keep *k, struct keep_name **v, size_t n)
{
	const size_t n_rules = k->rules.n;
	int64_t *numbers = n_rules > 0 ? mem_alloc((n + 1) * n_rules * sizeof(*numbers)) : NULL;
	keep_runs runs = { 0 };
	bool spared = false;
	int64_t n_chosen;

	for (size_t i = 0; i < n; i++) {
		spared |= v[i]->rank.backup && v[i]->standing == KEEP_IGNORED;
		v[i]->chosen = v[i]->best = false;
		v[i]->fate = KEEP_STAYS;
		if (n_rules > 0) {
			keep_rules_measure(&k->rules, &v[i]->facts, numbers + i * n_rules);
			v[i]->facts.numbers = numbers + i * n_rules;
		}
	}
	if (!k->linking)
		keep_lose_fleeting(v, n);
	if (n > 1)
		qsort(v, n, sizeof(struct keep_name *), keep_cmp_inode);
	keep_find_runs(k, v, n, &runs);
	n_chosen = keep_choose_runs(k, v, &runs);
	for (size_t i = 0; i < n; i++) {
		if (v[i]->wish == KEEP_ASKED && !v[i]->chosen)
			v[i]->fate = n_chosen > 0 ? KEEP_GOES : KEEP_NO_COPY;
	}
	vec_release(&runs);
	if (n > 1)
		order_sort_by(v, n, sizeof(struct keep_name *), keep_cmp_name, (void *)(uintptr_t)k);
	if (n > 0 && v[0]->fate == KEEP_NO_COPY && k->n_in == 0)
		v[0]->fate = KEEP_CHOSEN;
	for (size_t i = 0; i < n; i++) {
		v[i]->spared = spared;
		v[i]->facts.numbers = NULL;
	}
	free(numbers);
}

bool
keep_has_reason(const struct keep *k, const struct keep_name *stays, const struct keep_name *goes)
{
	const size_t n = k->rules.n;
	int64_t *numbers = n > 0 ? mem_alloc(2 * n * sizeof(*numbers)) : NULL;
	struct keep_name a = *stays, b = *goes;
	bool reason;

	if (n > 0) {
		keep_rules_measure(&k->rules, &a.facts, numbers);
		keep_rules_measure(&k->rules, &b.facts, numbers + n);
		a.facts.numbers = numbers;
		b.facts.numbers = numbers + n;
	}
	reason = k->n_in > 0 || keep_cmp_reasons(k, &a, &b) < 0;
	free(numbers);
	return reason;
}

const char *
keep_state_why(const struct keep *k, enum file_state state)
{
	/* It may have a copy in a place where copies do not count. */
	return state == STATE_UNIQUE && k != NULL && k->n_in > 0 ? keep_none_in : state_name(state);
}

/* Why the last copy stays although others are there. */
static const char *
keep_last_beside(unsigned why)
{
	return (why & FLEETING_MEMORY) != 0 ? "the last copy outside of memory" :
	       (why & FLEETING_CACHE) != 0  ? "the last copy outside of caches" :
	       (why & FLEETING_TEMPORARY) != 0 ? "the last copy outside of temporary directories" :
	       (why & FLEETING_SHARED) != 0 ? "the last copy outside of directories shared with other users" :
	                                      "the last copy outside of rotating snapshots";
}

const char *
keep_why(const struct keep *k, const struct keep_name *n, int64_t n_stay)
{
	switch (n->fate) {
	case KEEP_CHOSEN:
		return n_stay <= 1 ? n->beside != 0 ? keep_last_beside(n->beside) : n->spared ? "the last copy outside of backups" : "the last copy" : k->copies > 1 || k->per_volume ? "one of the copies that must stay" :
		       k->rules.n > 0 ? "the copy that --keep chooses" : "the copy chosen to stay";
	case KEEP_LINK:
		return "another name of the copy that stays: nothing would be freed";
	case KEEP_NO_COPY:
		return k->n_in > 0 ? keep_none_in : n->beside != 0 ? fleeting_only(n->beside, 2) :
		       n->spared ? "its other copies are in backups, which count only with --backups-count" : "its copies are in a trash";
	case KEEP_STAYS:
		return n->standing == KEEP_ALIAS ? "it may be the same file as another copy, seen at a second path" :
		       n->mark == MARK_KEEP ? "marked keep" : n->wish == KEEP_PINNED ? "protected" : n->wish == KEEP_HELD ? "in a backup" : NULL;
	case KEEP_GOES:
	case KEEP_FATES:
		break;
	}
	return NULL;
}

int64_t
keep_count_inodes(struct keep_name **v, size_t n)
{
	int64_t count = 0;

	if (n > 1)
		qsort(v, n, sizeof(struct keep_name *), keep_cmp_inode);
	for (size_t i = 0; i < n; i++)
		count += i == 0 || !inode_same(v[i - 1]->inode, v[i]->inode);
	return count;
}

int64_t
keep_count(struct keep_name *const *v, size_t n)
{
	VEC(struct keep_name *) stay = { 0 };
	int64_t count;

	for (size_t i = 0; i < n; i++) {
		if (v[i]->fate != KEEP_GOES && v[i]->standing == KEEP_COUNTS)
			vec_push(&stay, v[i]);
	}
	count = keep_count_inodes(stay.v, stay.n);
	vec_release(&stay);
	return count;
}
