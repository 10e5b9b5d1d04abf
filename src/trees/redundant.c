/* SPDX-License-Identifier: MIT */
/*
 * As indexed, a directory can't go exactly if it holds all names of some content: if it is, or
 * lies above, the lowest directory that has them all in common.  The highest directories for which
 * that is never so are the candidates.
 *
 *	redundant_find      the candidates, but none in a whole (index/wholes)
 *	stat_results_load   look at their files, at all with the same contents, and around
 *	redundant_choose    backups first, then the largest: it goes if nothing is lost, and
 *	                    nothing live for spare copies alone (removal); else its
 *	                    subdirectories are tried
 *	redundant_answers   where the contents lie, and which directory leans on which
 *
 *	redundant_tell_nearly   directories that could go but for a few files
 *
 * A candidate that stays is still in the answer if it could go but for others that went first, if
 * something could not be judged, or if it could go for spare copies.
 */
#include "base/base.h"

#include "trees/redundant.h"

#include "index/file.h"
#include "index/index.h"
#include "index/roots.h"
#include "index/wholes.h"
#include "query/dirtree.h"
#include "query/place_rank.h"
#include "sys/fs.h"
#include "sys/stop.h"
#include "trees/contents_map.h"
#include "trees/dir_sums.h"
#include "trees/disks.h"
#include "trees/keepers.h"
#include "trees/nearly.h"
#include "trees/stat_results.h"
#include "trees/redundant_answers.h"
#include "trees/removal.h"

/*
 * A directory to be tried; told: one above it is answered for, and says why not all of it goes.
 */
struct redundant_try {
	uint32_t dir;
	bool told;
};

struct redundant {
	const struct redundant_query *q;
	struct contents_map map;
	struct stat_results looks;
	struct keepers keepers;
	struct removal removal;
	struct dir_sum *sums;
	bool *mounted;               /* by directory */
	VEC(uint32_t) dirs;          /* the directories that were asked about; none: all */
	bool *asked;                 /* by directory: it lies at or below one of them; NULL: all */
	int64_t n_hidden;            /* directories left alone, for they are hidden */
	int64_t n_fleeting;          /* contents with one inode to rely on, and others besides */
	unsigned fleeting;           /* why these do not count */
	struct wholes wholes;
	struct roots roots;
	int64_t n_in_wholes;         /* files in candidates that stay with their whole */
	unsigned in_wholes;          /* kinds of these */
	VEC(uint32_t) tops;          /* candidates */
	struct place_rank *ranks;    /* by directory: where copies should rather stay */
	bool *named;                 /* by directory: it is one of those asked about; NULL: all */
	bool *fixed;                 /* by directory: something in it is protected or excluded */
	/* A binary heap: what does not go has its subdirectories added while others wait. */
	VEC(struct redundant_try) queue;
	VEC(struct redundant_answers_entry) entries;
	struct removal_contents contents;    /* of the directory in hand */
	uint32_t *volumes;           /* by name, where the query is about volumes; or NULL */
	int64_t n_looked, n_wanted;  /* names */
	void *arg;                   /* of the call */
	struct err *err;
};

/*
 * Compare two directories, which may be the same: the one that frees more comes first, then the
 * larger one; of equals the one where copies should rather not stay, then the last by its path.
 */
static int
redundant_cmp(const struct redundant *r, uint32_t x, uint32_t y)
{
	const int rank = place_rank_cmp(&r->ranks[y], &r->ranks[x]);

	ORDER_CMP(r->sums[y].frees, r->sums[x].frees);
	ORDER_CMP(r->sums[y].bytes, r->sums[x].bytes);
	if (rank != 0)
		return rank;
	ORDER_CMP(y, x);
	return 0;
}

/* Whether a directory is tried before another: a backup may go for a live one, however small. */
static bool
redundant_before(const struct redundant *r, struct redundant_try x, struct redundant_try y)
{
	const int kind = place_rank_cmp_kind(&r->ranks[y.dir], &r->ranks[x.dir]);

	return (kind != 0 ? kind : redundant_cmp(r, x.dir, y.dir)) < 0;
}

/* Add a directory to the heap. */
static void
redundant_queue_add(struct redundant *r, uint32_t dir, bool told)
{
	const struct redundant_try new = { dir, told };
	size_t at = r->queue.n;

	vec_push(&r->queue, new);
	for (; at > 0 && redundant_before(r, new, r->queue.v[(at - 1) / 2]); at = (at - 1) / 2)
		r->queue.v[at] = r->queue.v[(at - 1) / 2];
	r->queue.v[at] = new;
}

/* Take the first one off a queue that is not empty. */
static struct redundant_try
redundant_queue_take(struct redundant *r)
{
	const struct redundant_try first = r->queue.v[0], last = r->queue.v[--r->queue.n];
	size_t at = 0, in;

	for (; (in = at * 2 + 1) < r->queue.n; at = in) {
		in += in + 1 < r->queue.n && redundant_before(r, r->queue.v[in + 1], r->queue.v[in]);
		if (!redundant_before(r, r->queue.v[in], last))
			break;
		r->queue.v[at] = r->queue.v[in];
	}
	r->queue.v[at] = last;
	return first;
}

/* Set the value of a directory and all below it. */
static void
redundant_set(const struct dirtree *t, bool *v, uint32_t dir)
{
	memset(v + dir, true, dirtree_end(t, dir) - dir);
}

/* Mark what can't go because of a content: the lowest directory with all names that count. */
static void
redundant_mark(const struct redundant *r, size_t content, bool *stays)
{
	const struct contents_map_content *c = &r->map.v[content];
	const struct contents_map_name *names = r->map.names + c->first;
	uint32_t common = DIRTREE_NONE;

	if (r->q->n_in == 0 && c->outside && r->q->outside_links)
		return;
	for (uint32_t i = 0; i < c->n; i++) {
		if (keepers_in(&r->keepers, content, names[i].dir))
			common = common == DIRTREE_NONE ? names[i].dir : dirtree_common(r->map.dirs, common, names[i].dir);
	}
	if (common != DIRTREE_NONE)
		stays[common] = true;
	for (uint32_t i = 0; common == DIRTREE_NONE && i < c->n; i++)
		stays[names[i].dir] = true;
}

/* Whether a directory is left alone unless it is asked about: as by rm, but roots. */
static bool
redundant_is_hidden(const struct redundant *r, uint32_t dir)
{
	return !r->q->hidden && dirtree_name(r->map.dirs, dir)[0] == '.' && dirtree_id(r->map.dirs, dirtree_parent(r->map.dirs, dir)) != 0;
}

/* Find the candidates at and below a directory, in order. */
static void
redundant_find_below(struct redundant *r, uint32_t top, const bool *stays, const bool *holds)
{
	for (uint32_t dir = top; dir < dirtree_end(r->map.dirs, top);) {
		const bool hidden = dir != top && redundant_is_hidden(r, dir);

		r->n_hidden += holds[dir] && hidden;
		if (!holds[dir] || hidden) {
			dir = dirtree_end(r->map.dirs, dir);
		} else if (!stays[dir] && dirtree_id(r->map.dirs, dir) != 0) {
			vec_push(&r->tops, dir);
			dir = dirtree_end(r->map.dirs, dir);
		} else
			dir++;
	}
}

/*
 * Of contents that lie on a view and elsewhere nobody knows which names are one file: none of them
 * keeps another.
 */
static int
redundant_find_views(struct redundant *r, struct index *ix)
{
	struct disks disks = { .of = NULL };
	int ret = disks_load(&disks, ix, r->map.dirs, r->err);

	for (size_t i = 0; ret == 0 && disks.views && i < r->map.n; i++) {
		struct contents_map_content *c = &r->map.v[i];

		for (uint32_t at = c->first + 1; at < c->first + c->n && !c->alias; at++)
			c->alias = disks_may_be_one(&disks, r->map.names[at - 1].dir, r->map.names[at].dir);
	}
	disks_release(&disks);
	return ret;
}

/* Note the directories that are asked about. */
static int
redundant_ask(struct redundant *r)
{
	for (size_t i = 0; i < r->q->n_dirs; i++) {
		const uint32_t dir = dirtree_find(r->map.dirs, r->q->dirs[i]);

		if (dir == DIRTREE_NONE)
			return err_set(r->err, ERR_USAGE, "'%s' is not a directory", r->q->dirs[i]);
		if (r->asked == NULL) {
			r->asked = mem_zalloc(dirtree_count(r->map.dirs), sizeof(*r->asked));
			r->named = mem_zalloc(dirtree_count(r->map.dirs), sizeof(*r->named));
		}
		r->named[dir] = true;
		vec_push(&r->dirs, dir);
		redundant_set(r->map.dirs, r->asked, dir);
	}
	return 0;
}

/* Let a directory stay, with all in it.  Returns whether the tree has it. */
static bool
redundant_protect(const struct redundant *r, bool *stays, const char *path)
{
	const uint32_t dir = dirtree_find(r->map.dirs, path);

	if (dir != DIRTREE_NONE)
		redundant_set(r->map.dirs, stays, dir);
	return dir != DIRTREE_NONE;
}

/*
 * Find the whole that a directory lies in; with at also one that it is.  A path that was asked
 * about, and else its root, is not looked above.  Returns 1, 0 or -1.
 */
static int
redundant_whole(struct redundant *r, uint32_t dir, bool at, struct whole *whole)
{
	const struct root *root;
	const char *base = "/";
	struct buf path = { 0 };
	int ret;

	if (r->q->inside)
		return 0;
	dirtree_path(r->map.dirs, dir, &path);
	root = roots_above(&r->roots, buf_str(&path));
	if (root != NULL)
		base = root->path;
	for (size_t i = 0; i < r->q->n_dirs; i++) {
		if (path_is_below(buf_str(&path), r->q->dirs[i]))
			base = r->q->dirs[i];
	}
	if (at)
		buf_addc(&path, '/');
	ret = wholes_find(&r->wholes, base, buf_str(&path), whole, r->err);
	buf_release(&path);
	return ret;
}

/* Drop candidates that lie in wholes, which stay: else these would be candidates. */
static int
redundant_drop_parts(struct redundant *r, int64_t *names)
{
	size_t n = 0;

	for (size_t i = 0; i < r->tops.n; i++) {
		const uint32_t dir = r->tops.v[i];
		struct whole whole;
		const int ret = redundant_whole(r, dir, false, &whole);

		if (ret < 0)
			return -1;
		if (ret == 0) {
			r->tops.v[n++] = dir;
			continue;
		}
		for (uint32_t in = dir; in < dirtree_end(r->map.dirs, dir); in++)
			r->n_in_wholes += names[in];
		r->in_wholes |= whole.kind;
	}
	r->tops.n = n;
	return 0;
}

/* Find the candidates, each once, and want the contents in them.  Returns 0 or -1. */
static int
redundant_find(struct redundant *r)
{
	const struct dirtree *t = r->map.dirs;
	const uint32_t n = dirtree_count(t);
	bool *stays = mem_zalloc(n, sizeof(*stays)), *holds = mem_zalloc(n, sizeof(*holds)), *inside = mem_zalloc(n, sizeof(*inside));
	int64_t *names = mem_zalloc(n, sizeof(*names));
	int ret;

	for (size_t i = 0; i < r->map.n_names; i++) {
		holds[r->map.names[i].dir] = true;
		names[r->map.names[i].dir]++;
	}
	for (size_t i = 0; i < r->q->n_protect; i++) {
		/* A path that is no directory of the index, such as a file, keeps the one above. */
		if (!redundant_protect(r, stays, r->q->protect[i]))
			stays[dirtree_nearest(t, r->q->protect[i])] = true;
	}
	for (size_t i = 0; i < r->q->n_exclude; i++)
		redundant_protect(r, stays, r->q->exclude[i]);
	r->fixed = mem_alloc(n);
	memcpy(r->fixed, stays, n);
	for (size_t i = 0; i < r->map.n; i++) {
		const unsigned beside = r->map.v[i].n > 1 ? keepers_beside(&r->keepers, &r->map, i, r->asked) : 0;

		redundant_mark(r, i, stays);
		r->n_fleeting += beside != 0;
		r->fleeting |= beside;
	}
	stays[0] = true;
	for (uint32_t dir = n; dir-- > 1;) {
		stays[dirtree_parent(t, dir)] |= stays[dir];
		r->fixed[dirtree_parent(t, dir)] |= r->fixed[dir];
		holds[dirtree_parent(t, dir)] |= holds[dir];
	}
	if (r->dirs.n == 0)
		redundant_find_below(r, 0, stays, holds);
	for (size_t i = 0; i < r->dirs.n; i++)
		redundant_find_below(r, r->dirs.v[i], stays, holds);
	if (r->tops.n > 1)
		qsort(r->tops.v, r->tops.n, sizeof(*r->tops.v), order_cmp_uint32);
	ret = redundant_drop_parts(r, names);
	for (size_t i = 0; i < r->tops.n; i++)
		redundant_set(t, inside, r->tops.v[i]);
	r->n_wanted = stat_results_want(&r->looks, &r->map, inside, 0);
	free(stays);
	free(holds);
	free(inside);
	free(names);
	return ret;
}

/* stat_results_note_fn */
static void
redundant_look(void *arg, size_t content __attribute__((unused)), size_t name, const struct file_row *row)
{
	struct redundant *r = arg;

	if (r->volumes != NULL)
		r->volumes[name] = (uint32_t)row->inode.volume;

	r->q->tick(r->arg, r->n_looked++, r->n_wanted);
}

/* Whether something was not judged in a directory that may hold a content. */
static bool
redundant_has_gaps(const struct redundant *r, uint32_t dir)
{
	const uint32_t end = dirtree_end(r->map.dirs, dir);

	for (size_t i = stat_results_gap_at(&r->looks, dir); i < r->looks.gaps.n && r->looks.gaps.v[i].dir < end; i++) {
		const int gap = (int)r->looks.gaps.v[i].gap;

		/* Links and special files just go. */
		if (gap != SKIP_LINK && gap != SKIP_SPECIAL)
			return true;
	}
	return false;
}

/* List the contents of a directory.  Returns whether one keeps it there for certain. */
static bool
redundant_loses(struct redundant *r, uint32_t dir, int64_t *unseen)
{
	*unseen = 0;
	r->contents.n = 0;
	removal_list(&r->removal, dir, &r->contents);
	for (size_t i = 0; i < r->contents.n; i++) {
		const struct removal_content *c = &r->contents.v[i];
		const struct contents_map_content *content = &r->map.v[c->content];
		uint32_t name = content->first;

		if (!c->alone && !c->spare)
			continue;
		while (name < content->first + content->n && !removal_unseen(&r->removal, c->content, name, dir))
			name++;
		if (name == content->first + content->n || !removal_may_keep(&r->removal, c->content, dir))
			return true;
		*unseen += c->files;
	}
	return false;
}

/* Whether a directory has the least size asked for, and a number of files that are there. */
static bool
redundant_is_worth(const struct redundant *r, uint32_t dir, uint64_t files)
{
	return r->sums[dir].files >= files && r->sums[dir].bytes >= (uint64_t)r->q->min_size;
}

/*
 * Let a directory go; if it can't, say why not, and have its subdirectories tried in their turn,
 * unless it is a whole.  Returns 0 or -1.
 */
static int
redundant_choose(struct redundant *r, struct redundant_try try)
{
	const struct dirtree *t = r->map.dirs;
	const bool gaps = redundant_has_gaps(r, try.dir);
	const enum removal_outcome outcome = gaps ? REMOVAL_LOSES : removal_try(&r->removal, try.dir);
	struct redundant_answers_entry entry = { try.dir, TREE_REDUNDANT, DIRTREE_NONE };
	bool tell = true;
	struct whole whole;
	int64_t unseen;
	int ret;

	if (outcome == REMOVAL_GOES) {
		vec_push(&r->entries, entry);
		return 0;
	}
	if (!try.told && !redundant_loses(r, try.dir, &unseen))
		entry.state = gaps || unseen > 0 ? TREE_UNPROVEN : TREE_LEANED_ON;
	else if (outcome == REMOVAL_LIVE)
		entry.state = TREE_LIVE;
	else
		tell = false;
	if (tell && !try.told) {
		vec_push(&r->entries, entry);
		try.told = true;
	}
	ret = redundant_whole(r, try.dir, true, &whole);
	/* Of one that is answered for, the answer says why it stays. */
	if (ret == 1 && !try.told) {
		r->n_in_wholes += (int64_t)r->sums[try.dir].files;
		r->in_wholes |= whole.kind;
	}
	for (uint32_t in = ret == 0 ? dirtree_first(t, try.dir) : DIRTREE_NONE; in != DIRTREE_NONE; in = dirtree_next(t, in)) {
		if (redundant_is_worth(r, in, 1) && !redundant_is_hidden(r, in))
			redundant_queue_add(r, in, try.told);
	}
	return ret < 0 ? -1 : 0;
}

/* Rank all directories. */
static void
redundant_rank(struct redundant *r)
{
	const struct dirtree *t = r->map.dirs;

	r->ranks = mem_zalloc(dirtree_count(t), sizeof(*r->ranks));
	for (uint32_t dir = 1; dir < dirtree_count(t); dir++) {
		const char *name = dirtree_name(t, dir);

		r->ranks[dir] = place_rank_below(r->ranks[dirtree_parent(t, dir)], name, strlen(name));
	}
	if (r->q->n_in > 0)
		return;
	/* A copy in a place that was named is not there by chance. */
	for (size_t i = 0; i < r->q->n_protect; i++) {
		const uint32_t top = dirtree_find(t, r->q->protect[i]);

		for (uint32_t dir = top; top != DIRTREE_NONE && dir < dirtree_end(t, top); dir++)
			r->ranks[dir].spare = 0;
	}
	r->keepers.ranks = r->ranks;
	r->keepers.named = r->named;
}

static int
redundant_choose_all(struct redundant *r)
{
	const struct dirtree *t = r->map.dirs;
	int ret = 0;

	for (size_t i = 0; i < r->tops.n; i++) {
		const uint32_t dir = r->tops.v[i];
		const bool asked = r->asked != NULL && r->asked[dir] && !r->asked[dirtree_parent(t, dir)];

		/* What was asked for is answered for, also if no file of it could be judged. */
		if (redundant_is_worth(r, dir, asked && redundant_has_gaps(r, dir) ? 0 : 1))
			redundant_queue_add(r, dir, false);
	}
	while (ret == 0 && r->queue.n > 0) {
		ret = redundant_choose(r, redundant_queue_take(r));
		if (ret == 0)
			ret = stop_check(r->err);
	}
	return ret;
}

static int
redundant_cmp_entry(const void *a, const void *b, void *arg)
{
	const struct redundant_answers_entry *x = a, *y = b;

	return redundant_cmp(arg, x->dir, y->dir);
}

/* Deliver all answers, largest first. */
static int
redundant_answer_all(struct redundant *r, redundant_fn *fn, stat_results_gap_fn *gap, void *arg, struct tree_totals *totals)
{
	struct redundant_answers a = { .removal = &r->removal, .looks = &r->looks, .sums = r->sums, .mounted = r->mounted,
	                               .v = r->entries.v, .n = r->entries.n };

	if (a.n > 1)
		order_sort_by(a.v, a.n, sizeof(*a.v), redundant_cmp_entry, r);
	totals->left_hidden = r->n_hidden;
	totals->in_wholes = r->n_in_wholes;
	totals->wholes = r->in_wholes;
	totals->fleeting = r->n_fleeting;
	totals->fleeting_why = r->fleeting;
	for (size_t i = 0; i < r->dirs.n; i++)
		totals->whole += r->removal.going[r->dirs.v[i]];
	return redundant_answers_each(&a, fn, gap, arg, totals, r->err);
}

/* Which directories are never told to be nearly redundant: an owned array by number. */
static bool *
redundant_never(const struct redundant *r)
{
	const struct dirtree *t = r->map.dirs;
	const uint32_t n = dirtree_count(t);
	bool *never = mem_alloc(n), *tried = mem_zalloc(n, sizeof(*tried));

	tried[0] = r->dirs.n == 0;
	for (size_t i = 0; i < r->dirs.n; i++)
		tried[r->dirs.v[i]] = true;
	never[0] = true;
	for (uint32_t dir = 1; dir < n; dir++) {
		tried[dir] |= tried[dirtree_parent(t, dir)] && !redundant_is_hidden(r, dir);
		never[dir] = !tried[dir] || r->fixed[dir] || r->removal.going[dir] || dirtree_id(t, dir) == 0;
	}
	free(tried);
	return never;
}

/* nearly_part_fn */
static int
redundant_is_part(void *arg, uint32_t dir)
{
	struct whole whole;

	return redundant_whole(arg, dir, false, &whole);
}

/* Deliver the directories that could go but for a few files, and are there. */
static int
redundant_tell_nearly(struct redundant *r, redundant_fn *fn, void *arg, struct tree_totals *totals)
{
	bool *never = redundant_never(r);
	const struct nearly_query q = {
		.m = &r->map, .keepers = &r->keepers, .outside = r->q->outside_links && r->q->n_in == 0,
		.copies = r->q->copies, .min_size = r->q->min_size, .never = never, .going = r->removal.going,
		.part = redundant_is_part, .arg = r,
	};
	struct nearly nearly = { .n = 0 };
	struct buf path = { 0 };
	struct fs_stat st;
	int ret = nearly_find(&nearly, &q, r->err);

	for (size_t i = 0; ret == 0 && i < nearly.n; i++) {
		const struct nearly_dir *d = &nearly.v[i];
		struct tree_answer a = { .state = TREE_ALL_BUT, .files = (int64_t)d->sum->files, .bytes = (int64_t)d->sum->bytes,
		                         .frees = (int64_t)d->sum->frees, .elsewhere = (int64_t)d->sum->files - d->missing,
		                         .missing = d->missing, .alternative = !d->together };

		buf_cut(&path, 0);
		dirtree_path(r->map.dirs, d->dir, &path);
		a.path = buf_str(&path);
		if (fs_stat_path(a.path, &st) < 0)
			continue;
		for (uint32_t dir = d->dir; dir < dirtree_end(r->map.dirs, d->dir); dir++)
			a.mounts += r->mounted[dir];
		totals->all_but++;
		ret = fn(arg, &a);
	}
	buf_release(&path);
	nearly_release(&nearly);
	free(never);
	return ret;
}

static void
redundant_release(struct redundant *r)
{
	removal_release(&r->removal);
	stat_results_release(&r->looks);
	contents_map_release(&r->map);
	vec_release(&r->tops);
	vec_release(&r->queue);
	free(r->ranks);
	free(r->named);
	free(r->fixed);
	vec_release(&r->entries);
	vec_release(&r->contents);
	free(r->volumes);
	free(r->sums);
	vec_release(&r->dirs);
	free(r->asked);
	keepers_release(&r->keepers);
	wholes_release(&r->wholes);
	roots_release(&r->roots);
	free(r->mounted);
}

int
redundant_each(struct index *ix, const struct redundant_query *q, redundant_fn *fn, stat_results_gap_fn *gap, void *arg,
               struct tree_totals *totals, struct err *err)
{
	struct redundant r = { .q = q, .arg = arg, .err = err, .wholes = { .db = ix->db, .more = q->wholes, .n_more = q->n_wholes } };
	int ret = contents_map_load(&r.map, ix, q->exclude, q->n_exclude, err);

	if (ret == 0)
		ret = redundant_ask(&r);
	if (ret == 0)
		ret = redundant_find_views(&r, ix);
	if (ret == 0)
		ret = roots_load(&r.roots, ix->db, err);
	if (ret == 0) {
		keepers_load(&r.keepers, &r.map, q->in, q->n_in);
		ret = redundant_find(&r);
		if (q->per_volume)
			r.volumes = mem_zalloc(r.map.n_names + 1, sizeof(*r.volumes));
	}
	if (ret == 0)
		ret = stat_results_load(&r.looks, &r.map, ix, r.tops.v, r.tops.n, redundant_look, &r, err);
	if (ret == 0) {
		r.sums = dir_sums_make(&r.map, &r.looks);
		r.removal = (struct removal){ .m = &r.map, .l = &r.looks, .keepers = &r.keepers, .within = q->n_in > 0 || !q->outside_links,
		                               .copies = q->copies, .volumes = r.volumes };
		redundant_rank(&r);
		removal_open(&r.removal);
		r.mounted = disks_mounted(r.map.dirs);
		ret = redundant_choose_all(&r);
	}
	if (ret == 0)
		ret = redundant_answer_all(&r, fn, gap, arg, totals);
	/* The volumes of what was not looked at are unknown. */
	if (ret == 0 && !q->per_volume)
		ret = redundant_tell_nearly(&r, fn, arg, totals);
	redundant_release(&r);
	return ret;
}
