/* SPDX-License-Identifier: MIT */
/*
 * query/list looks at directories none of which lies in another, and at every file of the index in
 * them.  A file that is gone is not judged either: the pair was counted with it.
 */
#include "base/base.h"

#include "trees/similar_look.h"

#include <sys/stat.h>

#include "index/presence.h"
#include "query/dirtree.h"
#include "sys/fs.h"
#include "trees/dir_digest.h"
#include "trees/similar.h"

struct similar_look_load {
	struct similar_look *l;
	const struct dir_digest *h;
	struct index *ix;
	struct presence_view view;
	const char *const *exclude;
	size_t n_exclude;
	list_gap_fn *gap;
	void *arg;
};

void
similar_look_note(struct similar_look *l, const struct dir_digest *h, const char *path, enum gap gap)
{
	if (l->unjudged == NULL)
		l->unjudged = mem_zalloc((size_t)h->n + 1, sizeof(*l->unjudged));
	if (gap_matters(gap))
		l->unjudged[dirtree_nearest(h->map.dirs, path)]++;
}

/* list_gap_fn: count what is not judged where it lies. */
static void
similar_look_gap(void *arg, const char *path, enum gap gap, bool dir, const char *why)
{
	struct similar_look_load *w = arg;

	if (path_is_below_any(path, w->exclude, w->n_exclude))
		return;
	similar_look_note(w->l, w->h, path, gap);
	w->gap(w->arg, path, gap, dir, why);
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
similar_look_all(struct similar_look_load *w, const uint32_t *dirs, size_t n, struct err *err)
{
	VEC(uint32_t) tops = { 0 };
	struct buf path = { 0 };
	uint32_t end = 0;
	int ret = 0;

	for (size_t i = 0; ret == 0 && i < n; i++) {
		buf_cut(&path, 0);
		dirtree_path(w->h->map.dirs, dirs[i], &path);
		ret = similar_look_dir(w, dirs[i], buf_str(&path), err);
		if (w->l->gone[dirs[i]] || dirs[i] < end)
			continue;
		end = dirtree_end(w->h->map.dirs, dirs[i]);
		vec_push(&tops, dirs[i]);
	}
	if (ret == 0)
		ret = list_gaps_of_dirs(w->ix, w->h->map.dirs, tops.v, tops.n, LIST_ROWS_COUNTED, similar_look_gap, w, err);
	vec_release(&tops);
	buf_release(&path);
	return ret;
}

int
similar_look_load(struct similar_look *l, const struct dir_digest *h, struct index *ix, const struct similar_dirs *dirs,
                  const char *const *exclude, size_t n_exclude, list_gap_fn *gap, void *arg, struct err *err)
{
	struct similar_look_load w = { .l = l, .h = h, .ix = ix, .exclude = exclude, .n_exclude = n_exclude, .gap = gap, .arg = arg };
	uint32_t *sorted = mem_alloc((dirs->n + 1) * sizeof(*sorted));
	int64_t before = 0;
	int ret = presence_open(&w.view, ix, err);

	if (l->unjudged == NULL)
		l->unjudged = mem_zalloc((size_t)h->n + 1, sizeof(*l->unjudged));
	l->gone = mem_zalloc(h->n, sizeof(*l->gone));
	if (dirs->n > 0) {
		memcpy(sorted, dirs->v, dirs->n * sizeof(*sorted));
		qsort(sorted, dirs->n, sizeof(*sorted), order_cmp_uint32);
	}
	if (ret == 0)
		ret = similar_look_all(&w, sorted, dirs->n, err);
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
similar_look_unjudged(const struct similar_look *l, const struct dir_digest *h, uint32_t dir)
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
