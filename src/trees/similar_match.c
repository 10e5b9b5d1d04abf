/* SPDX-License-Identifier: MIT */
/*
 * The pairs at and below two tops A and B.  in(x, y) are the bytes of x whose content is in y.
 *
 *  1. Choose the highest directories a of A with in(a, B) of at least min_share percent of a.  One
 *     of which a subdirectory holds nine tenths of that, while the rest of it shares less than
 *     min_share, gives way to the subdirectory.
 *  2. Narrow B for each of them: from what holds all that is shared down into subdirectories
 *     that still hold nine tenths of it (all of it, if all of a is in B), as long as the rest
 *     of the directory shares less than min_share with a.
 *  3. The same with A and B exchanged, and directories that hold just the same.
 *  4. Fold: a pair is left out if one above it is as good, that is, if each side that shares
 *     min_share below does so above.
 *
 * A directory that holds nothing but a subdirectory is told as that: its core.
 *
 * Only directories that hold a content which is not common, or one of two neighbours of a common
 * one, are considered; counts are complete.  Of a common content there may be very many names: so
 * either its names are walked, or the directories considered, whichever are fewer.
 */
#include "base/base.h"

#include "trees/similar_match.h"

#include "query/dirtree.h"
#include "trees/dir_digest.h"

/* Begin another view of directories at and below top. */
static void
similar_view_begin(struct similar_view *v, const struct dir_digest *h, uint32_t top)
{
	if (v->stamp == NULL) {
		v->stamp = mem_zalloc(h->n, sizeof(*v->stamp));
		v->at = mem_alloc(h->n * sizeof(*v->at));
	}
	v->turn++;
	v->top = top;
	v->all.n = 0;
}

/* Consider a directory and all above it up to the top. */
static void
similar_view_see(struct similar_view *v, const struct dir_digest *h, uint32_t dir)
{
	for (;; dir = dirtree_parent(h->map.dirs, dir)) {
		if (v->stamp[dir] == v->turn)
			return;
		v->stamp[dir] = v->turn;
		vec_push(&v->all, ((struct similar_seen){ .dir = dir }));
		if (dir == v->top)
			return;
	}
}

static int
similar_view_cmp(const void *a, const void *b)
{
	const struct similar_seen *x = a, *y = b;

	ORDER_CMP(x->dir, y->dir);
	return 0;
}

/* All that is considered was seen: put it in order. */
static void
similar_view_sort(struct similar_view *v)
{
	if (v->all.n > 1)
		qsort(v->all.v, v->all.n, sizeof(*v->all.v), similar_view_cmp);
	for (size_t i = 0; i < v->all.n; i++)
		v->at[v->all.v[i].dir] = (uint32_t)i;
}

/* The nearest directory at or above dir that is considered. */
static struct similar_seen *
similar_view_at(const struct similar_view *v, const struct dir_digest *h, uint32_t dir)
{
	while (v->stamp[dir] != v->turn)
		dir = dirtree_parent(h->map.dirs, dir);
	return &v->all.v[v->at[dir]];
}

/* Add what lies below each directory. */
static void
similar_view_sum(struct similar_view *v, const struct dir_digest *h)
{
	for (size_t i = v->all.n; i-- > 1;) {
		struct similar_seen *up = &v->all.v[v->at[dirtree_parent(h->map.dirs, v->all.v[i].dir)]];

		up->bytes += v->all.v[i].bytes;
		up->other += v->all.v[i].other;
	}
}

/* The position behind those that are considered below the one at i. */
static size_t
similar_view_next(const struct similar_view *v, const struct dir_digest *h, size_t i)
{
	const uint32_t end = dirtree_end(h->map.dirs, v->all.v[i].dir);
	size_t at;

	/* Most have few below them. */
	for (at = i + 1; at < v->all.n && at < i + 4; at++) {
		if (v->all.v[at].dir >= end)
			return at;
	}
	ORDER_FIRST(at, v->all.n, v->all.v[at].dir < end);
	return at;
}

/* Free what it owns. */
static void
similar_view_release(struct similar_view *v)
{
	vec_release(&v->all);
	free(v->stamp);
	free(v->at);
}

/* Whether part is at least min_share percent of whole, and something. */
static bool
similar_match_enough(const struct similar_match *m, uint64_t part, uint64_t whole)
{
	const uint64_t share = (uint64_t)m->min_share;

	return part > 0 && part >= whole / 100 * share + (whole % 100 * share + 99) / 100;
}

static bool
similar_match_nearly(uint64_t part, uint64_t whole)
{
	return part >= whole / 10 * 9 + (whole % 10 * 9 + 9) / 10;
}

/* Consider where a content lies in one of the two directories. */
static void
similar_view_content(struct similar_view *v, const struct similar_match *m, uint32_t content, struct dir_digest_range here,
                     struct dir_digest_range there)
{
	const struct dir_digest *h = m->tops->h;
	const struct contents_map_name *names = h->map.names;

	if (!m->tops->is_common[content]) {
		for (uint32_t i = here.from; i < here.to; i++)
			similar_view_see(v, h, names[i].dir);
	} else if (here.to == there.from)
		similar_view_see(v, h, names[here.to - 1].dir);
	else if (there.to == here.from)
		similar_view_see(v, h, names[here.from].dir);
}

/* Consider on a side where contents lie there, at and below top. */
static void
similar_match_see(const struct similar_match *m, struct similar_view *v, uint32_t top, const struct similar_shareds *contents, bool left)
{
	const struct dir_digest *h = m->tops->h;

	similar_view_begin(v, h, top);
	similar_view_see(v, h, top);
	for (size_t i = 0; i < contents->n; i++) {
		const struct similar_shared *s = &contents->v[i];

		similar_view_content(v, m, s->content, left ? s->left : s->right, left ? s->right : s->left);
	}
	similar_view_sort(v);
}

/* Add a content to those that both tops share. */
static void
similar_match_share(struct similar_match *m, const struct similar_top *top, uint32_t content)
{
	const struct dir_digest *h = m->tops->h;
	const struct similar_shared s = { .content = content, .left = dir_digest_below(h, content, top->left),
	                                  .right = dir_digest_below(h, content, top->right) };

	if (s.left.from < s.left.to && s.right.from < s.right.to)
		vec_push(&m->shared, s);
}

/* The common contents at and below a directory. */
static struct dir_digest_range
similar_match_common(const struct similar_match *m, uint32_t dir)
{
	const uint32_t end = dirtree_end(m->tops->h->map.dirs, dir);
	size_t from, to;

	ORDER_FIRST(from, m->tops->common.n, m->tops->common.v[from].dir < dir);
	ORDER_FIRST(to, m->tops->common.n, m->tops->common.v[to].dir < end);
	return (struct dir_digest_range){ (uint32_t)from, (uint32_t)to };
}

/* Note where common contents lie in the left top; it is often that of the pair before. */
static void
similar_match_begin_left(struct similar_match *m, uint32_t left, struct dir_digest_range common)
{
	if (m->left_turn > 0 && m->left_top == left)
		return;
	m->left_top = left;
	m->left_turn++;
	for (uint32_t i = common.from; i < common.to; i++) {
		const struct similar_common *c = &m->tops->common.v[i];
		struct similar_place *p = &m->places[c->content];

		if (p->left_turn != m->left_turn)
			p->left.from = c->name;
		p->left_turn = m->left_turn;
		p->left.to = c->name + 1;
	}
}

/* Find the common contents that both tops share, by those of the right one. */
static void
similar_match_find_right(struct similar_match *m, struct dir_digest_range common)
{
	for (uint32_t i = common.from; i < common.to; i++) {
		const struct similar_common *c = &m->tops->common.v[i];
		struct similar_place *p = &m->places[c->content];

		if (p->left_turn != m->left_turn)
			continue;
		if (p->turn != m->turn) {
			p->turn = m->turn;
			p->at = (uint32_t)m->shared.n;
			vec_push(&m->shared, ((struct similar_shared){ .content = c->content, .left = p->left, .right = { c->name, c->name } }));
		}
		m->shared.v[p->at].right.to = c->name + 1;
	}
}

/* Find all contents that both tops share. */
static void
similar_match_find(struct similar_match *m, const struct similar_top *top)
{
	const struct dir_digest *h = m->tops->h;

	if (m->places == NULL)
		m->places = mem_zalloc(h->map.n + 1, sizeof(*m->places));
	m->turn++;
	m->shared.n = 0;
	for (uint32_t i = 0; i < top->n; i++)
		similar_match_share(m, top, m->tops->contents[top->first + i]);
	if (m->tops->common.n > 0) {
		const struct dir_digest_range a = similar_match_common(m, top->left), b = similar_match_common(m, top->right);

		/* By those of the left one, where that has far fewer. */
		if ((b.to - b.from) / 16 > a.to - a.from) {
			for (uint32_t i = a.from; i < a.to; i++) {
				const uint32_t content = m->tops->common.v[i].content;

				if (m->places[content].turn != m->turn)
					similar_match_share(m, top, content);
				m->places[content].turn = m->turn;
			}
		} else {
			similar_match_begin_left(m, top->left, a);
			similar_match_find_right(m, b);
		}
	}
}

/* Sum up, for the directories of the left top, what is in the right one. */
static void
similar_match_left(struct similar_match *m, uint32_t top)
{
	const struct dir_digest *h = m->tops->h;
	struct similar_view *v = &m->left;

	similar_match_see(m, v, top, &m->shared, true);
	for (size_t i = 0; i < m->shared.n; i++) {
		const struct similar_shared *s = &m->shared.v[i];

		if (s->left.to - s->left.from > v->all.n)
			continue;
		dir_digest_split(h, s->content, s->left, &m->split);
		for (size_t j = 0; j < m->split.n; j++)
			similar_view_at(v, h, m->split.v[j].dir)->bytes += m->split.v[j].bytes;
	}
	similar_view_sum(v, h);
	for (size_t i = 0; i < m->shared.n; i++) {
		const struct similar_shared *s = &m->shared.v[i];

		if (s->left.to - s->left.from <= v->all.n)
			continue;
		for (size_t j = 0; j < v->all.n; j++)
			v->all.v[j].bytes += dir_digest_bytes(h, s->content, dir_digest_below(h, s->content, v->all.v[j].dir));
	}
}

/* Whether the directory at i of the left view shares enough, and gives way to none below it. */
static bool
similar_match_is_good(const struct similar_match *m, size_t i)
{
	const struct dir_digest *h = m->tops->h;
	const struct similar_view *v = &m->left;
	const struct similar_seen *x = &v->all.v[i];
	const size_t end = similar_view_next(v, h, i);

	if (h->core[x->dir] != x->dir || dirtree_id(h->map.dirs, x->dir) == 0 || !similar_match_enough(m, x->bytes, h->v[x->dir].bytes))
		return false;
	for (size_t j = i + 1; j < end; j = similar_view_next(v, h, j)) {
		const struct similar_seen *y = &v->all.v[j];
		const uint64_t rest = h->v[x->dir].bytes - h->v[y->dir].bytes;

		if (rest > 0 && similar_match_nearly(y->bytes, x->bytes) && !similar_match_enough(m, x->bytes - y->bytes, rest))
			return false;
	}
	return true;
}

/* Choose the highest directories of the left view that share enough. */
static void
similar_match_choose(struct similar_match *m)
{
	const struct similar_view *v = &m->left;

	m->chosen.n = 0;
	for (size_t i = 0; i < v->all.n;) {
		if (similar_match_is_good(m, i)) {
			vec_push(&m->chosen, v->all.v[i].dir);
			i = similar_view_next(v, m->tops->h, i);
		} else
			i++;
	}
}

/* Note in which of the chosen directories a shared content may lie. */
static void
similar_match_split_content(struct similar_match *m, size_t shared)
{
	const struct dir_digest *h = m->tops->h;
	const struct similar_shared *s = &m->shared.v[shared];
	size_t last = m->chosen.n;

	if (s->left.to - s->left.from > m->chosen.n || m->chosen.n == 1) {
		for (size_t i = 0; i < m->chosen.n; i++)
			vec_push(&m->parts, (uint64_t)i << 32 | shared);
		return;
	}
	for (uint32_t n = s->left.from; n < s->left.to; n++) {
		const uint32_t dir = h->map.names[n].dir;
		size_t at;

		ORDER_FIRST(at, m->chosen.n, m->chosen.v[at] <= dir);
		if (at == 0 || at - 1 == last || !dir_digest_is_below(h, dir, m->chosen.v[at - 1]))
			continue;
		last = at - 1;
		vec_push(&m->parts, (uint64_t)last << 32 | shared);
	}
}

/* Inodes with a name in each of two ranges. */
static int64_t
similar_match_linked(const struct dir_digest *h, uint32_t content, struct dir_digest_range a, struct dir_digest_range b)
{
	const struct contents_map_content *c = &h->map.v[content];
	const size_t n = a.to - a.from + (b.to - b.from);
	VEC(uint64_t) copies = { 0 };
	int64_t linked = 0;

	if (c->copies == c->n || n < 2)
		return 0;
	if (c->copies == 1)
		return 1;
	for (uint32_t i = a.from; i < a.to; i++)
		vec_push(&copies, (uint64_t)h->map.names[i].copy << 1);
	for (uint32_t i = b.from; i < b.to; i++)
		vec_push(&copies, (uint64_t)h->map.names[i].copy << 1 | 1);
	qsort(copies.v, copies.n, sizeof(*copies.v), order_cmp_uint64);
	for (size_t i = 1; i < copies.n; i++)
		linked += copies.v[i - 1] == copies.v[i] - 1 && (copies.v[i] & 1) != 0;
	vec_release(&copies);
	return linked;
}

/* Count what a chosen directory, whose contents are in part, has in common with another one. */
static void
similar_match_count(const struct similar_match *m, struct similar_pair *p)
{
	const struct dir_digest *h = m->tops->h;

	for (size_t i = 0; i < m->part.n; i++) {
		const struct similar_shared *s = &m->part.v[i];
		const struct dir_digest_range r = dir_digest_below(h, s->content, p->right.dir);
		const uint64_t size = (uint64_t)h->map.v[s->content].size;
		int64_t linked;

		if (r.from == r.to)
			continue;
		linked = similar_match_linked(h, s->content, s->left, r);
		p->contents++;
		p->bytes += size;
		p->left.files += s->left.to - s->left.from;
		p->left.bytes += s->left_bytes;
		p->right.files += r.to - r.from;
		p->right.bytes += dir_digest_bytes(h, s->content, r);
		p->linked += linked;
		p->linked_bytes += (uint64_t)linked * size;
	}
}

/* Add the common contents of part to the sums of a directory on the right. */
static void
similar_match_complete(struct similar_match *m, struct similar_seen *x)
{
	const struct dir_digest *h = m->tops->h;

	for (size_t i = 0; i < m->part_common.n && !x->whole; i++) {
		const struct similar_shared *s = &m->part.v[m->part_common.v[i]];
		const struct dir_digest_range r = dir_digest_below(h, s->content, x->dir);

		x->bytes += r.from < r.to ? s->left_bytes : 0;
		x->other += dir_digest_bytes(h, s->content, r);
	}
	x->whole = true;
}

/*
 * Sum up, for the directories of the right top, what is in a chosen one.  Returns the bytes of
 * common contents.
 */
static uint64_t
similar_match_right(struct similar_match *m, uint32_t top)
{
	const struct dir_digest *h = m->tops->h;
	struct similar_view *v = &m->right;
	uint64_t common = 0;

	m->part_common.n = 0;
	similar_match_see(m, v, top, &m->part, false);
	for (size_t i = 0; i < m->part.n; i++) {
		const struct similar_shared *s = &m->part.v[i];
		const struct contents_map_name *names = h->map.names;

		if (m->tops->is_common[s->content]) {
			vec_push(&m->part_common, (uint32_t)i);
			common += s->left_bytes;
			continue;
		}
		for (uint32_t n = s->right.from; n < s->right.to; n++) {
			if (n > s->right.from && names[n - 1].dir == names[n].dir)
				continue;
			similar_view_at(v, h, names[n].dir)->bytes += s->left_bytes;
			if (n > s->right.from)
				similar_view_at(v, h, dirtree_common(h->map.dirs, names[n - 1].dir, names[n].dir))->bytes -= s->left_bytes;
		}
		dir_digest_split(h, s->content, s->right, &m->split);
		for (size_t j = 0; j < m->split.n; j++)
			similar_view_at(v, h, m->split.v[j].dir)->other += m->split.v[j].bytes;
	}
	similar_view_sum(v, h);
	return common;
}

/* The core of a directory, or, if the index does not have that, the nearest one above it. */
static uint32_t
similar_match_core(const struct dir_digest *h, uint32_t dir)
{
	for (dir = h->core[dir]; dirtree_id(h->map.dirs, dir) == 0;)
		dir = dirtree_parent(h->map.dirs, dir);
	return dir;
}

/* Narrow the right top for a chosen directory of which part is there: add pairs to found. */
static void
similar_match_narrow(struct similar_match *m, uint32_t chosen)
{
	const struct dir_digest *h = m->tops->h;
	const struct similar_view *v = &m->right;
	uint64_t all = 0, common;
	uint32_t min = UINT32_MAX, max = 0;
	VEC(size_t) stack = { 0 };

	for (size_t i = 0; i < m->part.n; i++) {
		const uint32_t first = h->map.names[m->part.v[i].right.from].dir, last = h->map.names[m->part.v[i].right.to - 1].dir;

		all += m->part.v[i].left_bytes;
		min = first < min ? first : min;
		max = last > max ? last : max;
	}
	common = similar_match_right(m, dirtree_common(h->map.dirs, min, max));
	vec_push(&stack, 0);
	while (stack.n > 0) {
		const size_t i = stack.v[--stack.n], end = similar_view_next(v, h, i), n = stack.n;
		struct similar_seen *x = &m->right.all.v[i];
		struct similar_pair p;

		similar_match_complete(m, x);
		for (size_t j = i + 1; j < end; j = similar_view_next(v, h, j)) {
			struct similar_seen *y = &m->right.all.v[j];
			const uint64_t rest = h->v[x->dir].bytes - h->v[y->dir].bytes;

			if (!similar_match_nearly(y->bytes + (y->whole ? 0 : common), all))
				continue;
			similar_match_complete(m, y);
			if (all == h->v[chosen].bytes ? y->bytes == all :
			    similar_match_nearly(y->bytes, all) && similar_match_enough(m, y->bytes, h->v[chosen].bytes)) {
				if (rest > 0 && !similar_match_enough(m, x->other - y->other, rest))
					vec_push(&stack, j);
			}
		}
		if (stack.n > n)
			continue;
		p = (struct similar_pair){ .left = { .dir = chosen }, .right = { .dir = similar_match_core(h, x->dir) } };
		similar_match_count(m, &p);
		vec_push(&m->found, p);
	}
	vec_release(&stack);
}

/* Take what a chosen directory shares from a shared content. */
static void
similar_match_take(struct similar_match *m, uint32_t chosen, size_t shared)
{
	const struct dir_digest *h = m->tops->h;
	struct similar_shared s = m->shared.v[shared];

	s.left = dir_digest_below(h, s.content, chosen);
	s.left_bytes = dir_digest_bytes(h, s.content, s.left);
	if (s.left.from < s.left.to)
		vec_push(&m->part, s);
}

/* Find the pairs of directories that are chosen on the left. */
static void
similar_match_direction(struct similar_match *m, uint32_t left)
{
	similar_match_left(m, left);
	similar_match_choose(m);
	m->parts.n = 0;
	for (size_t i = 0; i < m->shared.n; i++)
		similar_match_split_content(m, i);
	if (m->parts.n > 1 && m->chosen.n > 1)
		qsort(m->parts.v, m->parts.n, sizeof(*m->parts.v), order_cmp_uint64);
	for (size_t i = 0; i < m->parts.n;) {
		const uint64_t of = m->parts.v[i] >> 32;

		m->part.n = 0;
		for (; i < m->parts.n && m->parts.v[i] >> 32 == of; i++)
			similar_match_take(m, m->chosen.v[of], (uint32_t)m->parts.v[i]);
		if (m->part.n > 0)
			similar_match_narrow(m, m->chosen.v[of]);
	}
}

/* Exchange the sides of what is shared, and of the pairs from one on. */
static void
similar_match_exchange(struct similar_match *m, size_t first)
{
	for (size_t i = 0; i < m->shared.n; i++) {
		struct similar_shared *s = &m->shared.v[i];
		const struct dir_digest_range left = s->left;

		s->left = s->right;
		s->right = left;
	}
	for (size_t i = first; i < m->found.n; i++) {
		struct similar_pair *p = &m->found.v[i];
		const struct similar_side left = p->left;

		p->left = p->right;
		p->right = left;
	}
}

/* Add directories that hold the same.  Their links are counted if they are not folded. */
static void
similar_match_equals(struct similar_match *m, size_t of)
{
	const struct dir_digest *h = m->tops->h;
	size_t at;

	ORDER_FIRST(at, m->tops->equals.n, m->tops->equals.v[at].top < of);
	for (; at < m->tops->equals.n && m->tops->equals.v[at].top == of; at++) {
		const struct similar_equal *e = &m->tops->equals.v[at];
		const struct holding *a = &h->v[e->left], *b = &h->v[e->right];

		vec_push(&m->found, ((struct similar_pair){
			.left = { e->left, a->files, a->bytes }, .right = { e->right, b->files, b->bytes },
			.contents = a->n_contents, .bytes = a->content_bytes, .linked = -1,
		}));
	}
}

/* The pair of these directories that was found first, or TABLE_END. */
static size_t
similar_match_of(const struct similar_match *m, uint32_t left, uint32_t right)
{
	TABLE_EACH(i, &m->by_pair, table_hash(left, right)) {
		if (m->found.v[i].left.dir == left && m->found.v[i].right.dir == right)
			return i;
	}
	return TABLE_END;
}

/* Whether a pair is folded into another one above it. */
static bool
similar_match_folds(const struct similar_match *m, const struct similar_pair *low, const struct similar_pair *high)
{
	const struct dir_digest *h = m->tops->h;

	return (!similar_match_enough(m, low->left.bytes, h->v[low->left.dir].bytes) ||
	        similar_match_enough(m, high->left.bytes, h->v[high->left.dir].bytes)) &&
	       (!similar_match_enough(m, low->right.bytes, h->v[low->right.dir].bytes) ||
	        similar_match_enough(m, high->right.bytes, h->v[high->right.dir].bytes));
}

/* Mark with turn the directories on one side of found pairs. */
static void
similar_match_mark(struct similar_match *m, const struct similar_top *top)
{
	const struct dir_digest *h = m->tops->h;

	similar_view_begin(&m->left, h, top->left);
	similar_view_begin(&m->right, h, top->right);
	table_release(&m->by_pair);
	table_reserve(&m->by_pair, m->found.n);
	for (size_t i = 0; i < m->found.n; i++) {
		const struct similar_pair *p = &m->found.v[i];

		m->left.stamp[p->left.dir] = m->left.turn;
		m->right.stamp[p->right.dir] = m->right.turn;
		if (similar_match_of(m, p->left.dir, p->right.dir) == TABLE_END)
			table_add(&m->by_pair, table_hash(p->left.dir, p->right.dir), i);
	}
}

/* The nearest marked directory above dir; DIRTREE_NONE behind the top. */
static uint32_t
similar_match_higher(const struct similar_view *v, const struct dir_digest *h, uint32_t dir)
{
	while (dir != v->top) {
		dir = dirtree_parent(h->map.dirs, dir);
		if (v->stamp[dir] == v->turn)
			return dir;
	}
	return DIRTREE_NONE;
}

/* Whether a found pair is folded: another one says the same, or it was found before. */
static bool
similar_match_is_folded(const struct similar_match *m, size_t i)
{
	const struct dir_digest *h = m->tops->h;
	const struct similar_pair *p = &m->found.v[i];

	for (uint32_t a = p->left.dir; a != DIRTREE_NONE; a = similar_match_higher(&m->left, h, a)) {
		for (uint32_t b = p->right.dir; b != DIRTREE_NONE; b = similar_match_higher(&m->right, h, b)) {
			const size_t j = similar_match_of(m, a, b);

			if (j != i && j != TABLE_END &&
			    ((a == p->left.dir && b == p->right.dir) || similar_match_folds(m, p, &m->found.v[j])))
				return true;
		}
	}
	return false;
}

void
similar_match_top(struct similar_match *m, size_t at, struct similar_pairs *pairs)
{
	const struct similar_top *top = &m->tops->all.v[at];
	uint64_t bytes = 0;
	size_t n;

	similar_match_find(m, top);
	for (size_t i = 0; i < m->shared.n; i++)
		bytes += (uint64_t)m->tops->h->map.v[m->shared.v[i].content].size;
	if (m->shared.n == 0 || bytes < m->min_size)
		return;
	m->found.n = 0;
	similar_match_direction(m, top->left);
	n = m->found.n;
	similar_match_exchange(m, n);
	similar_match_direction(m, top->right);
	similar_match_exchange(m, n);
	similar_match_equals(m, at);
	if (m->found.n == 0)
		return;
	similar_match_mark(m, top);
	for (size_t i = 0; i < m->found.n; i++) {
		struct similar_pair *p = &m->found.v[i];

		if (p->bytes < m->min_size || similar_match_is_folded(m, i))
			continue;
		/* Of equals only the links are not counted yet: count all anew. */
		if (p->linked < 0) {
			*p = (struct similar_pair){ .left = { .dir = p->left.dir }, .right = { .dir = p->right.dir } };
			m->part.n = 0;
			for (size_t k = 0; k < m->shared.n; k++)
				similar_match_take(m, p->left.dir, k);
			similar_match_count(m, p);
		}
		vec_push(pairs, *p);
	}
}

void
similar_match_release(struct similar_match *m)
{
	similar_view_release(&m->left);
	similar_view_release(&m->right);
	vec_release(&m->shared);
	vec_release(&m->part);
	vec_release(&m->part_common);
	vec_release(&m->found);
	vec_release(&m->chosen);
	vec_release(&m->parts);
	vec_release(&m->split);
	table_release(&m->by_pair);
	free(m->places);
}
