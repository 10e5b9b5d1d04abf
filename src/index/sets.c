/* SPDX-License-Identifier: MIT */
/* The order of sets needs the waste that is really there: so all are made before the first is delivered. */
#include <config.h>

#include "index/sets.h"

#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "base/num.h"
#include "base/path.h"
#include "base/vec.h"
#include "db/stmt.h"
#include "index/effect.h"
#include "index/file.h"
#include "index/index.h"
#include "index/sets_load.h"
#include "sys/stop.h"

const char *const sets_order_names[] = { "waste", "size", "count", "path", "time", NULL };

/* A set that will be delivered. */
struct sets_set {
	struct set_answer a;
	size_t first;                /* its members in sets.members */
	int64_t newest_ns;
};

struct sets {
	struct sets_source source;
	VEC(struct sets_member) members; /* of all that will be delivered */
	VEC(struct sets_set) sets;
	struct effect effect;
};

static int
sets_cmp_inode(const void *a, const void *b, void *paths)
{
	const struct sets_member *x = a, *y = b;
	const bool dead_x = x->m.kind != MEMBER_COPY, dead_y = y->m.kind != MEMBER_COPY;

	if (dead_x != dead_y)
		return dead_x ? 1 : -1;
	if (x->volume != y->volume)
		return x->volume < y->volume ? -1 : 1;
	if (x->m.inode != y->m.inode)
		return x->m.inode < y->m.inode ? -1 : 1;
	return strcmp((char *)paths + x->path, (char *)paths + y->path);
}

static int
sets_cmp_place(const void *a, const void *b, void *paths)
{
	const struct sets_member *x = a, *y = b;
	const bool dead_x = x->lead == NULL, dead_y = y->lead == NULL;
	int cmp;

	if (dead_x != dead_y)
		return dead_x ? 1 : -1;
	if (!dead_x) {
		cmp = strcmp((char *)paths + x->lead->path, (char *)paths + y->lead->path);
		if (cmp != 0)
			return cmp;
		if (x->m.kind != y->m.kind)
			return x->m.kind == MEMBER_COPY ? -1 : 1;
	}
	return strcmp((char *)paths + x->path, (char *)paths + y->path);
}

/* Tell copies from links, count, and put the members in order. */
static void
sets_arrange(struct sets *s, const struct sets_group *g, struct sets_set *set)
{
	struct sets_member *v = s->source.set.v;
	struct sets_member *leads;
	int64_t blocks = 0, most = 0;
	const size_t n = s->source.set.n;

	memset(set, 0, sizeof(*set));
	qsort_r(v, n, sizeof(*v), sets_cmp_inode, s->source.paths.data);
	for (size_t i = 0; i < n && v[i].m.kind == MEMBER_COPY; i++) {
		if (i > 0 && !s->source.q->links_are_copies &&
		    v[i].m.inode == v[i - 1].m.inode && v[i].volume == v[i - 1].volume) {
			v[i].m.kind = MEMBER_LINK;
			v[i].lead = v[i - 1].lead;
			continue;
		}
		v[i].lead = &v[i];
		set->a.n_copies++;
		blocks = num_add(blocks, v[i].blocks);
		if (v[i].blocks > most)
			most = v[i].blocks;
		if (v[i].m.mtime_ns > set->newest_ns)
			set->newest_ns = v[i].m.mtime_ns;
	}
	/* The leads must not move while the sort asks for them. */
	leads = mem_alloc((n + 1) * sizeof(*leads));
	memcpy(leads, v, n * sizeof(*leads));
	for (size_t i = 0; i < n; i++) {
		if (v[i].lead != NULL)
			v[i].lead = leads + (v[i].lead - v);
	}
	qsort_r(v, n, sizeof(*v), sets_cmp_place, s->source.paths.data);
	free(leads);
	set->a.size = g->size;
	set->a.hash = g->hash;
	set->a.redundant = set->a.n_copies > 1 ? num_mul(set->a.n_copies - 1, g->size) : 0;
	set->a.redundant_disk = num_mul(num_sub(blocks, most), 512);
	set->a.n_members = n;
}

/* Whether the query is for this set. */
static bool
sets_wanted(const struct sets *s, const struct sets_set *set)
{
	const struct sets_query *q = s->source.q;
	size_t first = q->n_dirs;
	bool across = false;

	if (set->a.n_copies < 2 || set->a.redundant < q->min_waste)
		return false;
	if (q->n_dirs == 0)
		return true;
	for (size_t i = 0; i < s->source.set.n; i++) {
		const struct sets_member *m = &s->source.set.v[i];

		for (size_t j = 0; m->lead != NULL && j < q->n_dirs; j++) {
			if (!path_is_below(s->source.paths.data + m->path, q->dirs[j]))
				continue;
			across |= first != q->n_dirs && first != j;
			first = j;
		}
	}
	return first != q->n_dirs && (across || !q->across);
}

static void
sets_count_lost(const struct sets *s, struct set_totals *totals)
{
	for (size_t i = 0; i < s->source.set.n; i++) {
		const enum member_kind kind = s->source.set.v[i].m.kind;

		totals->n_stale += kind == MEMBER_GONE || kind == MEMBER_CHANGED;
		totals->n_offline += kind == MEMBER_OFFLINE;
	}
}

static int
sets_make(struct sets *s, const struct sets_group *g, struct set_totals *totals, struct err *err)
{
	const size_t paths = s->source.paths.len;
	struct sets_set set;

	if (sets_load_members(&s->source, g, err) < 0)
		return -1;
	sets_arrange(s, g, &set);
	/* No set any more, or none that can be looked at: that is worth a line. */
	if (set.a.n_copies < 2 && s->source.q->n_dirs == 0)
		sets_count_lost(s, totals);
	if (!sets_wanted(s, &set)) {
		/* Paths that were made for this set alone are not needed. */
		if (g->n == 0)
			buf_cut(&s->source.paths, paths);
		return 0;
	}
	totals->n_sets++;
	totals->redundant = num_add(totals->redundant, set.a.redundant);
	totals->redundant_disk = num_add(totals->redundant_disk, set.a.redundant_disk);
	sets_count_lost(s, totals);
	set.first = s->members.n;
	for (size_t i = 0; i < s->source.set.n; i++) {
		totals->n_files += s->source.set.v[i].lead != NULL;
		vec_push(&s->members, s->source.set.v[i]);
	}
	vec_push(&s->sets, set);
	return 0;
}

/* A set and what the order needs of the whole. */
struct sets_sort {
	const struct sets *s;
	enum sets_order order;
};

static const char *
sets_path(const struct sets *s, const struct sets_set *set)
{
	return s->source.paths.data + s->members.v[set->first].path;
}

static int
sets_cmp(const void *a, const void *b, void *arg)
{
	const struct sets_set *x = a, *y = b;
	const struct sets_sort *sort = arg;
	int64_t kx = 0, ky = 0;

	switch (sort->order) {
	case SETS_WASTE:
		kx = x->a.redundant;
		ky = y->a.redundant;
		break;
	case SETS_SIZE:
		kx = x->a.size;
		ky = y->a.size;
		break;
	case SETS_COUNT:
		kx = x->a.n_copies;
		ky = y->a.n_copies;
		break;
	case SETS_TIME:
		kx = x->newest_ns;
		ky = y->newest_ns;
		break;
	case SETS_PATH:
		break;
	}
	if (kx != ky)
		return kx > ky ? -1 : 1;
	return strcmp(sets_path(sort->s, x), sets_path(sort->s, y));
}

/* Give a member the decision about it. */
static int
sets_mark(struct sets *s, const struct sets_set *set, struct member *m, struct err *err)
{
	if (!s->source.ix->marks || m->kind == MEMBER_GONE || m->kind == MEMBER_CHANGED)
		return 0;
	return effect_of(&s->effect, &s->source.check, m->path, set->a.size, m->mtime_ns, set->a.hash, &m->mark, err);
}

static int
sets_deliver(struct sets *s, sets_fn *fn, void *arg, struct err *err)
{
	struct { struct member *v; size_t n, cap; } members = { 0 };
	size_t n = s->source.q->top > 0 && (size_t)s->source.q->top < s->sets.n ? (size_t)s->source.q->top : s->sets.n;
	int ret = 0;

	for (size_t i = 0; i < n && ret == 0; i++) {
		struct sets_set *set = &s->sets.v[i];

		members.n = 0;
		for (size_t j = 0; ret == 0 && j < set->a.n_members; j++) {
			const struct sets_member *m = &s->members.v[set->first + j];
			struct member *to = vec_add(&members);

			*to = m->m;
			to->path = s->source.paths.data + m->path;
			ret = sets_mark(s, set, to, err);
		}
		set->a.members = members.v;
		if (ret == 0)
			ret = fn(arg, &set->a);
	}
	vec_release(&members);
	return ret;
}

int
sets_each(struct index *ix, const struct sets_query *q, sets_fn *fn, void *arg, struct set_totals *totals,
          struct err *err)
{
	struct sets s = { .source = { .ix = ix, .q = q } };
	struct sets_source *source = &s.source;
	int ret;

	memset(totals, 0, sizeof(*totals));
	ret = sets_load(source, err);
	for (size_t i = 0; ret == 0 && i < source->groups.n; i++) {
		ret = sets_make(&s, &source->groups.v[i], totals, err);
		if (ret == 0)
			ret = stop_check(err);
	}
	if (ret == 0 && s.sets.n > 0) {
		struct sets_sort sort = { &s, q->order };

		qsort_r(s.sets.v, s.sets.n, sizeof(*s.sets.v), sets_cmp, &sort);
		ret = sets_deliver(&s, fn, arg, err);
	}
	sets_load_release(source);
	vec_release(&s.members);
	vec_release(&s.sets);
	return ret;
}

static int
sets_cmp_group(const void *a, const void *b)
{
	const struct sets_group *x = a, *y = b;

	if (x->size != y->size)
		return x->size < y->size ? -1 : 1;
	return memcmp(x->hash, y->hash, HASH_SIZE);
}

int
sets_count(struct index *ix, int64_t *sets, int64_t *redundant, struct err *err)
{
	struct sets_source source = { .ix = ix };
	VEC(struct sets_group) links = { 0 };
	struct stmt st = stmt_get(ix->db, SQL_CONTENT_LINKS, err);
	int ret;

	*sets = *redundant = 0;
	/* Names beyond the first of an inode waste nothing. */
	while ((ret = stmt_step(&st)) == 1) {
		struct sets_group *g = vec_add(&links);

		g->size = stmt_col_int(&st, 0);
		g->names = stmt_col_int(&st, 2) - stmt_col_int(&st, 3);
		if (file_read_hash(&st, 1, g->hash, err) < 0) {
			stmt_done(&st);
			ret = -1;
			break;
		}
	}
	if (ret == 0)
		ret = sets_load_groups(&source, 1, err);
	if (links.n > 0)
		qsort(links.v, links.n, sizeof(*links.v), sets_cmp_group);
	for (size_t i = 0; ret == 0 && i < source.groups.n; i++) {
		const struct sets_group *g = &source.groups.v[i], *extra = NULL;
		int64_t copies = g->names;

		if (links.n > 0)
			extra = bsearch(g, links.v, links.n, sizeof(*links.v), sets_cmp_group);
		if (extra != NULL)
			copies -= extra->names;
		if (copies > 1) {
			(*sets)++;
			*redundant = num_add(*redundant, num_mul(copies - 1, g->size));
		}
	}
	vec_release(&links);
	vec_release(&source.groups);
	return ret;
}
