/* SPDX-License-Identifier: MIT */
/*
 * A greedy cover.  Each content counts at all directories above its names, up to those above the
 * directory in question, which would say nothing; what lies directly in one of those is a place of
 * its own.  The place with most files is taken, and its contents are taken off again, until
 * everything is covered or there are enough places.
 *
 * The place with most files is always the uppermost.  So it is followed down as long as one
 * subdirectory has all of what it has, or three quarters while less than half of its files are
 * what is looked for: a directory that holds little else is told by its own name.
 *
 * Of a content with very many names only some are counted.
 */
#include "base/base.h"

#include "trees/copy_locations.h"

#include "query/dirtree.h"
#include "trees/contents_map.h"
#include "trees/removal.h"

/* Limits: places of an answer; names of a content that are counted; names that are passed over. */
enum { COPY_LOCATIONS_MAX = 8, COPY_LOCATIONS_NAMES = 64, COPY_LOCATIONS_PASSED = 4096 };

/* The names of a content that lie in places: = { .p = ..., .dir = ..., .content = ... }. */
struct copy_locations_names {
	const struct copy_locations *p;
	uint32_t dir, content;
	uint32_t passed, counted;
};

/*
 * The directory of the next name that is not in dir, and stays if dir goes.  DIRTREE_NONE: that
 * was the last.
 */
static uint32_t
copy_locations_next(struct copy_locations_names *n)
{
	const struct removal *r = n->p->r;
	const struct contents_map_content *c = &r->m->v[n->content];

	while (n->passed < c->n && n->passed < COPY_LOCATIONS_PASSED && n->counted < COPY_LOCATIONS_NAMES) {
		const uint32_t at = c->first + n->passed++, dir = r->m->names[at].dir;

		if ((dir >= n->dir && dir < dirtree_end(r->m->dirs, n->dir)) || (r->going[n->dir] && r->going[dir]) || !removal_keeps(r, n->content, at))
			continue;
		n->counted++;
		return dir;
	}
	return DIRTREE_NONE;
}

/* Count a content at a place.  Returns false where it has been counted. */
static bool
copy_locations_count(struct copy_locations *p, uint32_t place, int64_t files)
{
	if (p->stamp[place] == p->stamps)
		return false;
	p->stamp[place] = p->stamps;
	if (p->at[place] == 0)
		vec_push(&p->touched, place);
	p->at[place] += files;
	return true;
}

static bool
copy_locations_is_above(const struct copy_locations *p, uint32_t above, uint32_t dir)
{
	return above <= dir && dir < dirtree_end(p->r->m->dirs, above);
}

/* Add a content's files to all places in which it lies.  Returns whether there are any. */
static bool
copy_locations_add(struct copy_locations *p, uint32_t dir, const struct removal_content *c, int64_t files)
{
	struct copy_locations_names names = { .p = p, .dir = dir, .content = c->content };
	bool any = false;

	p->stamps++;
	for (uint32_t at; (at = copy_locations_next(&names)) != DIRTREE_NONE; any = true) {
		if (copy_locations_is_above(p, at, dir)) {
			copy_locations_count(p, at * 2 + 1, files);
			continue;
		}
		while (!copy_locations_is_above(p, at, dir) && copy_locations_count(p, at * 2, files))
			at = dirtree_parent(p->r->m->dirs, at);
	}
	return any;
}

/* Whether a content has a name in a place. */
static bool
copy_locations_has(const struct copy_locations *p, uint32_t dir, uint32_t content, uint32_t place)
{
	struct copy_locations_names names = { .p = p, .dir = dir, .content = content };

	for (uint32_t at; (at = copy_locations_next(&names)) != DIRTREE_NONE;) {
		if ((place & 1) != 0 ? at == place / 2 : copy_locations_is_above(p, place / 2, at))
			return true;
	}
	return false;
}

/*
 * Go down from a place while one subdirectory has all of what it has, or most, unless most of its
 * files are that anyway.
 */
static uint32_t
copy_locations_down(const struct copy_locations *p, uint32_t place)
{
	const struct dirtree *t = p->r->m->dirs;
	bool deeper = (place & 1) == 0;

	while (deeper) {
		const bool enough = p->at[place] * 2 >= p->names[place / 2];

		deeper = false;
		for (uint32_t in = dirtree_first(t, place / 2); in != DIRTREE_NONE && !deeper; in = dirtree_next(t, in)) {
			if (enough ? p->at[in * 2] < p->at[place] : p->at[in * 2] * 4 < p->at[place] * 3)
				continue;
			place = in * 2;
			deeper = true;
		}
	}
	return place;
}

/* The place that has most files, the first and uppermost of several. */
static uint32_t
copy_locations_best(const struct copy_locations *p)
{
	uint32_t best = p->touched.v[0];

	for (size_t i = 1; i < p->touched.n; i++) {
		const uint32_t place = p->touched.v[i];

		if (p->at[place] > p->at[best] || (p->at[place] == p->at[best] && place < best))
			best = place;
	}
	return copy_locations_down(p, best);
}

/* The order of answers: most files first, then by path. */
static int
copy_locations_cmp(const void *a, const void *b)
{
	const struct copy_locations_place *x = a, *y = b;

	ORDER_CMP(y->files, x->files);
	ORDER_CMP(x->place, y->place);
	return 0;
}

/* Count the names below every directory. */
static void
copy_locations_open(struct copy_locations *p)
{
	const struct contents_map *m = p->r->m;
	const uint32_t n = dirtree_count(m->dirs);

	p->at = mem_zalloc((size_t)n * 2, sizeof(*p->at));
	p->stamp = mem_zalloc((size_t)n * 2, sizeof(*p->stamp));
	p->names = mem_zalloc(n, sizeof(*p->names));
	for (size_t i = 0; i < m->n_names; i++)
		p->names[m->names[i].dir]++;
	dirtree_add_up(m->dirs, (uint64_t *)p->names, 1, 1);
}

void
copy_locations_find(struct copy_locations *p, uint32_t dir, const struct removal_contents *contents)
{
	VEC(struct removal_content) left = { 0 };

	if (p->at == NULL)
		copy_locations_open(p);
	p->found.n = 0;
	p->outside = 0;
	p->elsewhere = 0;
	for (size_t i = 0; i < contents->n; i++) {
		const struct removal_content *c = &contents->v[i];

		if (copy_locations_add(p, dir, c, c->files))
			vec_push(&left, *c);
		else if (removal_outside(p->r, c->content))
			p->outside += c->files;
		else
			p->elsewhere += c->files;
	}
	while (left.n > 0 && p->found.n < COPY_LOCATIONS_MAX) {
		const uint32_t place = copy_locations_best(p);
		size_t n = 0;

		vec_push(&p->found, ((struct copy_locations_place){ place, p->at[place] }));
		for (size_t i = 0; i < left.n; i++) {
			const struct removal_content c = left.v[i];

			if (copy_locations_has(p, dir, c.content, place))
				copy_locations_add(p, dir, &c, -(int64_t)c.files);
			else
				left.v[n++] = c;
		}
		left.n = n;
	}
	if (p->found.n > 1)
		qsort(p->found.v, p->found.n, sizeof(*p->found.v), copy_locations_cmp);
	for (size_t i = 0; i < left.n; i++)
		p->elsewhere += left.v[i].files;
	for (size_t i = 0; i < p->touched.n; i++)
		p->at[p->touched.v[i]] = 0;
	p->touched.n = 0;
	vec_release(&left);
}

void
copy_locations_release(struct copy_locations *p)
{
	vec_release(&p->found);
	vec_release(&p->touched);
	free(p->at);
	free(p->stamp);
	free(p->names);
}
