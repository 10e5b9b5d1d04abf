/* SPDX-License-Identifier: MIT */
/*
 * First all marks that the query asks for, in order of path, so that those of a directory come
 * together and its row is found once; then each is judged.  Only then the first is delivered: no
 * statement is in use any more.
 *
 * struct mark_list      one call of mark_list_each
 * struct mark_list_one  a mark, its state, and the inode of its file to sum up what drops free
 *
 * All in the calling thread.
 */
#include "base/base.h"

#include "query/mark_list.h"

#include "index/presence.h"
#include "index/dirs.h"
#include "query/mark_effect.h"
#include "index/file.h"
#include "index/exclusive_extents.h"
#include "index/index.h"
#include "index/inode.h"
#include "index/mark.h"
#include "sys/stop.h"

/* A mark, and what a look at its file gave. */
struct mark_list_one {
	struct mark m;             /* its path is in paths */
	size_t path;
	enum mark_state state;
	const char *why;
	struct inode inode;
	int64_t nlink, blocks;
};

struct mark_list {
	struct index *ix;
	const struct mark_list_query *q;
	struct presence_view check;
	struct mark_effect effect;
	struct buf paths;
	VEC(struct mark_list_one) v;
};

/* mark_fn: note what the query asks for. */
static int
mark_list_note(void *arg, const struct mark *m)
{
	struct mark_list *s = arg;
	struct mark_list_one *one;

	if ((s->q->only != MARK_NONE && s->q->only != m->decision) ||
	    path_is_below_any(m->path, s->q->exclude, s->q->n_exclude))
		return 0;
	one = vec_add(&s->v);
	memset(one, 0, sizeof(*one));
	one->m = *m;
	one->path = s->paths.len;
	buf_add(&s->paths, m->path, strlen(m->path) + 1);
	return 0;
}

static int
mark_list_cmp_path(const void *a, const void *b, void *paths)
{
	return strcmp((char *)paths + ((const struct mark_list_one *)a)->path, (char *)paths + ((const struct mark_list_one *)b)->path);
}

static void
mark_list_stale(struct mark_list_one *one, const char *why)
{
	one->state = MARK_STALE;
	one->why = why;
}

/* Judge a mark whose file's content is not that for which it was made, or not known. */
static void
mark_list_judge_other(const struct mark_list *s, struct mark_list_one *one, const struct file_row *row)
{
	if (row->has_hash || row->size != one->m.size)
		mark_list_stale(one, "it has another content");
	else if (fs_time_key(row->mtime) != one->m.mtime_ns)
		mark_list_stale(one, "it has changed since it was marked");
	else {
		/* Nobody had to read it again: then no other file can have its content. */
		one->state = MARK_LAST;
		one->why = s->ix->pending == INDEX_WHOLE ? mark_effect_none : "it is not read yet";
	}
}

/* Find out whether a mark is in effect. */
static int
mark_list_judge(struct mark_list *s, struct mark_list_one *one, struct err *err)
{
	const char *path = s->paths.data + one->path;
	enum presence kind;
	struct file_row row;
	int ret = dirs_next_file(&s->check.dirs, path, &row, err);

	if (ret < 0)
		return -1;
	if (ret == 0) {
		mark_list_stale(one, "no longer in the index");
		return 0;
	}
	one->inode = row.inode;
	one->blocks = row.blocks;
	if (!mark_fits(&one->m, row.size, fs_time_key(row.mtime), row.has_hash ? row.hash : NULL)) {
		mark_list_judge_other(s, one, &row);
		return 0;
	}
	if (presence_row(&s->check, &row, &kind, NULL, err) < 0)
		return -1;
	/* A root with --trust-mtime may have lost links since the scan. */
	one->nlink = s->check.nlink;
	if (kind == PRESENCE_OFFLINE || kind == PRESENCE_UNREADABLE) {
		one->state = MARK_OFFLINE;
		one->why = kind == PRESENCE_UNREADABLE ? "unreadable" : NULL;
	}
	else if (kind != PRESENCE_HERE)
		mark_list_stale(one, kind == PRESENCE_GONE ? "gone" : "changed since the scan");
	else if (one->m.decision == MARK_DROP) {
		const char *why;

		ret = mark_effect_survives(&s->effect, &s->check, path, &row, &why, err);
		if (ret < 0)
			return -1;
		if (ret == 0) {
			one->state = MARK_LAST;
			one->why = why;
		}
	}
	return stop_check(err);
}

static int
mark_list_cmp_inode(const void *a, const void *b)
{
	const struct mark_list_one *x = *(const struct mark_list_one *const *)a, *y = *(const struct mark_list_one *const *)b;

	return inode_cmp(x->inode, y->inode);
}

/* What dropping would free: an inode that loses all its names. */
static void
mark_list_count_freed(struct mark_list *s, struct mark_totals *t)
{
	VEC(const struct mark_list_one *) drops = { 0 };
	struct exclusive_extents own = { .n = 0 };
	int64_t names = 0;

	for (size_t i = 0; i < s->v.n; i++) {
		if (s->v.v[i].m.decision == MARK_DROP && s->v.v[i].state == MARK_EFFECTIVE)
			vec_push(&drops, &s->v.v[i]);
	}
	if (drops.n > 1)
		qsort(drops.v, drops.n, sizeof(*drops.v), mark_list_cmp_inode);
	for (size_t i = 0; i < drops.n; i++) {
		names = i > 0 && mark_list_cmp_inode(&drops.v[i - 1], &drops.v[i]) == 0 ? names + 1 : 1;
		if (names == drops.v[i]->nlink) {
			const struct mark_list_one *one = drops.v[i];

			t->frees = num_add(t->frees, one->m.size);
			t->frees_disk = num_add(t->frees_disk, num_mul(exclusive_extents_at(&own, (uint64_t)one->inode.volume,
			                                                                     s->paths.data + one->path, one->blocks), 512));
		}
	}
	t->at_most = own.layers;
	exclusive_extents_release(&own);
	vec_release(&drops);
}

static void
mark_list_count(struct mark_list *s, struct mark_totals *t)
{
	for (size_t i = 0; i < s->v.n; i++) {
		const struct mark_list_one *one = &s->v.v[i];

		t->n_drop += one->state == MARK_EFFECTIVE && one->m.decision == MARK_DROP;
		t->n_keep += one->state == MARK_EFFECTIVE && one->m.decision == MARK_KEEP;
		t->n_stale += one->state == MARK_STALE;
		t->n_offline += one->state == MARK_OFFLINE;
		t->n_last += one->state == MARK_LAST;
	}
	mark_list_count_freed(s, t);
}

int
mark_list_each(struct index *ix, const struct mark_list_query *q, mark_list_fn *fn, void *arg, struct mark_totals *totals,
           struct err *err)
{
	struct mark_list s = { .ix = ix, .q = q, .effect = { .keep = q->keep } };
	int ret = 0;

	memset(totals, 0, sizeof(*totals));
	for (size_t i = 0; ret == 0 && i < q->n_paths; i++)
		ret = mark_each(ix, q->paths[i], mark_list_note, &s, err);
	if (ret == 0)
		ret = presence_open(&s.check, ix, err);
	if (ret == 0 && s.v.n > 1)
		order_sort_by(s.v.v, s.v.n, sizeof(*s.v.v), mark_list_cmp_path, s.paths.data);
	for (size_t i = 0; ret == 0 && i < s.v.n; i++)
		ret = mark_list_judge(&s, &s.v.v[i], err);
	if (ret == 0)
		mark_list_count(&s, totals);
	for (size_t i = 0; ret == 0 && i < s.v.n; i++) {
		const struct mark_list_one *one = &s.v.v[i];

		ret = fn(arg, &(struct mark_answer){
			.path = s.paths.data + one->path, .decision = one->m.decision, .state = one->state, .why = one->why,
			.size = one->m.size, .hash = one->m.has_hash ? one->m.hash : NULL, .made = one->m.made,
		});
	}
	mark_effect_release(&s.effect);
	presence_release(&s.check);
	buf_release(&s.paths);
	vec_release(&s.v);
	return ret;
}
