/* SPDX-License-Identifier: MIT */
/*
 * Only directories above marks are walked, and others within them until something older is found:
 * the first older file proves that not everything was meant to be kept.
 */
#include "base/base.h"

#include "query/newcomers.h"

#include "index/index.h"
#include "index/mark.h"
#include "index/rows.h"
#include "query/subdirs.h"
#include "sys/stop.h"

/* A directory to be reported. */
struct newcomers_dir {
	const char *path;
	int64_t n;
};

struct newcomers {
	struct index *ix;
	struct arena memory;
	VEC(const char *) above;        /* directories above files marked keep */
	struct table by_path;
	VEC(struct newcomers_dir) told;
	struct buf path;                /* of the directory in hand */
};

/* What lies at and below a directory. */
struct newcomers_sum {
	int64_t n_kept, made;           /* marked keep; the newest of these marks, in seconds */
	int64_t n_new, oldest;          /* without a mark; the oldest ctime of these, in seconds */
};

static bool
newcomers_is_above(const struct newcomers *s, const char *path)
{
	TABLE_EACH(i, &s->by_path, table_hash_text(path)) {
		if (strcmp(s->above.v[i], path) == 0)
			return true;
	}
	return false;
}

/* mark_fn: note the directories above a file that is kept. */
static int
newcomers_note(void *arg, const struct mark *m)
{
	struct newcomers *s = arg;
	struct buf path = { 0 };
	size_t len = strlen(m->path);

	if (m->decision != MARK_KEEP)
		return 0;
	buf_adds(&path, m->path);
	while (len > 1) {
		while (len > 1 && path.data[len - 1] != '/')
			len--;
		len -= len > 1;
		buf_cut(&path, len);
		if (newcomers_is_above(s, buf_str(&path)))
			break;
		vec_push(&s->above, arena_str(&s->memory, buf_str(&path)));
		table_add(&s->by_path, table_hash_text(buf_str(&path)), s->above.n - 1);
	}
	buf_release(&path);
	return 0;
}

/* Whether something is older than a mark: then not all was meant to be kept. */
static bool
newcomers_is_over(const struct newcomers_sum *sum)
{
	return sum->n_new > 0 && sum->oldest <= sum->made;
}

/* Add up the files of a directory itself. */
static int
newcomers_files(struct newcomers *s, int64_t dir, bool marked, struct newcomers_sum *sum, struct err *err)
{
	const size_t len = s->path.len;
	struct rows rows = { 0 };
	int ret = rows_load(&rows, s->ix->db, dir, err);

	for (size_t i = 0; ret >= 0 && i < rows.n; i++) {
		const struct file_row *row = &rows.v[i];
		struct mark m;

		path_append(&s->path, row->name, row->name_len);
		ret = marked ? mark_get(s->ix, buf_str(&s->path), &m, err) : 0;
		buf_cut(&s->path, len);
		if (ret == 1 && m.decision == MARK_KEEP) {
			sum->n_kept++;
			sum->made = m.made > sum->made ? m.made : sum->made;
		} else if (ret == 0) {
			sum->oldest = sum->n_new == 0 || row->ctime.sec < sum->oldest ? row->ctime.sec : sum->oldest;
			sum->n_new++;
		}
	}
	rows_release(&rows);
	return ret < 0 ? -1 : stop_check(err);
}

static int newcomers_dir(struct newcomers *s, int64_t dir, struct newcomers_sum *sum, struct err *err);

/* Walk the subdirectories above marks, and the others until something is older. */
static int
newcomers_subdirs(struct newcomers *s, const struct subdirs *subs, bool above, struct newcomers_sum *sum, struct err *err)
{
	const size_t len = s->path.len;
	int ret = 0;

	for (size_t i = 0; ret == 0 && i < subs->n && (above || !newcomers_is_over(sum)); i++) {
		path_append(&s->path, subs->v[i].name, strlen(subs->v[i].name));
		if (newcomers_is_above(s, buf_str(&s->path)) == above) {
			struct newcomers_sum in = { .made = above ? 0 : sum->made };

			ret = newcomers_dir(s, subs->v[i].id, &in, err);
			if (in.n_new > 0)
				sum->oldest = sum->n_new == 0 || in.oldest < sum->oldest ? in.oldest : sum->oldest;
			sum->n_new += in.n_new;
			sum->n_kept += in.n_kept;
			sum->made = in.made > sum->made ? in.made : sum->made;
		}
		buf_cut(&s->path, len);
	}
	return ret;
}

/* Add up a directory, whose path is in s->path, and report it or what is in it. */
static int
newcomers_dir(struct newcomers *s, int64_t dir, struct newcomers_sum *sum, struct err *err)
{
	const bool above = newcomers_is_above(s, buf_str(&s->path));
	const size_t told = s->told.n;
	struct subdirs subs = { 0 };
	int ret = newcomers_files(s, dir, above, sum, err);

	if (ret == 0)
		ret = subdirs_load(&subs, s->ix->db, dir, err);
	if (ret == 0 && above)
		ret = newcomers_subdirs(s, &subs, true, sum, err);
	if (ret == 0)
		ret = newcomers_subdirs(s, &subs, false, sum, err);
	if (ret == 0 && sum->n_kept > 0 && sum->n_new > 0 && !newcomers_is_over(sum)) {
		s->told.n = told;
		vec_push(&s->told, ((struct newcomers_dir){ arena_str(&s->memory, buf_str(&s->path)), sum->n_new }));
	}
	subdirs_release(&subs);
	return ret;
}

int
newcomers_each(struct index *ix, newcomers_fn *fn, void *arg, struct err *err)
{
	struct newcomers s = { .ix = ix };
	struct subdirs tops = { 0 };
	int ret = mark_each(ix, "/", newcomers_note, &s, err);

	if (ret == 0 && s.above.n > 0)
		ret = subdirs_load_tops(&tops, ix->db, "/", 0, err);
	for (size_t i = 0; ret == 0 && i < tops.n; i++) {
		struct newcomers_sum sum = { .n_kept = 0 };

		buf_cut(&s.path, 0);
		buf_adds(&s.path, tops.v[i].name);
		if (newcomers_is_above(&s, tops.v[i].name))
			ret = newcomers_dir(&s, tops.v[i].id, &sum, err);
	}
	for (size_t i = 0; ret == 0 && i < s.told.n; i++)
		ret = fn(arg, s.told.v[i].path, s.told.v[i].n);
	subdirs_release(&tops);
	buf_release(&s.path);
	vec_release(&s.told);
	vec_release(&s.above);
	table_release(&s.by_path);
	arena_release(&s.memory);
	return ret;
}
