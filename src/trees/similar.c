/* SPDX-License-Identifier: MIT */
/*
 * What every directory holds (dir_digest) leads to pairs of tops that are worth a look
 * (similar_tops), and each of these to pairs of directories at and below it (similar_match).
 * This file brings them in order, and lets one pair stand for those of its twins: with
 * 50 copies of one version of a package and 50 of the next, one pair says what 2500 would.
 */
#include "base/base.h"

#include "trees/similar.h"

#include "archive/packed.h"
#include "query/dirtree.h"
#include "sys/stop.h"

/* Pairs of tops between two checks for a signal. */
enum { SIMILAR_POLL = 64 };

static int
similar_cmp(const void *a, const void *b)
{
	const struct similar_pair *x = a, *y = b;

	ORDER_CMP(y->bytes, x->bytes);
	ORDER_CMP(x->left.dir, y->left.dir);
	ORDER_CMP(x->right.dir, y->right.dir);
	return 0;
}

/* The first twin of a directory, or itself. */
static uint32_t
similar_twin(const struct similar *s, uint32_t dir)
{
	return s->h.twin[dir] != DIRTREE_NONE ? s->h.twin[dir] : dir;
}

/*
 * Whether twins of both sides make a pair that is known; one that is not is noted as the pair n.
 */
static bool
similar_is_known(const struct similar *s, struct table *known, const struct similar_pair *p, size_t n)
{
	const uint32_t a = similar_twin(s, p->left.dir), b = similar_twin(s, p->right.dir);
	const uint32_t low = a < b ? a : b, high = a < b ? b : a;

	TABLE_EACH(i, known, table_hash(low, high)) {
		const uint32_t c = similar_twin(s, s->pairs.v[i].left.dir), d = similar_twin(s, s->pairs.v[i].right.dir);

		if (low == (c < d ? c : d) && high == (c < d ? d : c))
			return true;
	}
	table_add(known, table_hash(low, high), n);
	return false;
}

static int
similar_match_all(struct similar *s, const struct similar_query *q, struct err *err)
{
	struct similar_match m = { .tops = &s->tops, .min_share = q->min_share, .min_size = (uint64_t)q->min_size };
	int ret = 0;

	for (size_t i = 0; ret == 0 && i < s->tops.all.n; i++) {
		similar_match_top(&m, s->tops.order[i], &s->pairs);
		if (i % SIMILAR_POLL == 0)
			ret = stop_check(err);
	}
	similar_match_release(&m);
	return ret;
}

int
similar_load(struct similar *s, struct index *ix, const struct similar_query *q, struct err *err)
{
	struct table known = { 0 };
	size_t n = 0;

	s->h.map.no_trash = true;
	s->h.map.meant = q->dirs;
	s->h.map.n_meant = q->n_dirs;
	if (dir_digest_load(&s->h, ix, q->exclude, q->n_exclude, q->by_name, err) < 0)
		return -1;
	s->dirs = mem_alloc((q->n_dirs + 1) * sizeof(*s->dirs));
	for (size_t i = 0; i < q->n_dirs; i++) {
		s->dirs[i] = dirtree_find(s->h.map.dirs, q->dirs[i]);
		if (s->dirs[i] == DIRTREE_NONE)
			return err_set(err, ERR_USAGE, "'%s' is not a directory of the index%s", q->dirs[i], packed_hint(q->dirs[i]));
	}
	s->tops.h = &s->h;
	s->tops.dirs = s->dirs;
	s->tops.n_dirs = q->n_dirs;
	s->tops.groups = q->groups;
	if (similar_tops_find(&s->tops, err) < 0 || similar_match_all(s, q, err) < 0)
		return -1;
	for (size_t i = 0; i < s->pairs.n; i++) {
		struct similar_pair *p = &s->pairs.v[i];
		const size_t left = similar_tops_operand(&s->tops, p->left.dir), right = similar_tops_operand(&s->tops, p->right.dir);
		const struct similar_side side = p->left;

		/* On the left is what was asked for first. */
		if (left < right || (left == right && p->left.dir < p->right.dir))
			continue;
		p->left = p->right;
		p->right = side;
	}
	if (s->pairs.n > 1)
		qsort(s->pairs.v, s->pairs.n, sizeof(*s->pairs.v), similar_cmp);
	/* Of the pairs of twins the first stays. */
	for (size_t i = 0; i < s->pairs.n; i++) {
		if (!similar_is_known(s, &known, &s->pairs.v[i], n))
			s->pairs.v[n++] = s->pairs.v[i];
	}
	s->pairs.n = n;
	table_release(&known);
	return 0;
}

void
similar_release(struct similar *s)
{
	similar_tops_release(&s->tops);
	dir_digest_release(&s->h);
	vec_release(&s->pairs);
	free(s->dirs);
}

void
similar_twins(const struct similar *s, uint32_t dir, uint32_t other, struct similar_dirs *dirs)
{
	uint32_t first;
	const uint32_t n = dir_digest_twins(&s->h, dir, &first);

	for (uint32_t i = first; i < first + n; i++) {
		const uint32_t twin = s->h.order[i];

		if (twin != dir && twin != other && (s->tops.n_dirs < 2 || similar_tops_operand(&s->tops, twin) < s->tops.n_dirs))
			vec_push(dirs, twin);
	}
}
