/* SPDX-License-Identifier: MIT */
#include "base/base.h"

#include "cmd/cmd_with.h"

#include "cmd/cmd.h"
#include "index/dirs.h"
#include "index/file.h"
#include "index/index.h"

int
cmd_with_knows(const struct cmd_call *c, const char *path, struct err *err)
{
	int known = list_knows(c->ix, path, err);

	for (size_t i = 0; known == 0 && c->with != NULL && i < c->with->others.n; i++)
		known = list_knows(c->with->others.v[i]->ix, path, err);
	return known;
}

int
cmd_with_of(const struct cmd_call *c, const char *path, bool mine, const struct indexes_other **of, struct err *err)
{
	const size_t n = c->with != NULL ? c->with->others.n : 0;
	struct file_row row;
	int64_t id;
	int ret = 0;

	for (int below = 0; ret == 0 && below < 2; below++) {
		for (size_t i = mine ? 0 : 1; ret == 0 && i <= n; i++) {
			struct index *ix = i > 0 ? c->with->others.v[i - 1]->ix : c->ix;

			*of = indexes_nth(c->with, i);
			ret = below == 0 ? dirs_find(ix->db, path, &id, err) : list_knows(ix, path, err);
			if (ret == 0 && below == 0)
				ret = dirs_find_file(ix->db, path, &row, err);
		}
	}
	return ret;
}

/* Gaps of a path on their way. */
struct cmd_with_gaps {
	const struct cmd_call *c;
	struct presence_view view;     /* of this index */
	size_t of;                     /* the index whose gaps are counted; 0: this one */
	list_gap_fn *gap;
	void *arg;
	struct gaps *gaps;
	struct err *err;
	bool failed;
};

/*
 * Whether an entry is no gap: another index has it, or an earlier index has its directory and has
 * reported it.  Returns 1, 0 or -1.
 */
static int
cmd_with_covers(struct cmd_with_gaps *w, const char *path, bool dir)
{
	char *parent = mem_dup(path, path_parent_len(path));
	int ret = 0;

	for (size_t i = 0; ret == 0 && w->c->with != NULL && i <= w->c->with->others.n; i++) {
		struct presence_view *view = indexes_view(indexes_nth(w->c->with, i), &w->view);
		int64_t id;

		if (i != w->of)
			ret = dir ? dirs_find(view->ix->db, path, &id, w->err) : indexes_has_here(view, path, w->err);
		if (ret == 0 && i < w->of)
			ret = dirs_find(view->ix->db, parent, &id, w->err);
	}
	free(parent);
	return ret;
}

/* list_gap_fn: count what no index covers. */
static void
cmd_with_gap(void *arg, const char *path, enum gap gap, bool dir, const char *why)
{
	struct cmd_with_gaps *w = arg;
	const int covered = w->failed || gap == GAP_OFFLINE ? 0 : cmd_with_covers(w, path, dir);

	w->failed = w->failed || covered < 0;
	if (covered != 0)
		return;
	gaps_count(w->gaps, gap, dir);
	w->gap(w->arg, path, gap, dir, why);
}

int
cmd_with_gaps(const struct cmd_call *c, const char *path, list_gap_fn *gap, void *arg, struct gaps *gaps, struct err *err)
{
	const size_t n = c->with != NULL ? c->with->others.n : 0;
	struct cmd_with_gaps w = { .c = c, .gap = gap, .arg = arg, .gaps = gaps, .err = err };
	struct gaps ignored = { .files = { 0 } };
	int ret = presence_open(&w.view, c->ix, err), known = 0, asked = 0;

	for (; ret == 0 && w.of <= n; w.of++) {
		struct index *ix = indexes_view(indexes_nth(c->with, w.of), &w.view)->ix;

		known = list_knows(ix, path, err);
		if (known == 1)
			ret = list_count_gaps(ix, &path, 1, cmd_with_gap, &w, &ignored, err);
		asked += known == 1;
		ret = known < 0 || w.failed ? -1 : ret;
	}
	/* A path unknown to all indexes was never scanned: count it in this one. */
	w.of = 0;
	if (ret == 0 && asked == 0)
		ret = list_count_gaps(c->ix, &path, 1, cmd_with_gap, &w, &ignored, err);
	presence_release(&w.view);
	return ret;
}
