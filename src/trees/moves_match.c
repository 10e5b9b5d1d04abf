/* SPDX-License-Identifier: MIT */
/*
 * Both sides are sorted by content, name and path, and walked side by side.  The first walk takes
 * contents that each side has once: they vote for the directory of b that each of a's directories
 * was.  The second one divides contents of several files.  All in the calling thread.
 */
#include "base/base.h"

#include "trees/moves_match.h"

#include "index/fleeting.h"
#include "trees/tree_files.h"

/* The directory that most files of a directory come from, by the vote of Boyer and Moore. */
struct moves_vote {
	uint32_t dir, n;
};

struct moves_match {
	const struct tree_files *a, *b;
	VEC(uint32_t) left, right;   /* positions of files that may be paired, in order */
	uint32_t *of;                /* the result */
	bool *taken;                 /* by position in b */
	struct moves_vote *votes;    /* by directory of a */
};

/* Files of one content: from i to below i_end of left, and from j to below j_end of right. */
struct moves_group {
	size_t i, i_end, j, j_end;
};

/* By content, then by name, then by path. */
static int
moves_match_cmp(const void *x, const void *y, void *files)
{
	const struct tree_files_file *v = files;
	const uint32_t i = *(const uint32_t *)x, j = *(const uint32_t *)y;
	int cmp = tree_files_cmp_equal(&v[i], &v[j]);

	if (cmp == 0)
		cmp = strcmp(v[i].name, v[j].name);
	return cmp != 0 ? cmp : (i > j) - (i < j);
}

/* Whether a file has a known content that the other side may have at another path. */
static bool
moves_match_may(const struct tree_files *s, const struct tree_files_file *f)
{
	return (f->class == PAIR_MOVED || f->class == PAIR_DIFFERENT) && f->size > 0 && tree_files_is_known(f) &&
	       (s->reasons[f->dir] & FLEETING_TRASH) == 0;
}

static void
moves_match_take(struct moves_match *m, uint32_t left, uint32_t right)
{
	m->of[left] = right;
	m->taken[right] = true;
}

/* Find the next content that both sides have.  Returns whether there is one. */
static bool
moves_match_next(const struct moves_match *m, struct moves_group *g)
{
	const struct tree_files_file *l = m->a->files.v, *r = m->b->files.v;
	const uint32_t *left = m->left.v, *right = m->right.v;
	int cmp = 1;

	g->i = g->i_end;
	g->j = g->j_end;
	while (g->i < m->left.n && g->j < m->right.n && (cmp = tree_files_cmp_equal(&l[left[g->i]], &r[right[g->j]])) != 0) {
		g->i += cmp < 0;
		g->j += cmp > 0;
	}
	if (cmp != 0 || g->i == m->left.n || g->j == m->right.n)
		return false;
	for (g->i_end = g->i; g->i_end < m->left.n && tree_files_cmp_equal(&l[left[g->i_end]], &l[left[g->i]]) == 0;)
		g->i_end++;
	for (g->j_end = g->j; g->j_end < m->right.n && tree_files_cmp_equal(&r[right[g->j_end]], &r[right[g->j]]) == 0;)
		g->j_end++;
	return true;
}

static void
moves_match_vote(struct moves_match *m, uint32_t left, uint32_t right)
{
	struct moves_vote *v = &m->votes[m->a->files.v[left].dir - m->a->top];
	const uint32_t dir = m->b->files.v[right].dir;

	if (v->n == 0)
		v->dir = dir;
	if (v->dir == dir)
		v->n++;
	else
		v->n--;
}

/* Take the file of the same name in the directory that was voted for. */
static void
moves_match_voted(struct moves_match *m, const struct moves_group *g, uint32_t left)
{
	const struct tree_files_file *f = &m->a->files.v[left], *r = m->b->files.v;
	const struct moves_vote *v = &m->votes[f->dir - m->a->top];
	const uint32_t *right = &m->right.v[g->j];
	const size_t n = g->j_end - g->j;
	size_t at = 0;

	if (v->n == 0)
		return;
	/* Positions of files are in the order of directories. */
	ORDER_FIRST(at, n, strcmp(r[right[at]].name, f->name) < 0 || (strcmp(r[right[at]].name, f->name) == 0 && r[right[at]].dir < v->dir));
	if (at < n && r[right[at]].dir == v->dir && strcmp(r[right[at]].name, f->name) == 0 && !m->taken[right[at]])
		moves_match_take(m, left, right[at]);
}

/* Pair what is left of a content, as it comes; named: only those of one name. */
static void
moves_match_rest(struct moves_match *m, const struct moves_group *g, bool named)
{
	size_t i = g->i, j = g->j;

	while (i < g->i_end && j < g->j_end) {
		const uint32_t left = m->left.v[i], right = m->right.v[j];
		const bool paired = m->of[left] != TREE_FILES_NONE, taken = m->taken[right];
		const int cmp = named && !paired && !taken ? strcmp(m->a->files.v[left].name, m->b->files.v[right].name) : 0;

		if (!paired && !taken && cmp == 0)
			moves_match_take(m, left, right);
		i += paired || (!taken && cmp <= 0);
		j += taken || (!paired && cmp >= 0);
	}
}

static void
moves_match_groups(struct moves_match *m, bool single)
{
	struct moves_group g = { 0 };

	while (moves_match_next(m, &g)) {
		const bool is_single = g.i_end - g.i == 1 && g.j_end - g.j == 1;

		if (is_single != single)
			continue;
		if (single) {
			moves_match_take(m, m->left.v[g.i], m->right.v[g.j]);
			moves_match_vote(m, m->left.v[g.i], m->right.v[g.j]);
			continue;
		}
		for (size_t i = g.i; i < g.i_end; i++)
			moves_match_voted(m, &g, m->left.v[i]);
		moves_match_rest(m, &g, true);
		moves_match_rest(m, &g, false);
	}
}

uint32_t *
moves_match(const struct tree_files *a, const struct tree_files *b)
{
	struct moves_match m = { .a = a, .b = b };

	assert(!a->is_file && !b->is_file);
	m.of = mem_alloc((a->files.n + 1) * sizeof(*m.of));
	m.taken = mem_zalloc(b->files.n + 1, sizeof(*m.taken));
	m.votes = mem_zalloc(a->end - a->top, sizeof(*m.votes));
	for (size_t i = 0; i < a->files.n; i++) {
		m.of[i] = TREE_FILES_NONE;
		if (moves_match_may(a, &a->files.v[i]))
			vec_push(&m.left, (uint32_t)i);
	}
	for (size_t i = 0; i < b->files.n; i++) {
		if (moves_match_may(b, &b->files.v[i]))
			vec_push(&m.right, (uint32_t)i);
	}
	if (m.left.n > 0 && m.right.n > 0) {
		order_sort_by(m.left.v, m.left.n, sizeof(*m.left.v), moves_match_cmp, a->files.v);
		order_sort_by(m.right.v, m.right.n, sizeof(*m.right.v), moves_match_cmp, b->files.v);
		moves_match_groups(&m, true);
		moves_match_groups(&m, false);
	}
	vec_release(&m.left);
	vec_release(&m.right);
	free(m.taken);
	free(m.votes);
	return m.of;
}
