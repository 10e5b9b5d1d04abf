/* SPDX-License-Identifier: MIT */
#include "base/base.h"

#include "act/prune.h"

#include <fcntl.h>
#include <unistd.h>

#include "act/acts.h"
#include "act/left_alone.h"
#include "db/db.h"
#include "db/stmt.h"
#include "index/dirs.h"
#include "index/row_history.h"
#include "index/index.h"
#include "index/roots.h"
#include "query/keep.h"
#include "sys/fs.h"

struct prune_work {
	struct index *ix;
	const struct prune_query *q;
	struct roots roots;
	prune_fn *fn;
	void *arg;
};

void
prune_add(struct prune *p, const char *path)
{
	const size_t len = path_parent_len(path);

	/* Files of a directory mostly come one after another. */
	if (p->dirs.n > 0 && strlen(p->dirs.v[p->dirs.n - 1]) == len && memcmp(p->dirs.v[p->dirs.n - 1], path, len) == 0)
		return;
	vec_push(&p->dirs, arena_dup(&p->memory, path, len));
}

/* Deepest first: a directory sorts before what lies in it. */
static int
prune_cmp(const void *a, const void *b)
{
	return strcmp(*(char *const *)b, *(char *const *)a);
}

/* Whether a directory is not to be removed even if it is empty. */
static bool
prune_is_kept(const struct prune_work *w, const char *dir)
{
	size_t len = strlen(dir), number;

	if (roots_at(&w->roots, dir) != NULL || roots_above(&w->roots, dir) == NULL)
		return true;
	return w->q->operands->n > 0 && !pathset_above(w->q->operands, dir, &len, &number);
}

/* Remove a directory if nothing is in it. */
static bool
prune_rmdir(const char *dir)
{
	char *parent = mem_dup(dir, path_parent_len(dir));
	const int fd = fs_open_dir_below(parent, 1);
	const bool gone = fd >= 0 && unlinkat(fd, path_base(dir), AT_REMOVEDIR) == 0;

	if (fd >= 0)
		close(fd);
	free(parent);
	return gone;
}

/* Drop the row of a removed directory; if it has rows below, leave it to the next scan. */
static int
prune_row(struct index *ix, const char *path, struct err *err)
{
	struct stmt st;
	int64_t dir;
	int ret = dirs_find(ix->db, path, &dir, err);

	if (ret <= 0)
		return ret;
	st = stmt_get(ix->db, SQL_DIR_IS_EMPTY, err);
	stmt_int(&st, ":dir", dir);
	ret = stmt_truth(&st);
	if (ret <= 0)
		return ret;
	if (row_history_dir(ix, dir, err) < 0)
		return -1;
	st = stmt_get(ix->db, SQL_DIR_DELETE, err);
	stmt_int(&st, ":dir", dir);
	return stmt_run(&st);
}

int
prune_one(struct index *ix, const struct roots *roots, const char *dir, struct err *err)
{
	if (roots_at(roots, dir) != NULL || !prune_rmdir(dir))
		return 0;
	return prune_row(ix, dir, err) < 0 ? -1 : 1;
}

/* Add to the journal a directory that may be removed.  Returns false if it is not there. */
static bool
prune_note_dir(struct acts *acts, const char *dir)
{
	const int fd = fs_open_dir_below(dir, 1);
	struct fs_stat st;
	const bool there = fd >= 0 && fs_stat_fd(fd, &st) == 0;

	if (there)
		acts_add_dir(acts, fd, &st, dir);
	if (fd >= 0)
		close(fd);
	return there;
}

/* Write owner and mode of all directories that may be removed to the journal, for undo. */
static int
prune_note(const struct prune_work *w, const struct prune *p, struct err *err)
{
	struct arena memory = { 0 };
	struct acts acts;
	int ret = acts_begin(&acts, w->ix, "prune", err);

	/* The deepest come first; stop where the way up joins the neighbour's. */
	for (size_t i = 0; ret == 0 && i < p->dirs.n; i++) {
		const char *dir = p->dirs.v[i], *before = i > 0 ? p->dirs.v[i - 1] : NULL;
		size_t len = strlen(dir);

		for (; len > 1; len = path_up_len(dir, len)) {
			char *up = arena_dup(&memory, dir, len);

			if (prune_is_kept(w, up) || (before != NULL && path_is_below(before, up)) || !prune_note_dir(&acts, up))
				break;
		}
	}
	arena_release(&memory);
	return ret == 0 ? acts_end(&acts, 0, err) : -1;
}

/* A directory at or below an operand, as the index has it now. */
struct prune_dir {
	int64_t id;
	size_t parent;      /* its position; of the operand its own */
	const char *path;
	bool has_files;     /* it or one below it */
	bool has_dirs;
};

struct prune_dirs {
	VEC(struct prune_dir) v;   /* each behind its parent */
	struct wholes wholes;
};

/* Load an operand and all below it.  Returns 0 or -1. */
static int
prune_load(struct prune_dirs *d, struct prune *p, struct db *db, const char *operand, struct err *err)
{
	struct buf path = { 0 };
	struct stmt st;
	int64_t top;
	size_t parent = 0;
	int ret = dirs_find(db, operand, &top, err);

	d->v.n = 0;
	if (ret <= 0)
		return ret;
	st = stmt_get(db, SQL_DIR_BELOW, err);
	stmt_int(&st, ":dir", top);
	while ((ret = stmt_step(&st)) == 1) {
		const int64_t id = stmt_col_int(&st, 0), above = stmt_col_int(&st, 1);
		const char *name;
		size_t len;

		buf_cut(&path, 0);
		if (d->v.n == 0)
			buf_adds(&path, operand);
		else {
			while (parent < d->v.n && d->v.v[parent].id != above)
				parent++;
			name = dirs_read_name(&st, 2, id, above, &len, err);
			if (name == NULL || parent == d->v.n) {
				ret = name == NULL ? -1 : db_corrupt(db, err, "dir", id, NULL, "has a parent that comes behind it");
				break;
			}
			d->v.v[parent].has_dirs = true;
			buf_addf(&path, "%s/", d->v.v[parent].path);
			buf_add(&path, name, len);
		}
		vec_push(&d->v, ((struct prune_dir){ .id = id, .parent = parent, .path = arena_dup(&p->memory, buf_str(&path), path.len),
		                                     .has_files = stmt_col_int(&st, 4) != 0 }));
	}
	stmt_done(&st);
	buf_release(&path);
	for (size_t i = d->v.n; i-- > 1;)
		d->v.v[d->v.v[i].parent].has_files |= d->v.v[i].has_files;
	return ret;
}

/* Whether a directory that was empty before stays.  Returns 1, 0 or -1. */
static int
prune_stays(struct prune_work *w, struct prune_dirs *d, size_t dir, struct err *err)
{
	const char *const base = d->v.v[0].path, *const path = d->v.v[dir].path;
	const int fd = fs_open_dir_below(path, 1);
	const bool foreign = fd >= 0 && !w->q->hidden && left_alone_is_foreign(base, fd);
	struct whole whole = { .path = NULL };
	struct buf inside = { 0 };
	int ret = 0;

	if (fd >= 0)
		close(fd);
	if (fd < 0 || foreign || path_is_below_any(path, w->q->keep->protect, w->q->keep->n_protect) || keep_holds(w->q->keep, &w->ix->backups, path))
		return 1;
	buf_addf(&inside, "%s/", path);
	if (!w->q->inside)
		ret = wholes_find(&d->wholes, base, buf_str(&inside), &whole, err);
	buf_release(&inside);
	for (size_t i = dir; ret >= 0 && i != 0; i = d->v.v[i].parent) {
		const char *at = d->v.v[i].path;

		if (d->v.v[i].has_files && ((!w->q->hidden && *path_base(at) == '.') || (ret == 1 && strcmp(at, whole.path) == 0)))
			return 1;
	}
	return ret < 0 ? -1 : 0;
}

/* Note the directories at and below the operands that hold nothing.  Returns 0 or -1. */
static int
prune_add_empty(struct prune_work *w, struct prune *p, struct err *err)
{
	struct prune_dirs d = { .wholes = { .db = w->ix->db, .more = w->q->wholes, .n_more = w->q->n_wholes } };
	int ret = 0;

	for (size_t i = 0; ret == 0 && w->q->empty && i < w->q->operands->n; i++) {
		ret = prune_load(&d, p, w->ix->db, w->q->operands->v[i].path, err);
		for (size_t j = 0; ret == 0 && j < d.v.n; j++) {
			if (d.v.v[j].has_files || d.v.v[j].has_dirs)
				continue;
			ret = prune_stays(w, &d, j, err);
			if (ret == 0)
				vec_push(&p->dirs, arena_dup(&p->memory, d.v.v[j].path, strlen(d.v.v[j].path)));
			ret = ret < 0 ? -1 : 0;
		}
	}
	vec_release(&d.v);
	wholes_release(&d.wholes);
	return ret;
}

int
prune_run(struct prune *p, struct index *ix, const struct prune_query *q, prune_fn *fn, void *arg, struct err *err)
{
	struct prune_work w = { .ix = ix, .q = q, .fn = fn, .arg = arg };
	int ret = prune_add_empty(&w, p, err);

	if (ret < 0 || p->dirs.n == 0)
		return ret;
	if (roots_load(&w.roots, ix->db, err) < 0 || db_begin(ix->db, err) < 0) {
		roots_release(&w.roots);
		return -1;
	}
	qsort(p->dirs.v, p->dirs.n, sizeof(*p->dirs.v), prune_cmp);
	ret = prune_note(&w, p, err);
	for (size_t i = 0; ret == 0 && i < p->dirs.n; i++) {
		char *dir = p->dirs.v[i];

		while (ret == 0 && !prune_is_kept(&w, dir) && prune_rmdir(dir)) {
			fn(arg, dir);
			if (prune_row(ix, dir, err) < 0)
				ret = -1;
			dir[path_parent_len(dir)] = '\0';
		}
	}
	roots_release(&w.roots);
	return db_end(ix->db, ret, err);
}

void
prune_release(struct prune *p)
{
	vec_release(&p->dirs);
	arena_release(&p->memory);
}
