/* SPDX-License-Identifier: MIT */
/*
 * Two passes over directories none of which lies in another: query/list lists them, and finds what
 * is there and not in the index, and files that could never be read; then threads
 * (query/stat_batch) look at every file of the index.  A file that is gone is not judged either:
 * the pair was counted with it.
 */
#include <config.h>

#include "trees/similar_look.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "base/arena.h"
#include "base/buf.h"
#include "base/mem.h"
#include "base/order.h"
#include "base/vec.h"
#include "index/index.h"
#include "index/presence.h"
#include "index/rows.h"
#include "query/dirtree.h"
#include "query/stat_batch.h"
#include "sys/fs.h"
#include "sys/stop.h"
#include "trees/holdings.h"
#include "trees/similar.h"

struct similar_look_load {
	struct similar_look *l;
	const struct holdings *h;
	struct index *ix;
	struct presence_view view;
	list_gap_fn *gap;
	void *arg;
};

/* list_gap_fn: count what is not judged where it lies. */
static void
similar_look_gap(void *arg, const char *path, enum gap gap, bool dir, const char *why)
{
	struct similar_look_load *w = arg;

	if (gap_matters(gap))
		w->l->unjudged[dirtree_nearest(w->h->map.dirs, path)]++;
	w->gap(w->arg, path, gap, dir, why);
}

/* stat_batch_fn: n is the directory.  What can't be looked at was told by the listing. */
static int
similar_look_differs(void *arg, size_t n, const struct file_row *row, struct err *err)
{
	struct similar_look_load *w = arg;
	enum presence presence;
	const char *path;

	if (presence_row(&w->view, row, &presence, &path, err) < 0)
		return -1;
	if (presence != PRESENCE_CHANGED && presence != PRESENCE_GONE)
		return 0;
	w->l->unjudged[n]++;
	w->gap(w->arg, path, GAP_CHANGED, false, presence == PRESENCE_GONE ? "gone" : "changed");
	return 0;
}

/* Look at all files of a directory and of those below it. */
static int
similar_look_files(struct similar_look_load *w, struct stat_batch *batch, uint32_t top, struct err *err)
{
	struct dirtree *t = w->h->map.dirs;
	struct rows rows = { 0 };
	int ret = 0;

	for (uint32_t dir = top; ret == 0 && dir < dirtree_end(t, top); dir++) {
		const struct dirs_prefix *prefix;

		if (dirtree_id(t, dir) == 0 || dirtree_excluded(t, dir))
			continue;
		prefix = dirs_prefix(&w->view.dirs, dirtree_id(t, dir), err);
		ret = prefix == NULL ? -1 : rows_load(&rows, w->ix->db, dirtree_id(t, dir), err);
		for (size_t i = 0; ret == 0 && i < rows.n; i++) {
			if (rows.v[i].size > 0)
				ret = stat_batch_add(batch, dir, &rows.v[i], prefix, err);
		}
		rows_release(&rows);
		if (ret == 0)
			ret = stop_check(err);
	}
	return ret;
}

/* Note whether a directory is there. */
static int
similar_look_dir(struct similar_look_load *w, uint32_t dir, const char *path, struct err *err)
{
	enum presence missing = PRESENCE_HERE;
	struct fs_stat st;

	if (fs_stat_path(path, &st) == 0)
		w->l->gone[dir] = !S_ISDIR(st.mode);
	else if (fs_is_absent(errno)) {
		if (presence_missing(&w->view, dirtree_id(w->h->map.dirs, dir), -1, path, &missing, err) < 0)
			return -1;
		w->l->gone[dir] = missing == PRESENCE_GONE;
	}
	return 0;
}

/* Look at the directories, those that are highest for all below them. */
static int
similar_look_all(struct similar_look_load *w, const uint32_t *dirs, size_t n, const struct list_query *q, struct err *err)
{
	struct stat_batch *batch = stat_batch_new(similar_look_differs, w);
	struct list_totals totals = { .n = { 0 } };
	struct arena texts = { 0 };
	VEC(const char *) paths = { 0 };
	VEC(uint32_t) tops = { 0 };
	struct buf path = { 0 };
	uint32_t end = 0;
	int ret = dirs_load(&w->view.dirs, err);

	for (size_t i = 0; ret == 0 && i < n; i++) {
		buf_cut(&path, 0);
		dirtree_path(w->h->map.dirs, dirs[i], &path);
		ret = similar_look_dir(w, dirs[i], buf_str(&path), err);
		if (w->l->gone[dirs[i]] || dirs[i] < end)
			continue;
		end = dirtree_end(w->h->map.dirs, dirs[i]);
		vec_push(&paths, arena_dup(&texts, path.data, path.len));
		vec_push(&tops, dirs[i]);
	}
	if (ret == 0 && paths.n > 0)
		ret = list_each(w->ix, paths.v, paths.n, q, NULL, w, &totals, err);
	for (size_t i = 0; ret == 0 && i < tops.n; i++)
		ret = similar_look_files(w, batch, tops.v[i], err);
	if (ret == 0)
		ret = stat_batch_finish(batch, err);
	stat_batch_free(batch);
	vec_release(&paths);
	vec_release(&tops);
	arena_release(&texts);
	buf_release(&path);
	return ret;
}

int
similar_look_load(struct similar_look *l, const struct holdings *h, struct index *ix, const struct similar_dirs *dirs,
                  const char *const *exclude, size_t n_exclude, list_gap_fn *gap, void *arg, struct err *err)
{
	struct similar_look_load w = { .l = l, .h = h, .ix = ix, .gap = gap, .arg = arg };
	const struct list_query q = { .copies = { .exclude = exclude, .n_exclude = n_exclude }, .gaps_only = true,
	                              .dirs = h->map.dirs, .gap = similar_look_gap };
	uint32_t *sorted = mem_alloc((dirs->n + 1) * sizeof(*sorted));
	int64_t before = 0;
	int ret = presence_open(&w.view, ix, err);

	l->unjudged = mem_zalloc((size_t)h->n + 1, sizeof(*l->unjudged));
	l->gone = mem_zalloc(h->n, sizeof(*l->gone));
	if (dirs->n > 0) {
		memcpy(sorted, dirs->v, dirs->n * sizeof(*sorted));
		qsort(sorted, dirs->n, sizeof(*sorted), order_cmp_uint32);
	}
	if (ret == 0)
		ret = similar_look_all(&w, sorted, dirs->n, &q, err);
	for (uint32_t dir = 0; dir <= h->n; dir++) {
		const int64_t here = l->unjudged[dir];

		l->unjudged[dir] = before;
		before += here;
	}
	presence_release(&w.view);
	free(sorted);
	return ret;
}

int64_t
similar_look_unjudged(const struct similar_look *l, const struct holdings *h, uint32_t dir)
{
	if (l->unjudged == NULL)
		return h->v[dir].unjudged;
	return l->unjudged[dirtree_end(h->map.dirs, dir)] - l->unjudged[dir];
}

void
similar_look_release(struct similar_look *l)
{
	free(l->unjudged);
	free(l->gone);
}
