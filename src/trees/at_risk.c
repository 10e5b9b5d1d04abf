/* SPDX-License-Identifier: MIT */
/*
 *	at_risk_find_tops  the directories that are asked for
 *	stat_results       look at all names of the contents that have one there, and around
 *	at_risk_judge      each name of each content: which others keep it, and on which disks; by
 *	                   directory, its own files: of how many are how many at risk
 *	at_risk_list       the highest directories with as many; and what is left of others
 *
 * A content that may have a copy which nobody can see, or which an unread file may be, is not
 * judged: its files are counted as a gap.
 */
#include "base/base.h"

#include "trees/at_risk.h"

#include "index/exclusive_extents.h"
#include "index/file.h"
#include "index/fleeting.h"
#include "index/index.h"
#include "query/dirtree.h"
#include "sys/stop.h"
#include "trees/contents_map.h"
#include "trees/dir_sums.h"
#include "trees/disks.h"
#include "trees/keepers.h"
#include "trees/policy.h"
#include "trees/stat_results.h"

/* What is said of a name. */
enum at_risk_verdict { RISK_SAFE, RISK_INSIDE, RISK_OFFLINE, RISK_UNSURE, RISK_RISKY };

/* A name that is asked about, with files or doubts. */
struct at_risk_name {
	uint32_t position, content;
	const char *name;        /* in texts */
	struct at_risk_file file;    /* but for its path */
};

/* The files directly in a directory. */
struct at_risk_dir {
	int64_t files, risky;    /* of all that are asked about, those at risk */
	int64_t bytes;           /* of the inodes of these */
	int64_t below;           /* the files in all of its subtree */
};

/* A line of the answer. */
struct at_risk_line {
	uint32_t dir;
	bool whole;
	int64_t bytes;
};

/*
 * A name of the content in hand that may keep others.  Names that are the same to every other one
 * are one peer, and of many a few stand for all: AT_RISK_PEERS of each kind.
 */
struct at_risk_peer {
	uint32_t dir, copy;
	uint8_t why;             /* why it may go by itself */
	bool here, offline, unseen, inside;
};

enum { AT_RISK_PEERS = 16 };

/* Contents that are asked for their blocks without --reflinks: each takes time. */
enum { AT_RISK_SAMPLE = 32 };

/* A name, by its position in contents_map.names, and where its blocks lie. */
struct at_risk_blocks_of {
	uint32_t position;
	const char *name;        /* in texts */
	int64_t where;           /* exclusive_extents_where() */
};

/* Zero it, at_risk_blocks_open() it, note names, ask for them, at_risk_blocks_release() it. */
struct at_risk_blocks {
	const struct contents_map *map;
	struct exclusive_extents own;
	bool *several;           /* by content: its names are to be noted; NULL: none is */
	struct at_risk_blocks_of *v;
	size_t n, cap;
	struct arena texts;
};

/*
 * Begin, for names of contents that wanted (by position in m->v) has true: of at most that many
 * contents, spread evenly.  Returns 0 or -1.
 */
static int
at_risk_blocks_open(struct at_risk_blocks *s, const struct contents_map *m, const bool *wanted, size_t most, struct db *db,
                 struct err *err)
{
	size_t n = 0, at = 0;

	s->map = m;
	if (exclusive_extents_ask_all(&s->own, db, err) < 0)
		return -1;
	if (!exclusive_extents_any(&s->own))
		return 0;
	s->several = mem_zalloc(m->n + 1, sizeof(*s->several));
	for (size_t i = 0; i < m->n; i++)
		n += wanted[i] && m->v[i].copies > 1;
	for (size_t i = 0; i < m->n; i++)
		s->several[i] = wanted[i] && m->v[i].copies > 1 && at++ % (n / most + 1) == 0;
	return 0;
}

/* Note the name at a position, which the row is of, if it may share its blocks. */
static void
at_risk_blocks_note(struct at_risk_blocks *s, size_t content, size_t position, const struct file_row *row)
{
	if (s->several != NULL && s->several[content] && exclusive_extents_shared(&s->own, (uint64_t)row->inode.volume))
		vec_push(s, ((struct at_risk_blocks_of){ .position = (uint32_t)position, .name = arena_dup(&s->texts, row->name, row->name_len) }));
}

/* exclusive_extents_path_fn */
static void
at_risk_blocks_path(void *arg, size_t i, struct buf *path)
{
	const struct at_risk_blocks *s = arg;

	dirtree_path(s->map->dirs, s->map->names[s->v[i].position].dir, path);
	path_append(path, s->v[i].name, strlen(s->v[i].name));
}

/* exclusive_extents_take_fn */
static void
at_risk_blocks_take(void *arg, size_t i, int64_t where)
{
	((struct at_risk_blocks *)arg)->v[i].where = where;
}

static int
at_risk_blocks_cmp(const void *a, const void *b)
{
	const struct at_risk_blocks_of *x = a, *y = b;

	ORDER_CMP(x->position, y->position);
	return 0;
}

/* Ask for the blocks of all that are here, in threads.  Returns 0 or -1 (ERR_INTERRUPTED). */
static int
at_risk_blocks_ask(struct at_risk_blocks *s, const struct stat_results *l, struct err *err)
{
	size_t n = 0;

	for (size_t i = 0; i < s->n; i++) {
		if (stat_results_here(l, s->v[i].position))
			s->v[n++] = s->v[i];
	}
	s->n = n;
	if (n > 1)
		qsort(s->v, n, sizeof(*s->v), at_risk_blocks_cmp);
	return exclusive_extents_where(n, at_risk_blocks_path, at_risk_blocks_take, s, err);
}

/*
 * Where the blocks of the name at a position lie; 0: some are its own, or nobody tells.  Names of
 * one content on one disk with one number, not 0, are the same blocks.
 */
static int64_t
at_risk_blocks_where(const struct at_risk_blocks *s, size_t position)
{
	size_t at;

	ORDER_FIRST(at, s->n, s->v[at].position < position);
	return at < s->n && s->v[at].position == position ? s->v[at].where : 0;
}

/* Free. */
static void
at_risk_blocks_release(struct at_risk_blocks *s)
{
	exclusive_extents_release(&s->own);
	arena_release(&s->texts);
	free(s->several);
	vec_release(s);
}

struct at_risk {
	struct index *ix;
	const struct at_risk_query *q;
	struct contents_map map;
	struct stat_results looks;
	struct at_risk_blocks blocks;
	VEC(uint32_t) tops;
	bool *inside;            /* by directory: it is asked about */
	struct keepers keepers;  /* where copies count, and why these may go by themselves */
	VEC(struct at_risk_peer) peers;  /* of the content in hand */
	unsigned trash;          /* FLEETING_TRASH if one of its names lies in a trash, else 0 */
	VEC(const char *) above; /* asked about, and not in the index: roots lie below them */
	uint8_t *asked;          /* a bit by name: it is asked about */
	struct disks disks;
	VEC(struct at_risk_name) names;
	struct arena texts;
	struct at_risk_dir *dirs;
	uint8_t *risky, *unsure; /* a bit by name: it is at risk, it could not be judged */
	struct policy_found *found;  /* by name, with a policy: what it has; or NULL */
	VEC(uint32_t) doubts;    /* contents with a name that could not be judged */
	struct dir_sum *sums;    /* of what is at risk */
	VEC(struct at_risk_line) lines;
	struct err *err;
};

/* Add the directories of the index at and below a directory that lie in no other. */
static void
at_risk_add_tops(struct at_risk *r, uint32_t dir)
{
	for (uint32_t at = dir; at < dirtree_end(r->map.dirs, dir);) {
		if (dirtree_id(r->map.dirs, at) == 0 || dirtree_excluded(r->map.dirs, at)) {
			at++;
			continue;
		}
		vec_push(&r->tops, at);
		at = dirtree_end(r->map.dirs, at);
	}
}

static int
at_risk_find_tops(struct at_risk *r)
{
	const struct dirtree *t = r->map.dirs;

	if (r->q->n_dirs == 0)
		at_risk_add_tops(r, 0);
	for (size_t i = 0; i < r->q->n_dirs; i++) {
		const uint32_t dir = dirtree_find(t, r->q->dirs[i]);

		if (dir == DIRTREE_NONE)
			return err_set(r->err, ERR_USAGE, "'%s' is not a directory", r->q->dirs[i]);
		if (dirtree_id(t, dir) == 0)
			vec_push(&r->above, r->q->dirs[i]);
		at_risk_add_tops(r, dir);
	}
	keepers_load(&r->keepers, &r->map, r->q->in, r->q->n_in);
	r->inside = mem_zalloc(dirtree_count(t), sizeof(*r->inside));
	for (size_t i = 0; i < r->tops.n; i++)
		memset(r->inside + r->tops.v[i], true, dirtree_end(t, r->tops.v[i]) - r->tops.v[i]);
	/* Files where copies count are asked about only by name: they are the copies. */
	if (r->q->policy != NULL) {
		policy_open(r->q->policy, t);
		for (uint32_t dir = 0; dir < dirtree_count(t); dir++)
			r->inside[dir] &= policy_holds_in(r->q->policy, dir);
	}
	for (uint32_t dir = 0; r->q->n_in > 0 && (r->q->n_dirs == 0 || r->q->in_backups) && dir < dirtree_count(t); dir++)
		r->inside[dir] &= !r->keepers.counts[dir];
	return 0;
}

/* Whether copies in a directory count. */
static bool
at_risk_counts(const struct at_risk *r, uint32_t dir)
{
	return r->keepers.counts == NULL || r->keepers.counts[dir];
}

/* stat_results_note_fn: note a name that is asked about. */
static void
at_risk_note(void *arg, size_t content, size_t position, const struct file_row *row)
{
	struct at_risk *r = arg;

	at_risk_blocks_note(&r->blocks, content, position, row);
	if (!r->inside[r->map.names[position].dir] || row->mtime.sec < r->q->since)
		return;
	bits_set(r->asked, position, true);
	if (r->q->files || r->q->doubts)
		vec_push(&r->names, ((struct at_risk_name){ (uint32_t)position, (uint32_t)content, arena_dup(&r->texts, row->name, row->name_len),
		                                            { NULL, row->size, row->inode.number, row->nlink, row->mtime, NULL, 0 } }));
}

/* Note a name that may keep others, unless another one is the same to all. */
static void
at_risk_add_peer(struct at_risk *r, const struct at_risk_peer *p)
{
	const bool in_hand = r->q->one_volume;
	size_t kind = 0;

	for (size_t i = 0; i < r->peers.n; i++) {
		const struct at_risk_peer *o = &r->peers.v[i];

		if (o->why != p->why || o->here != p->here || o->offline != p->offline || o->unseen != p->unseen || o->inside != p->inside ||
		    r->disks.splits[o->dir] != r->disks.splits[p->dir])
			continue;
		if (r->disks.of[o->dir] == r->disks.of[p->dir] && (in_hand || o->copy == p->copy))
			return;
		kind++;
	}
	if (kind < AT_RISK_PEERS)
		vec_push(&r->peers, *p);
}

/* Find the names of a content that may keep others: what lies in a trash keeps nothing. */
static void
at_risk_find_peers(struct at_risk *r, const struct contents_map_content *c)
{
	r->peers.n = 0;
	r->trash = 0;
	for (uint32_t at = c->first; at < c->first + c->n; at++) {
		const struct contents_map_name *n = &r->map.names[at];
		const struct at_risk_peer p = { .dir = n->dir, .copy = n->copy, .why = r->keepers.why[n->dir], .here = stat_results_here(&r->looks, at) && !n->overtaken,
		                                .offline = stat_results_offline(&r->looks, at), .unseen = stat_results_unseen(&r->looks, at) || n->overtaken,
		                                .inside = r->inside[n->dir] };

		if ((p.why & FLEETING_TRASH) != 0)
			r->trash |= p.here ? FLEETING_TRASH : 0;
		else if (at_risk_counts(r, n->dir) && (p.here || p.offline || p.unseen))
			at_risk_add_peer(r, &p);
	}
}

/*
 * Judge a name that is there.  Another copy keeps it from being at risk that lasts as long as it
 * does: one that is there, or was at the last scan of its volume.  All may lie in what is asked
 * about.  beside becomes why other copies do not count.
 */
static enum at_risk_verdict
at_risk_judge_name(const struct at_risk *r, const struct contents_map_content *c, const struct contents_map_name *n, unsigned *beside)
{
	bool offline = false, unseen = c->unproven, copy = false, outside = r->q->n_dirs == 0 || r->q->n_in > 0;
	const unsigned own = dirtree_fleeting(r->map.dirs, n->dir);

	*beside = r->trash & ~own;
	if (n->overtaken)
		return RISK_UNSURE;
	for (size_t i = 0; i < r->peers.n; i++) {
		const struct at_risk_peer *p = &r->peers.v[i];
		const bool keeps = fleeting_keeps(p->why, own);
		/* Whether it is another copy: on another disk, if asked. */
		const bool is_other = (!c->mirrored || !r->disks.splits[n->dir] || !r->disks.splits[p->dir]) &&
		                      (r->q->one_volume ? !disks_numbers_are_one(r->disks.of[n->dir], r->disks.of[p->dir]) : n->copy != p->copy) &&
		                      !disks_may_be_one(&r->disks, n->dir, p->dir);

		outside = outside || (keeps && !p->inside && (p->here || p->offline));
		if (!is_other)
			continue;
		if (!keeps) {
			*beside |= p->why & ~own;
			continue;
		}
		copy = copy || p->here;
		offline = offline || p->offline;
		unseen = unseen || p->unseen;
	}
	/* What is offline is taken not to exist, and can't be looked at: nobody knows. */
	if (copy)
		return outside ? RISK_SAFE : RISK_INSIDE;
	return offline && !r->q->online ? RISK_OFFLINE : unseen ? RISK_UNSURE : RISK_RISKY;
}

/* Whether all copies of a content that count are the same blocks of one disk. */
static bool
at_risk_is_one(const struct at_risk *r, const struct contents_map_content *c)
{
	const struct contents_map_name *one = NULL;
	int64_t where = 0;

	for (uint32_t at = c->first; r->blocks.n > 0 && at < c->first + c->n; at++) {
		const struct contents_map_name *n = &r->map.names[at];

		if ((r->keepers.why[n->dir] & FLEETING_TRASH) != 0 || (!at_risk_counts(r, n->dir) && !r->inside[n->dir]) ||
		    (!stat_results_here(&r->looks, at) && (!stat_results_offline(&r->looks, at) || r->q->online)))
			continue;
		if (one == NULL) {
			one = n;
			where = at_risk_blocks_where(&r->blocks, at);
		}
		if (where == 0 || at_risk_blocks_where(&r->blocks, at) != where || r->disks.of[n->dir] != r->disks.of[one->dir])
			return false;
	}
	return one != NULL;
}

/* Judge a name that is there by the policy. */
static enum at_risk_verdict
at_risk_judge_policy(const struct at_risk *r, const struct contents_map_content *c, const struct contents_map_name *n)
{
	const struct policy_view view = { &r->map, &r->looks, &r->disks, &r->keepers };
	struct policy_found *found = &r->found[n - r->map.names];

	*found = policy_judge(r->q->policy, &view, c, n);
	return found->broken != 0 ? RISK_RISKY : found->unsure != 0 ? RISK_UNSURE : RISK_SAFE;
}

/* Judge all names of a content that are asked about, and count them in their directories. */
static void
at_risk_judge(struct at_risk *r, size_t content, struct tree_totals *t)
{
	const struct contents_map_content *c = &r->map.v[content];
	const bool one = at_risk_is_one(r, c);
	const struct contents_map_name *before = NULL;
	enum at_risk_verdict verdict = RISK_SAFE;
	bool unsure = false;
	unsigned beside = 0;

	if (r->q->policy != NULL)
		policy_take(r->q->policy, &(struct policy_view){ &r->map, &r->looks, &r->disks, &r->keepers }, c);
	else
		at_risk_find_peers(r, c);
	for (uint32_t at = c->first; at < c->first + c->n; at++) {
		const struct contents_map_name *n = &r->map.names[at];
		struct at_risk_dir *d = &r->dirs[n->dir];
		/* Links of an inode come one after another, in a directory. */
		const bool link = before != NULL && before->copy == n->copy && before->dir == n->dir;

		if (!bits_has(r->asked, at) || !stat_results_here(&r->looks, at))
			continue;
		if (!link) {
			verdict = r->found != NULL ? at_risk_judge_policy(r, c, n) : at_risk_judge_name(r, c, n, &beside);
			if (one && (verdict == RISK_SAFE || verdict == RISK_INSIDE) && at_risk_blocks_where(&r->blocks, at) != 0) {
				t->shared = true;
				verdict = r->q->reflinks ? RISK_RISKY : verdict;
			}
		}
		if (r->found != NULL) {
			r->found[at] = r->found[(link ? before : n) - r->map.names];
			policy_count(r->q->policy, n->dir, &r->found[at], link ? 0 : c->size);
		}
		before = n;
		d->files++;
		t->offline += verdict == RISK_OFFLINE;
		t->inside += verdict == RISK_INSIDE;
		t->gaps.files[GAP_UNPROVEN] += verdict == RISK_UNSURE;
		bits_set(r->unsure, at, verdict == RISK_UNSURE);
		unsure = unsure || verdict == RISK_UNSURE;
		if (verdict != RISK_RISKY)
			continue;
		bits_set(r->risky, at, true);
		d->risky++;
		d->bytes += link ? 0 : c->size;
		t->fleeting += beside != 0;
		t->fleeting_why |= beside;
	}
	if (unsure)
		vec_push(&r->doubts, (uint32_t)content);
}

/*
 * The lowest directory at or below dir that holds all files in question of dir.  With a least size
 * or age other files may lie higher, which a line for dir would seem to include.
 */
static uint32_t
at_risk_lowest(const struct at_risk *r, uint32_t dir)
{
	const struct dirtree *t = r->map.dirs;
	uint32_t in = dirtree_first(t, dir);

	while (in != DIRTREE_NONE && r->dirs[dir].files == 0) {
		if (r->dirs[in].below == r->dirs[dir].below) {
			dir = in;
			in = dirtree_first(t, dir);
		} else
			in = dirtree_next(t, in);
	}
	return dir;
}

/* Find the lines of the answer. */
static void
at_risk_list(struct at_risk *r, struct tree_totals *t)
{
	const bool some = r->q->min_size > 1 || r->q->since > INT64_MIN;

	for (size_t i = 0; i < r->tops.n; i++) {
		const uint32_t top = r->tops.v[i], end = dirtree_end(r->map.dirs, top);

		t->files += (int64_t)r->sums[top].files;
		for (uint32_t dir = top; dir < end;) {
			const struct at_risk_dir *d = &r->dirs[dir];
			const int64_t risky = (int64_t)r->sums[dir].files;
			const bool whole = risky > 0 && risky == d->below;

			if (whole)
				vec_push(&r->lines, ((struct at_risk_line){ some ? at_risk_lowest(r, dir) : dir, true, (int64_t)r->sums[dir].bytes }));
			else if (d->risky > 0)
				vec_push(&r->lines, ((struct at_risk_line){ dir, false, d->bytes }));
			dir = whole || risky == 0 ? dirtree_end(r->map.dirs, dir) : dir + 1;
		}
	}
	t->dirs = (int64_t)r->lines.n;
	t->bytes = (int64_t)r->sums[0].bytes;
}

static int
at_risk_cmp_line(const void *a, const void *b)
{
	const struct at_risk_line *x = a, *y = b;

	ORDER_CMP(y->bytes, x->bytes);
	ORDER_CMP(x->dir, y->dir);
	return 0;
}

/* In the order of directories and names. */
static int
at_risk_cmp_name(const void *a, const void *b, void *names)
{
	const struct at_risk_name *x = a, *y = b;
	const struct contents_map_name *v = names;

	ORDER_CMP(v[x->position].dir, v[y->position].dir);
	return strcmp(x->name, y->name);
}

/* The path of a name, in path. */
static const char *
at_risk_path(const struct at_risk *r, const struct at_risk_name *n, struct buf *path)
{
	buf_cut(path, 0);
	dirtree_path(r->map.dirs, r->map.names[n->position].dir, path);
	path_append(path, n->name, strlen(n->name));
	return buf_str(path);
}

/* Deliver the files at risk. */
static int
at_risk_tell_files(struct at_risk *r, at_risk_file_fn *fn, void *arg)
{
	struct buf path = { 0 }, why = { 0 };
	int ret = 0;

	for (size_t i = 0; ret == 0 && i < r->names.n; i++) {
		const struct at_risk_name *n = &r->names.v[i];
		struct at_risk_file f = n->file;

		if (!bits_has(r->risky, n->position))
			continue;
		f.path = at_risk_path(r, n, &path);
		if (r->found != NULL) {
			buf_cut(&why, 0);
			policy_why(&why, r->q->policy, r->map.names[n->position].dir, &r->found[n->position]);
			f.why = buf_str(&why);
			f.copies = r->found[n->position].has[POLICY_COPIES] - 1;
		}
		ret = fn(arg, &f);
		if (ret == 0)
			ret = stop_check(r->err);
	}
	buf_release(&path);
	buf_release(&why);
	return ret;
}

/* Deliver the directories. */
static int
at_risk_tell(struct at_risk *r, at_risk_fn *fn, void *arg)
{
	struct buf path = { 0 };
	int ret = 0;

	if (r->lines.n > 1)
		qsort(r->lines.v, r->lines.n, sizeof(*r->lines.v), at_risk_cmp_line);
	for (size_t i = 0; ret == 0 && i < r->lines.n; i++) {
		const struct at_risk_line *l = &r->lines.v[i];
		const struct at_risk_dir *d = &r->dirs[l->dir];
		struct tree_answer a = { .state = l->whole ? TREE_AT_RISK : TREE_FILES_AT_RISK, .files = l->whole ? d->below : d->risky,
		                         .of = l->whole ? d->below : d->files, .bytes = l->bytes, .frees = -1 };

		buf_cut(&path, 0);
		dirtree_path(r->map.dirs, l->dir, &path);
		a.path = buf_str(&path);
		ret = fn(arg, &a);
		if (ret == 0)
			ret = stop_check(r->err);
	}
	buf_release(&path);
	return ret;
}

/* Why a name could not be judged. */
static const char *
at_risk_why(const struct at_risk *r, const struct contents_map_content *c, const struct contents_map_name *n)
{
	if (n->overtaken)
		return "its parts are from different scans: scan all of it";
	for (uint32_t at = c->first; at < c->first + c->n; at++) {
		const struct contents_map_name *o = &r->map.names[at];

		if (o->copy == n->copy || !at_risk_counts(r, o->dir))
			continue;
		if (o->overtaken || (stat_results_unseen(&r->looks, at) && !stat_results_offline(&r->looks, at)))
			return "another copy can't be looked at, or has changed";
	}
	/* A copy that is offline counts, or is left out: it leaves no doubt. */
	return index_is_compared(r->ix, c->size) ? "a file of its size was not read" : "no scan has compared files of its size to the end";
}

/* Name the files that were counted as not judged. */
static void
at_risk_tell_doubts(struct at_risk *r, stat_results_gap_fn *gap, void *arg)
{
	struct buf path = { 0 };

	for (size_t i = 0; i < r->names.n; i++) {
		const struct at_risk_name *n = &r->names.v[i];
		const struct contents_map_name *name = &r->map.names[n->position];

		if (bits_has(r->unsure, n->position))
			gap(arg, &(struct stat_results_gap){ name->dir, GAP_UNPROVEN, false, at_risk_path(r, n, &path),
			                                     at_risk_why(r, &r->map.v[n->content], name) });
	}
	buf_release(&path);
}

/* Count what was not judged around the files, and the copies that leave a doubt. */
static void
at_risk_gaps(struct at_risk *r, stat_results_gap_fn *gap, void *arg, struct gaps *gaps)
{
	for (size_t i = 0; i < r->looks.gaps.n; i++) {
		const struct stat_results_gap *g = &r->looks.gaps.v[i];

		gaps_count(gaps, g->gap, g->is_dir);
		gap(arg, g);
	}
	for (size_t i = 0; i < r->doubts.n; i++) {
		const struct contents_map_content *c = &r->map.v[r->doubts.v[i]];

		for (uint32_t at = c->first; at < c->first + c->n; at++) {
			if (at_risk_counts(r, r->map.names[at].dir))
				stat_results_tell_copy(&r->looks, at, gap, arg, gaps);
		}
	}
}

static void
at_risk_release(struct at_risk *r)
{
	stat_results_release(&r->looks);
	at_risk_blocks_release(&r->blocks);
	contents_map_release(&r->map);
	vec_release(&r->tops);
	vec_release(&r->names);
	vec_release(&r->lines);
	arena_release(&r->texts);
	free(r->inside);
	keepers_release(&r->keepers);
	vec_release(&r->peers);
	vec_release(&r->above);
	vec_release(&r->doubts);
	free(r->asked);
	free(r->unsure);
	disks_release(&r->disks);
	free(r->dirs);
	free(r->risky);
	free(r->found);
	free(r->sums);
}

/* Look at everything, and judge each content. */
static int
at_risk_look(struct at_risk *r, struct tree_totals *t)
{
	(void)stat_results_want(&r->looks, &r->map, r->inside, r->q->min_size);
	r->dirs = mem_zalloc(dirtree_count(r->map.dirs), sizeof(*r->dirs));
	r->asked = bits_new(r->map.n_names);
	r->risky = bits_new(r->map.n_names);
	r->unsure = bits_new(r->map.n_names);
	if (r->q->policy != NULL)
		r->found = mem_zalloc(r->map.n_names + 1, sizeof(*r->found));
	r->looks.above = r->above.v;
	r->looks.n_above = r->above.n;
	/* With --one-volume what is on one disk is at risk anyway. */
	if ((!r->q->one_volume &&
	     at_risk_blocks_open(&r->blocks, &r->map, r->looks.wanted, r->q->reflinks ? SIZE_MAX : AT_RISK_SAMPLE, r->ix->db, r->err) < 0) ||
	    disks_load(&r->disks, r->ix, r->map.dirs, r->err) < 0 ||
	    stat_results_load(&r->looks, &r->map, r->ix, r->tops.v, r->tops.n, at_risk_note, r, r->err) < 0 ||
	    at_risk_blocks_ask(&r->blocks, &r->looks, r->err) < 0)
		return -1;
	for (size_t i = 0; i < r->map.n; i++) {
		if (r->looks.wanted[i])
			at_risk_judge(r, i, t);
	}
	for (uint32_t dir = 0; dir < dirtree_count(r->map.dirs); dir++)
		r->dirs[dir].below = r->dirs[dir].files;
	dirtree_add_up(r->map.dirs, (uint64_t *)&r->dirs->below, 1, sizeof(*r->dirs) / sizeof(r->dirs->below));
	r->sums = dir_sums_make(&r->map, &(struct stat_results){ .wanted = r->looks.wanted, .here = r->risky });
	return 0;
}

int
at_risk_each(struct index *ix, const struct at_risk_query *q, at_risk_fn *fn, at_risk_file_fn *file, stat_results_gap_fn *gap,
             void *arg, struct tree_totals *totals, struct err *err)
{
	struct at_risk r = { .ix = ix, .q = q, .err = err };
	int ret = contents_map_load(&r.map, ix, q->exclude, q->n_exclude, err);

	if (ret == 0)
		ret = at_risk_find_tops(&r);
	if (ret == 0)
		ret = at_risk_look(&r, totals);
	if (ret == 0) {
		at_risk_list(&r, totals);
		if (r.names.n > 1)
			order_sort_by(r.names.v, r.names.n, sizeof(*r.names.v), at_risk_cmp_name, r.map.names);
		at_risk_gaps(&r, gap, arg, &totals->gaps);
		if (q->doubts && totals->gaps.files[GAP_UNPROVEN] > 0)
			at_risk_tell_doubts(&r, gap, arg);
		if (q->files)
			ret = at_risk_tell_files(&r, file, arg);
		if (ret == 0 && q->trees)
			ret = at_risk_tell(&r, fn, arg);
	}
	at_risk_release(&r);
	return ret;
}
