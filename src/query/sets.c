/* SPDX-License-Identifier: MIT */
/*
 * All sets are made before the first is delivered: their order depends on the waste that is there
 * now, and that on a look at every member.
 *
 * struct sets      one call of sets_each: the source, the sets that the query is for
 * struct sets_set  a set to be delivered: its sums and its sort key; the members stay in the
 * source
 *
 * Threads run only inside sets_load, which has ended them when it returns.
 */
#include "base/base.h"

#include "query/sets.h"

#include "db/stmt.h"
#include "index/exclusive_extents.h"
#include "index/file.h"
#include "index/fleeting.h"
#include "index/index.h"
#include "index/marks.h"
#include "index/roots.h"
#include "index/wholes.h"
#include "query/indexes.h"
#include "query/keep.h"
#include "query/mark_effect.h"
#include "query/sets_unproven.h"
#include "sys/stop.h"

const char *const sets_order_names[] = { "waste", "size", "count", "path", "time", NULL };

/* What decides who stays. */
struct sets_choice {
	const struct keep *keep;
	const char *const *dirs;     /* what the user named */
	struct pathset named;        /* these, by position; none: everything */
	const struct roots *roots;
	const struct backups *backups;
	bool as_arranged, inside;
	struct wholes wholes;
};

/* A set that will be delivered. */
struct sets_set {
	struct set_answer a;
	size_t first;                /* its members in source.members */
	int64_t key;                 /* by which it is sorted: the largest first */
	int32_t key_nsec;            /* and by this, if key is a time */
};

struct sets {
	struct sets_source source;
	VEC(struct sets_set) sets;
	struct buf path;             /* of the member or the set in hand */
	VEC(size_t) sharers;         /* members that may share blocks, in source.members */
	struct marks marks;          /* of a query for what is undecided */
	struct mark_effect effect;
	struct sets_choice choice;   /* of a query that asks who stays */
};

/* The reasons of the longest-lasting of n names. */
static unsigned
sets_member_reasons(const struct sets_member *v, size_t n)
{
	unsigned least = v->dir->fleeting;

	for (size_t i = 1; i < n; i++)
		least = fleeting_count(v[i].dir->fleeting) < fleeting_count(least) ? v[i].dir->fleeting : least;
	return least;
}

bool
sets_member_any_goes(const struct sets_member *v, size_t n, bool links)
{
	uint64_t present = 0, several = 0, staying;
	bool any = false;

	for (size_t i = 0; i < n; i++) {
		const bool copy = v[i].kind == MEMBER_COPY || (links && v[i].kind == MEMBER_LINK);
		const uint64_t bit = copy ? UINT64_C(1) << sets_member_reasons(&v[i], links ? 1 : sets_member_links(v, n, i)) : 0;

		several |= present & bit;
		present |= bit;
	}
	staying = fleeting_staying(present);
	for (unsigned r = 0; present >> r != 0 && r < 1U << FLEETING_REASONS; r++)
		any |= (present >> r & 1) != 0 && fleeting_outlasted(staying, r);
	return any || (staying & several) != 0;
}

enum sets_fate
sets_member_fate(size_t n, size_t n_drop, bool kept, int64_t nlink)
{
	return n_drop == n ? SETS_DROPPED : kept ? SETS_KEPT : nlink > (int64_t)n ? SETS_FIXED : SETS_OPEN;
}

bool
sets_member_open(int64_t n_open, int64_t n_stay)
{
	return n_open > 0 && n_open + n_stay > 1;
}

static int
sets_member_cmp_inode_only(const void *a, const void *b)
{
	const struct sets_member *x = *(const struct sets_member *const *)a, *y = *(const struct sets_member *const *)b;

	return inode_cmp(x->inode, y->inode);
}

/* The names that are taken not to exist, in the order of their inodes. */
static size_t
sets_member_list_lost(const struct sets_member *v, size_t n, const struct sets_member **lost)
{
	size_t n_lost = 0;

	for (size_t i = 0; i < n; i++) {
		if (v[i].kind == MEMBER_GONE || v[i].kind == MEMBER_EXCLUDED)
			lost[n_lost++] = &v[i];
	}
	if (n_lost > 1)
		qsort(lost, n_lost, sizeof(struct sets_member *), sets_member_cmp_inode_only);
	return n_lost;
}

/* How many of them are names of m's inode. */
static size_t
sets_member_count_lost(const struct sets_member *const *lost, size_t n, const struct sets_member *m)
{
	size_t first, count = 0;

	ORDER_FIRST(first, n, sets_member_cmp_inode_only(&lost[first], &m) < 0);
	while (first + count < n && sets_member_cmp_inode_only(&lost[first + count], &m) == 0)
		count++;
	return count;
}

/* Of the copies with one set of reasons: those that free something. */
struct sets_lasting {
	int64_t copies, blocks, most, least;
	bool stays;              /* one that frees nothing stays besides */
	bool shares;
};

/* Count a copy; frees: its blocks go with the names that the set has of it. */
static void
sets_lasting_add(struct sets_lasting *l, const struct sets_member *copy, bool frees)
{
	l->stays |= !frees;
	if (!frees)
		return;
	l->most = l->copies == 0 || copy->blocks > l->most ? copy->blocks : l->most;
	l->least = l->copies == 0 || copy->blocks < l->least ? copy->blocks : l->least;
	l->shares |= copy->shares;
	l->copies++;
	l->blocks = num_add(l->blocks, copy->blocks);
}

struct sets_freed
sets_member_freed(const struct sets_member *v, size_t n)
{
	const struct sets_member **lost = NULL;
	struct sets_lasting by_reasons[1U << FLEETING_REASONS];
	struct sets_freed freed = { 0, 0 };
	size_t n_lost = 0, names;
	uint64_t present = 0, staying;

	for (size_t i = 0; i < n && sets_member_lives(&v[i]); i += names) {
		size_t known = names = sets_member_links(v, n, i);
		const unsigned why = sets_member_reasons(&v[i], names);
		bool elsewhere = false;

		for (size_t j = i; j < i + names; j++)
			elsewhere |= v[j].of != 0;
		if (v[i].nlink > (int64_t)names && lost == NULL) {
			lost = mem_alloc(n * sizeof(struct sets_member *));
			n_lost = sets_member_list_lost(v, n, lost);
		}
		if (v[i].nlink > (int64_t)names)
			known += sets_member_count_lost(lost, n_lost, &v[i]);
		if ((present >> why & 1) == 0)
			by_reasons[why] = (struct sets_lasting){ .copies = 0 };
		present |= UINT64_C(1) << why;
		sets_lasting_add(&by_reasons[why], &v[i], v[i].nlink <= (int64_t)known && !elsewhere);
	}
	free(lost);
	staying = fleeting_staying(present);
	for (unsigned r = 0; present >> r != 0 && r < 1U << FLEETING_REASONS; r++) {
		const struct sets_lasting *l = &by_reasons[r];

		if ((present >> r & 1) == 0 || ((staying >> r & 1) == 0 && !fleeting_outlasted(staying, r)))
			continue;
		freed.copies += l->copies;
		freed.blocks = num_add(freed.blocks, l->blocks);
		if ((staying >> r & 1) != 0 && !l->stays) {
			freed.copies--;
			freed.blocks = num_sub(freed.blocks, l->shares ? l->least : l->most);
		}
	}
	return freed;
}

/* Whether rm would leave a file alone unless it is told otherwise. */
static bool
sets_choice_alone(const struct sets_choice *c, const struct root *root, const char *path)
{
	size_t len = strlen(path), number;
	const char *name;

	if (pathset_above(&c->named, path, &len, &number))
		return path_hidden_dir(path, c->dirs[number], &name, &len);
	return root != NULL && path_hidden_dir(path, root->path, &name, &len);
}

/*
 * Whether a file is a part of a whole: rm leaves it alone unless all of that goes.  Returns 1, 0
 * or -1.
 */
static int
sets_choice_part(struct sets_choice *c, const struct root *root, const char *path, struct err *err)
{
	size_t len = strlen(path), number;
	struct whole whole;

	if (c->inside)
		return 0;
	if (pathset_above(&c->named, path, &len, &number))
		return wholes_find(&c->wholes, c->dirs[number], path, &whole, err);
	return c->named.n == 0 && root != NULL ? wholes_find(&c->wholes, root->path, path, &whole, err) : 0;
}

/*
 * Move the inodes of which a name has this choice, the best first, to answers, which has at members
 * so far: names of an inode stand together in v.  Returns how many there are then.
 */
static size_t
sets_choice_move(const struct sets_member *v, struct member *from, const size_t *order, size_t n, enum member_choice choice,
                 struct member *answers, size_t at)
{
	for (size_t i = 0; i < n; i++) {
		size_t j = order[i];

		if (from[j].path == NULL || from[j].choice != choice)
			continue;
		while (v[j].kind == MEMBER_LINK)
			j--;
		do {
			answers[at++] = from[j];
			from[j++].path = NULL;
		} while (j < n && v[j].kind == MEMBER_LINK);
	}
	return at;
}

/*
 * Choose for a set: v are its n members, arranged, and answers what is told of them in the same
 * order, with their marks.  As rm would do it: what the user did not name, what is marked keep and
 * what lies in a hidden directory or a whole is not to go.  Unless as_arranged, answers are put in
 * the order of the choice: inodes of which a name stays first, the best first, the names of each
 * together; then what is not there.  Returns 0 or -1.
 */
static int
sets_choice_make(struct sets_choice *c, const struct sets_member *v, struct member *answers, size_t n, struct err *err)
{
	struct keep_name *names = mem_alloc((n + 1) * sizeof(*names)), **best = mem_alloc((n + 1) * sizeof(struct keep_name *));
	struct member *from = mem_alloc((n + 1) * sizeof(*from));
	size_t *order = mem_alloc((n + 1) * sizeof(*order));
	size_t live = 0, at;
	int ret = 0;

	for (; ret == 0 && live < n && sets_member_lives(&v[live]); live++) {
		const char *path = answers[live].path;
		const enum mark_decision mark = answers[live].mark;
		const struct root *root = roots_of_file(c->roots, path);
		struct keep_name *name = best[live] = &names[live];

		*name = (struct keep_name){
			.facts = { .path = path, .mtime = v[live].mtime, .nlink = v[live].nlink }, .inode = v[live].inode,
			.mark = mark, .wish = mark == MARK_KEEP ? KEEP_PINNED : KEEP_NOT_ASKED, .fleeting = v[live].dir->fleeting,
		};
		keep_place(c->keep, &c->named, c->backups, root, name);
		ret = sets_choice_part(c, root, path, err);
		if (ret == 1 && keep_may_ask(name))
			name->wish = KEEP_PINNED;
		else if (keep_may_ask(name) && (c->named.n == 0 || name->inside) && !sets_choice_alone(c, root, path))
			name->wish = KEEP_ASKED;
		ret = ret < 0 ? -1 : 0;
	}
	if (ret < 0)
		goto out;
	keep_choose(c->keep, best, live);
	for (size_t i = 0; i < live; i++) {
		order[i] = (size_t)(best[i] - names);
		answers[i].choice = names[i].fate == KEEP_GOES ? MEMBER_GOES : MEMBER_STAYS;
	}
	if (c->as_arranged)
		goto out;
	memcpy(from, answers, n * sizeof(*from));
	at = sets_choice_move(v, from, order, live, MEMBER_STAYS, answers, 0);
	at = sets_choice_move(v, from, order, live, MEMBER_GOES, answers, at);
	assert(at == live);
out:
	free(names);
	free(best);
	free(from);
	free(order);
	return ret;
}

static const struct sets_member *
sets_members(const struct sets *s, const struct sets_set *set)
{
	return s->source.members.v + set->first;
}

static int64_t
sets_key(enum sets_order order, const struct sets_set *set, struct fs_time newest)
{
	switch (order) {
	case SETS_WASTE:
		return set->a.redundant;
	case SETS_SIZE:
		return set->a.size;
	case SETS_COUNT:
		return set->a.n_copies;
	case SETS_TIME:
		return newest.sec;
	case SETS_PATH:
		break;
	}
	return 0;
}

/* Count what a group's members come to; hash is their content's, or NULL. */
static void
sets_measure(struct sets *s, const struct sets_group *g, const uint8_t *hash, struct sets_set *set)
{
	struct sets_member *v = s->source.members.v + g->first;
	struct sets_freed freed;
	struct fs_time newest = { 0, 0 };

	memset(set, 0, sizeof(*set));
	for (size_t i = 0; i < g->n; i++) {
		if (v[i].kind != MEMBER_COPY && (v[i].kind != MEMBER_LINK || !s->source.q->links_are_copies))
			continue;
		set->a.n_copies++;
		if (fs_time_cmp(v[i].mtime, newest) > 0)
			newest = v[i].mtime;
	}
	freed = sets_member_freed(v, g->n);
	set->a.size = g->size;
	set->a.hash = hash;
	set->a.redundant = num_mul(freed.copies, g->size);
	set->a.redundant_disk = num_mul(freed.blocks, 512);
	set->a.n_members = g->n;
	set->first = g->first;
	set->key = sets_key(s->source.q->order, set, newest);
	set->key_nsec = s->source.q->order == SETS_TIME ? newest.nsec : 0;
}

/* Whether a member counts; with lost also one that is not there. */
static bool
sets_member_counts(const struct sets_member *m, bool lost)
{
	return lost ? m->kind != MEMBER_EXCLUDED && m->kind != MEMBER_BACKUP : sets_member_lives(m);
}

/* Whether members of this set are of the indexes that the query asks for. */
static bool
sets_of_indexes(const struct sets *s, const struct sets_set *set, bool lost)
{
	const struct sets_member *v = sets_members(s, set), *one = NULL;
	bool mine = false, several = false;

	for (size_t i = 0; i < set->a.n_members; i++) {
		if (!sets_member_counts(&v[i], lost))
			continue;
		one = one != NULL ? one : &v[i];
		several |= v[i].of != one->of;
		mine |= v[i].of == 0;
	}
	return s->source.q->across ? several : mine;
}

/* Whether members lie where the query asks, and are named so; with lost also those not there. */
static bool
sets_asked(struct sets *s, const struct sets_set *set, bool lost)
{
	const struct sets_query *q = s->source.q;
	const struct sets_member *v = sets_members(s, set);
	const bool in_two = q->across && q->with == NULL;
	size_t first = q->n_dirs;
	bool across = false;

	if (q->with != NULL && !sets_of_indexes(s, set, lost))
		return false;
	if (q->n_dirs == 0 && q->n_names == 0)
		return true;
	for (size_t i = 0; i < set->a.n_members; i++) {
		if (!sets_member_counts(&v[i], lost) || !glob_is_one_of(q->names, q->n_names, s->source.names.data + v[i].name))
			continue;
		if (q->n_dirs == 0)
			return true;
		buf_cut(&s->path, 0);
		sets_member_path(&v[i], s->source.names.data, &s->path);
		for (size_t j = 0; j < q->n_dirs; j++) {
			if (!path_is_below(s->path.data, q->dirs[j]))
				continue;
			across |= first != q->n_dirs && first != j;
			first = j;
		}
	}
	return first != q->n_dirs && (across || !in_two);
}

/* Name a member that could not be judged. */
static void
sets_tell(struct sets *s, const struct sets_member *m, enum gap gap, const char *why)
{
	if (s->source.q->gap == NULL)
		return;
	buf_cut(&s->path, 0);
	sets_member_path(m, s->source.names.data, &s->path);
	s->source.q->gap(s->source.q->gap_arg, s->path.data, gap, false, why);
}

static void
sets_count_lost(struct sets *s, const struct sets_set *set, struct set_totals *totals)
{
	const struct sets_member *v = sets_members(s, set);

	for (size_t i = 0; i < set->a.n_members; i++) {
		totals->n_stale += v[i].kind == MEMBER_GONE || v[i].kind == MEMBER_CHANGED;
		totals->n_offline += v[i].kind == MEMBER_OFFLINE;
		totals->n_views += v[i].kind == MEMBER_VIEW;
		totals->n_trash += v[i].kind == MEMBER_TRASH;
		if (v[i].kind == MEMBER_VIEW)
			sets_tell(s, &v[i], GAP_UNPROVEN, answer_view);
		if (v[i].kind != MEMBER_UNREADABLE)
			continue;
		totals->n_unreadable++;
		totals->error = v[i].error;
		sets_tell(s, &v[i], GAP_UNREADABLE, strerror(v[i].error));
	}
}

/* Whether the query would be for this set if all its members but excluded ones were there. */
static bool
sets_fell_apart(struct sets *s, const struct sets_set *set)
{
	const struct sets_member *v = sets_members(s, set), *one = NULL;
	bool several = false, lost = false;
	int64_t n = 0;

	for (size_t i = 0; i < set->a.n_members; i++) {
		if (!sets_member_counts(&v[i], true))
			continue;
		one = one != NULL ? one : &v[i];
		lost |= !sets_member_lives(&v[i]);
		several |= n > 0 && (s->source.q->links_are_copies || !inode_same(one->inode, v[i].inode));
		n++;
	}
	return lost && several && num_mul(n - 1, set->a.size) >= s->source.q->min_waste && sets_asked(s, set, true);
}

/* Find out whether something is to be decided in a set.  Returns 1, 0 or -1. */
static int
sets_is_undecided(struct sets *s, const struct sets_set *set, struct err *err)
{
	const struct sets_member *v = sets_members(s, set);
	int64_t n_open = 0, n_stay = 0;

	if (!s->source.ix->marks || set->a.hash == NULL)
		return 1;
	for (size_t i = 0, n; i < set->a.n_members && v[i].kind == MEMBER_COPY; i += n) {
		size_t n_drop = 0;
		bool kept = false;
		enum sets_fate fate;

		n = sets_member_links(v, set->a.n_members, i);
		for (size_t j = i; j < i + n; j++) {
			struct mark m;
			int ret;

			buf_cut(&s->path, 0);
			sets_member_path(&v[j], s->source.names.data, &s->path);
			ret = marks_get(&s->marks, set->a.hash, s->path.data, &m, err);
			if (ret < 0)
				return -1;
			if (ret == 0 || !mark_fits(&m, set->a.size, fs_time_key(v[j].mtime), set->a.hash))
				continue;
			n_drop += m.decision == MARK_DROP;
			kept |= m.decision == MARK_KEEP;
		}
		fate = sets_member_fate(n, n_drop, kept, v[i].nlink);
		n_open += fate == SETS_OPEN;
		n_stay += fate == SETS_FIXED || fate == SETS_KEPT;
	}
	return sets_member_open(n_open, n_stay);
}

/* Make a set of a group that is loaded, if the query is for it. */
static int
sets_make(struct sets *s, struct sets_group *g, const uint8_t *hash, struct set_totals *totals, struct err *err)
{
	struct sets_set set;
	int undecided = 1;
	bool wanted;

	sets_measure(s, g, hash, &set);
	if (s->source.q->undecided && (undecided = sets_is_undecided(s, &set, err)) < 0)
		return -1;
	if (undecided == 0) {
		sets_source_drop(&s->source, g);
		return 0;
	}
	wanted = set.a.n_copies >= 2 && sets_member_any_goes(sets_members(s, &set), set.a.n_members, s->source.q->links_are_copies) &&
	         set.a.redundant >= s->source.q->min_waste && sets_asked(s, &set, false);
	if (!wanted) {
		/* No set any more, or none that can be looked at: that is worth a line. */
		if (sets_fell_apart(s, &set))
			sets_count_lost(s, &set, totals);
		sets_source_drop(&s->source, g);
		return 0;
	}
	totals->n_sets++;
	totals->redundant = num_add(totals->redundant, set.a.redundant);
	sets_count_lost(s, &set, totals);
	for (size_t i = 0; i < set.a.n_members; i++)
		totals->n_files += sets_member_lives(&sets_members(s, &set)[i]);
	vec_push(&s->sets, set);
	return 0;
}

static int
sets_make_all(struct sets *s, struct set_totals *totals, struct err *err)
{
	struct sets_source *source = &s->source;

	for (size_t i = 0; i < source->groups.n; i++) {
		struct sets_group *g = &source->groups.v[i];

		if (sets_source_members(source, g, err) < 0 || sets_make(s, g, g->hash, totals, err) < 0 || stop_check(err) < 0)
			return -1;
	}
	for (size_t i = 0; i < source->inodes.n; i++) {
		struct sets_group g;

		if (sets_source_inode(source, &source->inodes.v[i], &g, err) < 0 || sets_make(s, &g, NULL, totals, err) < 0 ||
		    stop_check(err) < 0)
			return -1;
	}
	return 0;
}

/* exclusive_extents_path_fn */
static void
sets_sharer_path(void *arg, size_t i, struct buf *path)
{
	const struct sets *s = arg;

	sets_member_path(&s->source.members.v[s->sharers.v[i]], s->source.names.data, path);
}

/* exclusive_extents_take_fn */
static void
sets_sharer_own(void *arg, size_t i, int64_t own)
{
	struct sets *s = arg;
	struct sets_member *m = &s->source.members.v[s->sharers.v[i]];

	m->shares = own < m->blocks;
	m->blocks = m->shares ? own : m->blocks;
}

/* Count of each copy in a set only the blocks that it has for itself. */
static int
sets_find_own(struct sets *s, struct err *err)
{
	struct exclusive_extents own = { .n = 0 };
	int ret = exclusive_extents_ask_all(&own, s->source.ix->db, err);

	for (size_t i = 0; ret == 0 && exclusive_extents_any(&own) && i < s->sets.n; i++) {
		const struct sets_set *set = &s->sets.v[i];

		for (size_t j = set->first; j < set->first + set->a.n_members; j++) {
			const struct sets_member *m = &s->source.members.v[j];

			if (m->kind == MEMBER_COPY && m->of == 0 && m->blocks > 0 && exclusive_extents_shared(&own, (uint64_t)m->inode.volume))
				vec_push(&s->sharers, j);
		}
	}
	exclusive_extents_release(&own);
	return ret < 0 ? -1 : exclusive_extents_each(s->sharers.n, sets_sharer_path, sets_sharer_own, s, err);
}

/* Ask copies for their blocks, and sum up what all sets would free of the disk. */
static int
sets_measure_disk(struct sets *s, struct set_totals *totals, struct err *err)
{
	size_t at = 0;

	if (!s->source.q->no_check && s->sets.n > 0 && sets_find_own(s, err) < 0)
		return -1;
	for (size_t i = 0; i < s->sets.n; i++) {
		struct sets_set *set = &s->sets.v[i];
		const size_t first = at;

		while (at < s->sharers.n && s->sharers.v[at] - set->first < set->a.n_members)
			at++;
		if (at > first)
			set->a.redundant_disk = num_mul(sets_member_freed(sets_members(s, set), set->a.n_members).blocks, 512);
		totals->redundant_disk = num_add(totals->redundant_disk, set->a.redundant_disk);
	}
	return 0;
}

static int
sets_cmp(const void *a, const void *b, void *arg)
{
	const struct sets_set *x = a, *y = b;
	const struct sets *s = arg;

	if (x->key != y->key)
		return x->key > y->key ? -1 : 1;
	if (x->key_nsec != y->key_nsec)
		return x->key_nsec > y->key_nsec ? -1 : 1;
	return sets_member_cmp_path(sets_members(s, x), sets_members(s, y), s->source.names.data);
}

/* Make the members' answers of a set; their paths are in s->path until the next set. */
static void
sets_answer_members(struct sets *s, const struct sets_set *set, struct member *answers)
{
	const struct sets_member *v = sets_members(s, set);
	/* Why those that are there may go by themselves, as far as it holds for all of them. */
	unsigned common = ~0U;
	size_t at = 0;

	for (size_t i = 0; i < set->a.n_members; i++)
		common &= sets_member_lives(&v[i]) ? v[i].dir->fleeting : ~0U;
	buf_cut(&s->path, 0);
	for (size_t i = 0; i < set->a.n_members; i++)
		sets_member_path(&v[i], s->source.names.data, &s->path);
	for (size_t i = 0; i < set->a.n_members; i++) {
		const struct indexes_other *of = v[i].of > 0 ? indexes_nth(s->source.q->with, v[i].of) : NULL;

		answers[i] = (struct member){ .path = s->path.data + at, .kind = (enum member_kind)v[i].kind, .inode = v[i].inode.number,
		                              .nlink = v[i].nlink, .mtime = v[i].mtime, .error = v[i].error,
		                              .fleeting = sets_member_lives(&v[i]) ? v[i].dir->fleeting & ~common : 0,
		                              .index = of != NULL ? of->name : NULL, .seen = of != NULL ? of->seen : 0,
		                              .backup = of == NULL && backups_has(&s->source.ix->backups, s->path.data + at),
		                              .disk = v[i].kind == MEMBER_OFFLINE ? indexes_disk(of, s->source.ix, v[i].inode.volume) : NULL };
		at += strlen(answers[i].path) + 1;
	}
}

static int
sets_deliver(struct sets *s, sets_fn *fn, void *arg, struct err *err)
{
	const int64_t top = s->source.q->top;
	const size_t n = top > 0 && (size_t)top < s->sets.n ? (size_t)top : s->sets.n;
	VEC(struct member) members = { 0 };
	int ret = 0;

	for (size_t i = 0; i < n && ret == 0; i++) {
		struct sets_set *set = &s->sets.v[i];

		members.n = 0;
		while (members.n < set->a.n_members)
			(void)vec_add(&members);
		sets_answer_members(s, set, members.v);
		for (size_t j = 0; ret == 0 && s->source.ix->marks && j < members.n; j++) {
			struct member *m = &members.v[j];

			if (m->index == NULL && m->kind != MEMBER_GONE && m->kind != MEMBER_CHANGED)
				ret = mark_effect_of(&s->effect, &s->source.check, m->path, set->a.size, m->mtime, set->a.hash, &m->mark, err);
		}
		set->a.members = members.v;
		if (ret == 0 && s->choice.keep != NULL)
			ret = sets_choice_make(&s->choice, sets_members(s, set), members.v, members.n, err);
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
	struct sets s = { .source = { .ix = ix, .q = q }, .marks = { .ix = ix } };
	struct sets_source *source = &s.source;
	int ret;

	memset(totals, 0, sizeof(*totals));
	totals->unfinished = !index_is_compared(ix, q->min_size);
	/* What another index has not read is read for the answer. */
	for (size_t i = 0; q->with != NULL && i < q->with->others.n; i++)
		totals->unfinished |= q->with->others.v[i]->ix->pending == INDEX_UNMET;
	ret = sets_source_open(source, err);
	if (ret == 0)
		ret = sets_load(source, err);
	if (ret == 0 && q->undecided)
		ret = marks_load(&s.marks, err);
	s.choice = (struct sets_choice){ .keep = q->keep, .dirs = q->dirs, .roots = &source->check.roots, .backups = &ix->backups,
	                                 .as_arranged = q->as_arranged, .inside = q->inside,
	                                 .wholes = { .db = ix->db, .more = q->wholes, .n_more = q->n_wholes } };
	for (size_t i = 0; i < q->n_dirs; i++)
		pathset_add(&s.choice.named, q->dirs[i], i);
	pathset_sort(&s.choice.named);
	if (ret == 0)
		ret = sets_make_all(&s, totals, err);
	/* With others, what is unread in one is told as the groups are made. */
	if (ret == 0 && q->with == NULL)
		ret = sets_unproven(q, &source->check, &totals->n_unproven, err);
	if (ret == 0)
		ret = sets_measure_disk(&s, totals, err);
	if (ret == 0 && s.sets.n > 0) {
		order_sort_by(s.sets.v, s.sets.n, sizeof(*s.sets.v), sets_cmp, &s);
		ret = sets_deliver(&s, fn, arg, err);
	}
	sets_source_release(source);
	pathset_release(&s.choice.named);
	wholes_release(&s.choice.wholes);
	marks_release(&s.marks);
	mark_effect_release(&s.effect);
	vec_release(&s.sharers);
	buf_release(&s.path);
	vec_release(&s.sets);
	return ret;
}
