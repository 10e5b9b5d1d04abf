/* SPDX-License-Identifier: MIT */
/*
 * Sums over subtrees by what is added where, as query/usage explains: a name at its directory; an
 * inode's bytes at each of its names, less what neighbours have in common; what it frees at the
 * directory that all its names have in common.  Names that are not there any more still hold the
 * inode, as far as is known.
 */
#include "base/base.h"

#include "trees/dir_sums.h"

#include "query/dirtree.h"
#include "trees/contents_map.h"
#include "trees/stat_results.h"

/* A name of an inode with several links. */
struct dir_sums_link {
	uint32_t copy, dir;
	bool here;
	bool held;                   /* it has names that are not in the map */
};

struct dir_sums {
	const struct contents_map *m;
	const struct stat_results *l;    /* NULL: all is as indexed */
	const bool *going;           /* NULL: sums by directory are wanted, else only frees */
	struct dir_sum *v;
	uint64_t frees;
	VEC(struct dir_sums_link) links;
};

static int
dir_sums_cmp(const void *a, const void *b)
{
	const struct dir_sums_link *x = a, *y = b;

	ORDER_CMP(x->copy, y->copy);
	ORDER_CMP(x->dir, y->dir);
	return 0;
}

/* Add n names of one inode, in the order of their directories. */
static void
dir_sums_inode(struct dir_sums *s, uint64_t size, bool alias, const struct dir_sums_link *names, size_t n)
{
	bool goes = !alias, any = false;
	uint32_t before = DIRTREE_NONE;

	for (size_t i = 0; i < n; i++) {
		goes = goes && !names[i].held && (s->going == NULL || s->going[names[i].dir]);
		any = any || names[i].here;
		if (s->going != NULL || !names[i].here)
			continue;
		s->v[names[i].dir].files++;
		s->v[names[i].dir].bytes += size;
		if (before != DIRTREE_NONE)
			s->v[dirtree_common(s->m->dirs, before, names[i].dir)].bytes -= size;
		before = names[i].dir;
	}
	if (!goes || !any)
		return;
	if (s->going != NULL)
		s->frees += size;
	else
		s->v[dirtree_common(s->m->dirs, names[0].dir, names[n - 1].dir)].frees += size;
}

static void
dir_sums_content(struct dir_sums *s, const struct contents_map_content *c)
{
	s->links.n = 0;
	for (uint32_t i = c->first; i < c->first + c->n; i++) {
		const struct contents_map_name *n = &s->m->names[i];
		const struct dir_sums_link link = { n->copy, n->dir, s->l == NULL || stat_results_here(s->l, i), n->outside || n->excluded };

		if (n->linked)
			vec_push(&s->links, link);
		else
			dir_sums_inode(s, (uint64_t)c->size, c->alias, &link, 1);
	}
	if (s->links.n > 1)
		qsort(s->links.v, s->links.n, sizeof(*s->links.v), dir_sums_cmp);
	for (size_t i = 0, end; i < s->links.n; i = end) {
		for (end = i + 1; end < s->links.n && s->links.v[end].copy == s->links.v[i].copy; end++)
			;
		dir_sums_inode(s, (uint64_t)c->size, c->alias, &s->links.v[i], end - i);
	}
}

static void
dir_sums_contents(struct dir_sums *s)
{
	for (size_t i = 0; i < s->m->n; i++) {
		if (s->l == NULL || s->l->wanted[i])
			dir_sums_content(s, &s->m->v[i]);
	}
	vec_release(&s->links);
}

struct dir_sum *
dir_sums_make(const struct contents_map *m, const struct stat_results *l)
{
	struct dir_sums s = { .m = m, .l = l, .v = mem_zalloc(dirtree_count(m->dirs), sizeof(*s.v)) };

	dir_sums_contents(&s);
	dirtree_add_up(m->dirs, &s.v->files, 3, 3);
	return s.v;
}

uint64_t
dir_sums_frees(const struct contents_map *m, const struct stat_results *l, const bool *going)
{
	struct dir_sums s = { .m = m, .l = l, .going = going };

	dir_sums_contents(&s);
	return s.frees;
}
