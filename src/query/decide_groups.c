/* SPDX-License-Identifier: MIT */
/*
 * Groups must come at once, but a set must be true: decide_groups_load believes the index, and
 * decide_groups_look_at looks at the files of one set.
 * Both judge the names of a set alike, inode by inode (decide_groups_judge).
 *
 * struct decide_groups        the answer: sets, and groups of them, which are ranges of sets
 * struct decide_groups_look   a source of members; the names of the set in hand
 * struct decide_groups_load   one call of decide_groups_load: a look that believes the index
 *
 * A group is found by the numbers of its places.  All runs in the calling thread:
 * it does not ask sets_source for stats, which threads would do.
 */
#include "base/base.h"

#include "query/decide_groups.h"

#include <xxhash.h>

#include "index/index.h"
#include "index/marks.h"
#include "index/roots.h"
#include "query/sets.h"
#include "sys/stop.h"

struct decide_groups_load {
	struct decide_groups *o;
	struct decide_groups_look look;
	struct table by_places;       /* of groups */
	VEC(uint32_t) places;         /* of the set in hand */
};

/* The number of the place that is the first len bytes of path. */
static uint32_t
decide_place_number(struct places *p, const char *path, size_t len, bool own, bool asked)
{
	const uint64_t hash = XXH3_64bits(path, len) ^ own;
	uint32_t number;

	TABLE_EACH(i, &p->by_path, hash) {
		if (p->v.v[i].own == own && strncmp(p->v.v[i].path, path, len) == 0 && p->v.v[i].path[len] == '\0')
			return (uint32_t)i;
	}
	number = (uint32_t)p->v.n;
	vec_push(&p->v, ((struct place){ arena_dup(&p->memory, path, len), own, asked, number }));
	table_add(&p->by_path, hash, number);
	return number;
}

/* Find the place of the files directly in the directory dir, len bytes with a slash at the end. */
static int
decide_places_of(struct places *p, const char *dir, size_t len, struct wholes *wholes, struct place_found *found, struct err *err)
{
	const char *path, *base, *rest, *name;
	size_t path_len, name_len, number;
	const struct root *root;
	struct whole whole;
	bool asked;
	int ret;

	*found = (struct place_found){ .hidden = false };
	assert(len > 0 && dir[len - 1] == '/');
	buf_cut(&p->dir, 0);
	buf_add(&p->dir, dir, len > 1 ? len - 1 : len);
	path = buf_str(&p->dir);
	path_len = p->dir.len;
	asked = pathset_above(&p->asked, path, &path_len, &number);
	root = asked ? NULL : roots_above(&p->roots, path);
	base = asked ? p->dirs[number] : root != NULL ? root->path : "/";
	rest = path_below(path, base);
	assert(rest != NULL);
	found->place = *rest == '\0' ? decide_place_number(p, base, strlen(base), true, asked) :
	              decide_place_number(p, path, (size_t)(rest - path) + strcspn(rest, "/"), false, asked);
	if (asked) {
		const uint32_t all = decide_place_number(p, base, strlen(base), false, true);

		p->v.v[found->place].whole = all;
	}
	ret = wholes != NULL ? wholes_find(wholes, base, dir, &whole, err) : 0;
	found->part_of = ret == 1 ? whole.kind : 0;
	while (path_next(&rest, &name, &name_len))
		found->hidden |= name[0] == '.';
	return ret < 0 ? -1 : 0;
}

bool
decide_groups_hides_some(const struct decide_groups_look *l)
{
	for (size_t i = 0; i < l->names.n; i++) {
		if (l->names.v[i].kind == MEMBER_OFFLINE || l->names.v[i].kind == MEMBER_UNREADABLE)
			return true;
	}
	return false;
}

bool
decide_groups_counts(const struct decide_groups_name *name)
{
	return name->role == DECIDE_GROUPS_OPEN || name->role == DECIDE_GROUPS_FIXED || name->role == DECIDE_GROUPS_KEPT;
}

bool
decide_groups_can_stay(const struct decide_groups_name *name)
{
	return decide_groups_counts(name) && !name->trash;
}

bool
decide_groups_is_held(const struct decide_groups_look *l, size_t i)
{
	const uint32_t inode = l->names.v[i].inode;
	bool held = false;

	for (size_t j = inode; j < l->names.n && l->names.v[j].inode == inode; j++)
		held |= l->names.v[j].held != DECIDE_GROUPS_FREE;
	return held;
}

const char *
decide_groups_path(const struct decide_groups_look *l, const struct decide_groups_name *name)
{
	return l->paths.data + name->path;
}

/* Find the place of the names in a directory.  NULL with *err. */
static const struct place_found *
decide_groups_place(struct decide_groups_look *l, const struct dirs_prefix *dir, struct err *err)
{
	struct decide_groups_dir *known;

	while (l->dirs.n <= dir->number)
		vec_push(&l->dirs, ((struct decide_groups_dir){ .known = false }));
	known = &l->dirs.v[dir->number];
	if (!known->known) {
		if (decide_places_of(&l->o->places, dir->text, dir->len, l->o->q.inside ? NULL : &l->wholes, &known->found, err) < 0)
			return NULL;
		known->found.hidden &= !l->o->q.hidden;
		known->known = true;
	}
	return &known->found;
}

/* Find the mark of a name, if it is for this content. */
static int
decide_groups_mark(struct decide_groups_look *l, struct decide_groups_name *name, const struct sets_group *g, struct err *err)
{
	const char *path = decide_groups_path(l, name);
	struct mark m;
	const int ret = marks_get(&l->marks, g->hash, path, &m, err);

	if (ret == 1 && mark_fits(&m, g->size, fs_time_key(name->as.facts.mtime), g->hash))
		name->as.mark = m.decision;
	return ret < 0 ? -1 : 0;
}

/* What may become of the n names of an inode that has nlink of them. */
static void
decide_groups_judge_inode(struct decide_groups_look *l, struct decide_groups_name *v, size_t n, int64_t nlink)
{
	static const enum decide_groups_role roles[] = {
		[SETS_OPEN] = DECIDE_GROUPS_OPEN, [SETS_FIXED] = DECIDE_GROUPS_FIXED, [SETS_KEPT] = DECIDE_GROUPS_KEPT, [SETS_DROPPED] = DECIDE_GROUPS_DROPPED,
	};
	size_t n_drop = 0, n_hidden = 0, n_held = 0, n_part = 0;
	bool kept = false;
	enum decide_groups_role role;

	for (size_t i = 0; i < n; i++) {
		n_hidden += v[i].role == DECIDE_GROUPS_HIDDEN;
		n_held += v[i].held != DECIDE_GROUPS_FREE;
		n_part += v[i].held == DECIDE_GROUPS_PART;
		n_drop += v[i].as.mark == MARK_DROP;
		kept |= v[i].as.mark == MARK_KEEP;
	}
	/* Hidden and held names are left alone: with one of them the inode stays. */
	role = n_hidden == n && n_drop < n ? DECIDE_GROUPS_HIDDEN :
	       roles[sets_member_fate(n, n_drop, kept, n_hidden + n_held > 0 ? INT64_MAX : nlink)];
	for (size_t i = 0; i < n; i++) {
		if (v[i].role != DECIDE_GROUPS_HIDDEN || role == DECIDE_GROUPS_DROPPED)
			v[i].role = role;
	}
	l->n_open += role == DECIDE_GROUPS_OPEN;
	l->n_stay += role == DECIDE_GROUPS_FIXED || role == DECIDE_GROUPS_KEPT;
	l->n_marked += role == DECIDE_GROUPS_KEPT || role == DECIDE_GROUPS_DROPPED;
	l->n_hidden += role == DECIDE_GROUPS_HIDDEN;
	l->n_parts += role == DECIDE_GROUPS_FIXED && n_part > 0;
}

/*
 * Copies in several of the directories that were asked for, or also outside of them, are grouped
 * by these directories as a whole; copies that all lie in one, by the directories in it.
 */
static void
decide_groups_join_places(struct decide_groups_look *l)
{
	const struct place *places = l->o->places.v.v;
	bool joined = false;
	uint32_t whole = UINT32_MAX;

	for (size_t i = 0; i < l->names.n; i++) {
		if (!decide_groups_can_stay(&l->names.v[i]))
			continue;
		joined |= whole != UINT32_MAX && whole != places[l->names.v[i].place].whole;
		whole = places[l->names.v[i].place].whole;
	}
	for (size_t i = 0; joined && i < l->names.n; i++)
		l->names.v[i].place = places[l->names.v[i].place].whole;
}

/* Whether the query keeps a path. */
static enum decide_groups_held
decide_groups_held(const struct decide_groups_query *q, const char *path)
{
	if (q->keep != NULL && path_is_below_any(path, q->keep->protect, q->keep->n_protect))
		return DECIDE_GROUPS_PROTECTED;
	return q->n_only > 0 && !path_is_below_any(path, q->only, q->n_only) ? DECIDE_GROUPS_OUTSIDE : DECIDE_GROUPS_FREE;
}

void
decide_groups_ask(struct decide_groups_name *name, bool out, bool pinned)
{
	name->out = out || !decide_groups_counts(name);
	name->as.wish = name->out ? KEEP_NOT_ASKED : pinned ? KEEP_PINNED : name->role == DECIDE_GROUPS_OPEN ? KEEP_ASKED : KEEP_NOT_ASKED;
}

int64_t
decide_groups_choose(struct decide_groups_look *l)
{
	static const struct keep one = { .copies = 1 };
	const struct keep *keep = l->o->q.keep != NULL ? l->o->q.keep : &one;
	size_t at = 0;
	int64_t n = 0;

	l->choosing.n = l->order.n = 0;
	for (size_t i = 0; i < l->names.n; i++) {
		const struct decide_groups_name *name = &l->names.v[i];
		struct keep_name *k;

		if (name->out)
			continue;
		k = vec_add(&l->choosing);
		*k = name->as;
		k->facts.path = decide_groups_path(l, name);
		k->standing = k->mark == MARK_DROP ? KEEP_IGNORED : KEEP_COUNTS;
		keep_place(keep, &l->o->only, &l->o->backups, roots_of_file(&l->o->places.roots, k->facts.path), k);
		if (name->held == DECIDE_GROUPS_PART && keep_may_ask(k))
			k->wish = KEEP_PINNED;
	}
	for (size_t i = 0; i < l->choosing.n; i++)
		vec_push(&l->order, &l->choosing.v[i]);
	keep_choose(keep, l->order.v, l->order.n);
	for (size_t i = 0; i < l->names.n; i++) {
		struct decide_groups_name *name = &l->names.v[i];
		const struct keep_name *k = !name->out ? &l->choosing.v[at++] : NULL;

		name->goes = k != NULL && k->fate == KEEP_GOES;
		name->picked = k != NULL && k->chosen;
		n += name->goes && (i == 0 || name[-1].inode != name->inode || !name[-1].goes);
	}
	return n;
}

/* How many inodes of the judged set may go; any: whichever others stay. */
static int64_t
decide_groups_count_going(struct decide_groups_look *l, bool any)
{
	/* Only their number counts. */
	if (any)
		return sets_member_open(l->n_open, l->n_stay) ? l->n_open - (l->n_stay == 0) : 0;
	for (size_t i = 0; i < l->names.n; i++)
		decide_groups_ask(&l->names.v[i], false, false);
	return l->n_open > 0 ? decide_groups_choose(l) : 0;
}

/* Judge the arranged members of a group; their paths and marks are read if marks. */
static int
decide_groups_judge(struct decide_groups_look *l, const struct sets_group *g, bool marks, struct err *err)
{
	const struct sets_member *v = l->source.members.v + g->first;
	const struct decide_groups_query *q = &l->o->q;
	bool any = q->keep == NULL;

	for (size_t i = 0; i < g->n; i++)
		any &= v[i].dir->trash == 0 && v[i].dir->fleeting == v[0].dir->fleeting;
	l->names.n = 0;
	l->n_open = l->n_stay = l->n_marked = l->n_hidden = l->n_parts = 0;
	l->parts_of = 0;
	buf_cut(&l->paths, 0);
	for (size_t i = 0; i < g->n; i++) {
		const struct place_found *found = decide_groups_place(l, v[i].dir, err);
		struct decide_groups_name *name = vec_add(&l->names);

		if (found == NULL)
			return -1;
		*name = (struct decide_groups_name){ .path = l->paths.len, .kind = v[i].kind, .place = found->place, .error = v[i].error,
		                               .inode = (uint32_t)i, .trash = v[i].dir->trash > 0,
		                               .as = { .facts = { .mtime = v[i].mtime, .nlink = v[i].nlink }, .inode = v[i].inode,
		                                       .fleeting = v[i].dir->fleeting } };
		name->role = !sets_member_lives(&v[i]) ? DECIDE_GROUPS_ABSENT : found->hidden ? DECIDE_GROUPS_HIDDEN : DECIDE_GROUPS_OPEN;
		if (v[i].kind == MEMBER_LINK)
			name->inode = name[-1].inode;
		name->held = found->part_of != 0 ? DECIDE_GROUPS_PART : DECIDE_GROUPS_FREE;
		l->parts_of |= found->part_of;
		if (!marks && any && q->n_only == 0)
			continue;
		sets_member_path(&v[i], l->source.names.data, &l->paths);
		if (name->held == DECIDE_GROUPS_FREE)
			name->held = decide_groups_held(q, decide_groups_path(l, name));
		if (marks && decide_groups_mark(l, name, g, err) < 0)
			return -1;
	}
	for (size_t i = 0, n; i < g->n; i += n) {
		n = sets_member_links(v, g->n, i);
		if (v[i].kind == MEMBER_COPY)
			decide_groups_judge_inode(l, &l->names.v[i], n, v[i].nlink);
	}
	if (!sets_member_any_goes(v, g->n, false))
		l->n_open = 0;
	decide_groups_join_places(l);
	l->n_goes = decide_groups_count_going(l, any);
	return 0;
}

/* Whether the query is for the judged set. */
static bool
decide_groups_is_asked(const struct decide_groups_look *l)
{
	const struct decide_groups *o = l->o;
	bool some = false, all = true;

	for (size_t i = 0; i < l->names.n; i++) {
		const struct decide_groups_name *name = &l->names.v[i];

		if (name->role == DECIDE_GROUPS_ABSENT || name->role == DECIDE_GROUPS_HIDDEN)
			continue;
		some |= o->places.v.v[name->place].asked;
		all &= o->places.v.v[name->place].asked || name->trash;
	}
	return o->q.sets.n_dirs == 0 || (some && (all || !o->q.within));
}

/* The places of the judged set whose names can stay, by their numbers, each once. */
static void
decide_groups_list_places(struct decide_groups_load *load)
{
	size_t n = 0;

	load->places.n = 0;
	for (size_t i = 0; i < load->look.names.n; i++) {
		if (decide_groups_can_stay(&load->look.names.v[i]))
			vec_push(&load->places, load->look.names.v[i].place);
	}
	qsort(load->places.v, load->places.n, sizeof(*load->places.v), order_cmp_uint32);
	for (size_t i = 0; i < load->places.n; i++) {
		if (i == 0 || load->places.v[i] != load->places.v[n - 1])
			load->places.v[n++] = load->places.v[i];
	}
	load->places.n = n;
}

/* The number of the group with the places that were listed. */
static uint32_t
decide_groups_group_of(struct decide_groups_load *load)
{
	struct decide_groups *o = load->o;
	const size_t bytes = load->places.n * sizeof(*load->places.v);
	const uint64_t hash = XXH3_64bits(load->places.v, bytes);
	uint32_t *places;

	TABLE_EACH(i, &load->by_places, hash) {
		if (o->groups.v[i].n_places == load->places.n && memcmp(o->groups.v[i].places, load->places.v, bytes) == 0)
			return (uint32_t)i;
	}
	places = arena_alloc(&o->memory, bytes);
	memcpy(places, load->places.v, bytes);
	vec_push(&o->groups, ((struct decide_groups_group){ .places = places, .n_places = load->places.n }));
	table_add(&load->by_places, hash, o->groups.n - 1);
	return (uint32_t)(o->groups.n - 1);
}

/* Add the judged set if the query is for it and something is to be decided. */
static void
decide_groups_add(struct decide_groups_load *load, const struct sets_group *g)
{
	struct decide_groups *o = load->o;
	struct decide_groups_look *l = &load->look;
	struct decide_groups_set *set;

	if (!decide_groups_is_asked(l))
		return;
	if (l->n_goes == 0) {
		const bool untouched = l->n_marked == 0 && l->n_hidden + l->n_open + l->n_stay > 1;

		o->n_decided += l->n_marked > 0;
		o->n_hidden += untouched && l->n_hidden > 0;
		o->n_parts += untouched && l->n_hidden == 0 && l->n_parts > 0;
		o->wholes |= untouched && l->n_hidden == 0 && l->n_parts > 0 ? l->parts_of : 0;
		return;
	}
	decide_groups_list_places(load);
	set = vec_add(&o->sets);
	*set = (struct decide_groups_set){ .size = g->size, .redundant = num_mul(l->n_goes, g->size), .open = true };
	memcpy(set->hash, g->hash, HASH_SIZE);
	set->group = decide_groups_group_of(load);
	for (size_t i = 0; i < l->names.n; i++)
		o->groups.v[set->group].trash |= l->names.v[i].trash && decide_groups_counts(&l->names.v[i]);
	o->groups.v[set->group].n++;
	o->groups.v[set->group].redundant = num_add(o->groups.v[set->group].redundant, set->redundant);
	o->redundant = num_add(o->redundant, set->redundant);
}

static int
decide_groups_cmp_set(const void *a, const void *b)
{
	const struct decide_groups_set *x = a, *y = b;

	if (x->group != y->group)
		return x->group < y->group ? -1 : 1;
	if (x->redundant != y->redundant)
		return x->redundant > y->redundant ? -1 : 1;
	return memcmp(x->hash, y->hash, HASH_SIZE);
}

static int
decide_groups_cmp_place(const void *a, const void *b, void *arg)
{
	const struct places *p = arg;
	const struct place *x = &p->v.v[*(const uint32_t *)a], *y = &p->v.v[*(const uint32_t *)b];
	const int cmp = strcmp(x->path, y->path);

	if (x->asked != y->asked)
		return x->asked ? -1 : 1;
	return cmp != 0 ? cmp : (int)y->own - (int)x->own;
}

/* Of groups with places in order: most redundant bytes first, otherwise by places. */
static int
decide_groups_cmp_group(const void *a, const void *b, void *arg)
{
	const struct decide_groups *o = arg;
	const struct decide_groups_group *x = &o->groups.v[*(const uint32_t *)a], *y = &o->groups.v[*(const uint32_t *)b];

	if (x->redundant != y->redundant)
		return x->redundant > y->redundant ? -1 : 1;
	for (size_t i = 0; i < x->n_places && i < y->n_places; i++) {
		const int cmp = decide_groups_cmp_place(&x->places[i], &y->places[i], (void *)(uintptr_t)&o->places);

		if (cmp != 0)
			return cmp;
	}
	return x->n_places < y->n_places ? -1 : x->n_places > y->n_places;
}

/* Put groups in order, and the sets of each together. */
static void
decide_groups_arrange(struct decide_groups *o)
{
	VEC(uint32_t) order = { 0 }, rank = { 0 };
	VEC(struct decide_groups_group) groups = { 0 };
	size_t first = 0;

	for (size_t i = 0; i < o->groups.n; i++) {
		struct decide_groups_group *g = &o->groups.v[i];

		/* Its places are constant for others only. */
		order_sort_by((uint32_t *)(uintptr_t)g->places, g->n_places, sizeof(*g->places), decide_groups_cmp_place, &o->places);
		vec_push(&order, (uint32_t)i);
		vec_push(&rank, 0);
	}
	if (order.n > 1)
		order_sort_by(order.v, order.n, sizeof(*order.v), decide_groups_cmp_group, o);
	for (size_t i = 0; i < order.n; i++) {
		struct decide_groups_group g = o->groups.v[order.v[i]];

		rank.v[order.v[i]] = (uint32_t)i;
		g.first = first;
		first += g.n;
		vec_push(&groups, g);
	}
	for (size_t i = 0; i < o->sets.n; i++)
		o->sets.v[i].group = rank.v[o->sets.v[i].group];
	if (o->sets.n > 1)
		qsort(o->sets.v, o->sets.n, sizeof(*o->sets.v), decide_groups_cmp_set);
	assert(first == o->sets.n);
	free(o->groups.v);
	o->groups.v = groups.v;
	o->groups.n = groups.n;
	o->groups.cap = groups.cap;
	vec_release(&order);
	vec_release(&rank);
}

static int
decide_groups_load_sets(struct decide_groups_load *load, struct err *err)
{
	struct sets_source *source = &load->look.source;

	for (size_t i = 0; i < source->groups.n; i++) {
		struct sets_group *g = &source->groups.v[i];

		if (sets_source_members(source, g, err) < 0 ||
		    decide_groups_judge(&load->look, g, marks_has(&load->look.marks, g->size, g->hash), err) < 0 || stop_check(err) < 0)
			return -1;
		decide_groups_add(load, g);
		sets_source_drop(source, g);
	}
	return 0;
}

static void
decide_groups_begin_wholes(struct decide_groups_look *l, const struct decide_groups_query *q, struct index *ix)
{
	l->wholes = (struct wholes){ .db = ix->db, .more = q->wholes, .n_more = q->n_wholes };
}

int
decide_groups_load(struct decide_groups *o, struct index *ix, const struct decide_groups_query *q, struct err *err)
{
	struct decide_groups_load load = { .o = o };
	int ret;

	o->q = *q;
	backups_copy(&o->backups, &ix->backups);
	load.look.o = o;
	load.look.marks.ix = ix;
	decide_groups_begin_wholes(&load.look, q, ix);
	load.look.wholes.as_indexed = true;
	load.look.q = q->sets;
	load.look.q.no_check = true;
	/* Marks of what was read are for its hash. */
	load.look.q.no_times = q->keep == NULL || !keep_rules_ask_times(&q->keep->rules);
	load.look.source.ix = ix;
	load.look.source.q = &load.look.q;
	ret = sets_source_open(&load.look.source, err);
	/* Places are below these directories, or below the innermost root of a file. */
	o->places.dirs = q->sets.dirs;
	for (size_t i = 0; i < q->sets.n_dirs; i++)
		pathset_add(&o->places.asked, q->sets.dirs[i], i);
	pathset_sort(&o->places.asked);
	for (size_t i = 0; i < q->n_only; i++)
		pathset_add(&o->only, q->only[i], i);
	pathset_sort(&o->only);
	if (ret == 0)
		ret = roots_load(&o->places.roots, ix->db, err);
	if (ret == 0)
		/* One by one, thousands would take most of the time. */
		ret = marks_load(&load.look.marks, err);
	if (ret == 0)
		ret = sets_load(&load.look.source, err);
	if (ret == 0)
		ret = decide_groups_load_sets(&load, err);
	if (ret == 0)
		decide_groups_arrange(o);
	decide_groups_look_end(&load.look);
	vec_release(&load.places);
	table_release(&load.by_places);
	return ret;
}

bool
decide_groups_has_rules(const struct decide_groups *o)
{
	return o->q.keep != NULL && o->q.keep->rules.n > 0;
}

void
decide_groups_release(struct decide_groups *o)
{
	vec_release(&o->places.v);
	pathset_release(&o->places.asked);
	roots_release(&o->places.roots);
	table_release(&o->places.by_path);
	buf_release(&o->places.dir);
	arena_release(&o->places.memory);
	vec_release(&o->sets);
	vec_release(&o->groups);
	backups_release(&o->backups);
	pathset_release(&o->only);
	arena_release(&o->memory);
}

int
decide_groups_look_begin(struct decide_groups_look *l, struct decide_groups *o, struct index *ix, struct err *err)
{
	l->o = o;
	l->q = o->q.sets;
	l->marks.ix = l->source.ix = ix;
	decide_groups_begin_wholes(l, &o->q, ix);
	l->source.q = &l->q;
	return sets_source_open(&l->source, err);
}

int
decide_groups_look_at(struct decide_groups_look *l, struct decide_groups_set *set, struct err *err)
{
	struct sets_group g = { .size = set->size };
	int ret;

	memcpy(g.hash, set->hash, HASH_SIZE);
	ret = sets_source_members(&l->source, &g, err);
	if (ret == 0)
		ret = decide_groups_judge(l, &g, true, err);
	if (ret == 0) {
		set->open = l->n_goes > 0;
		set->hidden = !set->open && l->n_marked == 0 && decide_groups_hides_some(l);
		set->redundant = num_mul(l->n_goes, set->size);
		sets_source_drop(&l->source, &g);
	}
	return ret;
}

void
decide_groups_look_rest(struct decide_groups_look *l)
{
	sets_source_release(&l->source);
	l->source = (struct sets_source){ .ix = NULL };
	l->source.check.root_fd = -1;
}

void
decide_groups_look_end(struct decide_groups_look *l)
{
	sets_source_release(&l->source);
	marks_release(&l->marks);
	vec_release(&l->names);
	vec_release(&l->dirs);
	wholes_release(&l->wholes);
	vec_release(&l->choosing);
	vec_release(&l->order);
	buf_release(&l->paths);
}
