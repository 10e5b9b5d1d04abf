/* SPDX-License-Identifier: MIT */
/*
 * A directory is walked as two sorted lists side by side: the rows of the index and what a listing
 * shows now.  What is in both gets its state from its row and a stat, what only the index has is
 * gone or offline, what is only there is outside.  Subdirectories follow after the files, from the
 * index, from the tops that lie below, and at last from the listing.
 *
 * struct list      one call of list_each: what is asked for, and what works for it
 * struct list_dir  a directory while its files and subdirectories are told
 *
 * Descriptors are closed before going down: a tree may be deeper than a process may have open.
 * All runs in the calling thread, but for query/dir_unchanged, which spares gaps_only a closer
 * look at the directories that hold what the index has, and query/stat_batch.
 */
#include "base/base.h"

#include "query/list.h"

#include <sys/stat.h>
#include <unistd.h>

#include "db/db.h"
#include "index/index.h"
#include "index/presence.h"
#include "index/rows.h"
#include "query/dirtree.h"
#include "query/dir_unchanged.h"
#include "query/outside.h"
#include "query/stat_batch.h"
#include "query/subdirs.h"
#include "sys/stop.h"

/* No file system goes deeper; an index that does is damaged. */
#define LIST_MAX_DEPTH 10000

struct list {
	struct index *ix;
	const struct list_query *q;
	struct presence_view check;
	struct state copies, fewer;
	struct outside outside;
	list_fn *fn;
	void *arg;
	struct list_totals *totals;
	struct subdirs tops;         /* at and below the path in hand */
	bool met;                    /* something of it was answered, or counted as not judged */
};

/* A directory: as the index has it (id 0: not at all) and as it is (fd -1: it can't be listed). */
struct list_dir {
	int64_t id;
	const char *path;
	int fd;
	struct fs_list list;
};

/* Count something that was not judged. */
static void
list_gap(struct list *l, enum gap gap, const char *path, bool dir, const char *why)
{
	l->met = true;
	if (gap == GAP_NONE ||
	    (l->q->gaps_only && path_is_below_any(path, l->q->copies.exclude, l->q->copies.n_exclude)))
		return;
	gaps_count(&l->totals->gaps, gap, dir);
	if (l->q->gap != NULL)
		l->q->gap(l->q->gap_arg != NULL ? l->q->gap_arg : l->arg, path, gap, dir, why);
}

/* The gap that an indexed file leaves whatever its copies are. */
static void
list_row_gap(struct list *l, const struct file_row *row, enum presence presence, const char *path)
{
	if (presence == PRESENCE_UNREADABLE)
		list_gap(l, GAP_UNREADABLE, path, false, strerror(l->check.error));
	else if (presence == PRESENCE_OFFLINE)
		list_gap(l, GAP_OFFLINE, path, false, drawer_say(&l->ix->drawer, row->inode.volume, DRAWER_OFFLINE));
	else if (presence == PRESENCE_CHANGED)
		list_gap(l, GAP_CHANGED, path, false, state_name(STATE_CHANGED));
	else if (presence == PRESENCE_HERE && row->error != 0)
		list_gap(l, GAP_UNREADABLE, path, false, file_error_text(row->error));
	else if (presence == PRESENCE_GONE && l->q->rows == LIST_ROWS_COUNTED && row->size > 0)
		list_gap(l, GAP_GONE, path, false, state_name(STATE_GONE));
}

/* The gap that the answer for an indexed file leaves. */
static enum gap
list_gap_of(const struct list *l, const struct file_answer *a, enum presence presence)
{
	switch (a->state) {
	case STATE_UNREADABLE:
		return GAP_UNREADABLE;
	case STATE_CHANGED:
		return GAP_CHANGED;
	case STATE_UNKNOWN:
		/* Without a reason (state_query.several) the caller will judge it. */
		return a->why == NULL ? GAP_NONE : presence == PRESENCE_OFFLINE ? GAP_OFFLINE : GAP_UNPROVEN;
	default:
		return presence == PRESENCE_OFFLINE ? GAP_OFFLINE : l->q->only_copies ? GAP_NONE : a->unseen ? GAP_UNREADABLE : a->offline ? GAP_UNPROVEN : GAP_NONE;
	}
}

static int
list_deliver(struct list *l, const struct file_answer *a)
{
	l->totals->n[a->state]++;
	l->totals->unread += a->unread;
	l->totals->unseen += a->unseen;
	l->totals->fleeting += a->fleeting != 0;
	l->totals->fleeting_why |= a->fleeting;
	if (a->size > 0)
		l->totals->bytes[a->state] = num_add(l->totals->bytes[a->state], a->size);
	return l->fn(l->arg, a);
}

static int
list_deliver_dir(struct list *l, const char *path, enum dir_state state, const char *why)
{
	return l->q->dir(l->arg, &(struct subdir_answer){ .path = path, .state = state, .why = why, .bytes = -1, .redundant = -1 });
}

/* Whether files of this name are asked for; of others nothing is said, though they were met. */
static bool
list_is_named(struct list *l, const char *name)
{
	const bool named = glob_is_one_of(l->q->names, l->q->n_names, name);

	l->met |= !named;
	return named;
}

/* Answer for an indexed file whose presence is known. */
static int
list_row(struct list *l, const struct file_row *row, enum presence presence, const char *path, struct err *err)
{
	struct file_answer a, fewer;

	l->met = true;
	if (l->q->online && presence == PRESENCE_OFFLINE)
		return 0;
	if (l->q->gaps_only) {
		if (l->q->rows != LIST_ROWS_APART)
			list_row_gap(l, row, presence, path);
		return 0;
	}
	if (state_of_row(&l->copies, row, presence, path, &a, err) < 0)
		return -1;
	if (l->q->fewer != NULL && (a.state == STATE_DUP || a.state == STATE_LINKED || a.state == STATE_UNKNOWN)) {
		if (state_of_row(&l->fewer, row, presence, path, &fewer, err) < 0)
			return -1;
		l->totals->lonely += fewer.state == STATE_UNIQUE;
	}
	list_gap(l, list_gap_of(l, &a, presence), path, false, a.why != NULL ? a.why : state_name(a.state));
	return list_deliver(l, &a);
}

/*
 * Count, and deliver on request, an entry outside the index or a directory that can't be listed.
 */
static int
list_outside(struct list *l, const struct file_answer *a, enum gap gap, bool dir)
{
	list_gap(l, gap, a->path, dir, a->why);
	if (l->q->outside && (!dir || l->q->dir == NULL))
		return list_deliver(l, a);
	l->totals->n[a->state]++;
	return l->q->outside ? list_deliver_dir(l, a->path, a->state == STATE_SKIPPED ? DIR_SKIPPED :
	                                        a->state == STATE_UNREADABLE ? DIR_UNREADABLE : DIR_UNKNOWN, a->why) : 0;
}

/* Answer for an entry that is there and not in the index. */
static int
list_entry(struct list *l, const char *path, const struct fs_stat *st, struct err *err)
{
	struct file_answer a;
	enum gap gap;

	if (outside_answer(&l->outside, path, st, &a, &gap, err) < 0)
		return -1;
	return list_outside(l, &a, gap, S_ISDIR(st->mode));
}

/*
 * Answer for an entry outside the index, or a directory, that can't be looked at for this errno.
 */
static int
list_unreadable(struct list *l, const char *path, bool dir, int error)
{
	const struct file_answer a = { .path = path, .state = STATE_UNREADABLE, .why = strerror(error), .size = -1,
	                               .allocated = -1 };

	return list_outside(l, &a, GAP_UNREADABLE, dir);
}

/* Answer for the indexed file at path; e is its entry in the listing, or NULL. */
static int
list_indexed(struct list *l, const struct list_dir *d, const struct fs_entry *e, const struct file_row *row, const char *path,
             struct err *err)
{
	enum presence presence = PRESENCE_HERE;
	struct fs_stat st;
	int error, ret;

	/* The state looks at it, or nobody needs to. */
	if (e != NULL && e->type == FS_FILE && (l->q->gaps_only || state_is_left(&l->copies, row)))
		return list_row(l, row, PRESENCE_HERE, path, err);
	if (d->fd < 0)
		ret = presence_row(&l->check, row, &presence, NULL, err);
	else {
		error = e == NULL ? ENOENT : fs_stat_at(d->fd, fs_list_name(&d->list, e), &st) < 0 ? errno : 0;
		ret = presence_stat(&l->check, row, path, error, error == 0 && S_ISREG(st.mode) ? &st : NULL, &presence, err);
	}
	return ret < 0 ? -1 : list_row(l, row, presence, path, err);
}

/* Answer for an entry that only the listing has. */
static int
list_unindexed(struct list *l, const struct list_dir *d, const struct fs_entry *e, const char *path, struct err *err)
{
	struct fs_stat st;
	const int error = fs_stat_at(d->fd, fs_list_name(&d->list, e), &st) < 0 ? errno : 0;

	/* Directories come later, if the index has them. */
	if (error == 0)
		return S_ISDIR(st.mode) ? 0 : list_entry(l, path, &st, err);
	return e->type == FS_DIR || fs_is_absent(error) ? 0 : list_unreadable(l, path, false, error);
}

/* The files of a directory: rows and listing, both in order of names. */
static int
list_files(struct list *l, struct list_dir *d, struct err *err)
{
	struct rows rows = { 0 };
	struct buf path = { 0 };
	size_t i = 0, j = 0;
	int ret = d->id != 0 ? rows_load(&rows, l->ix->db, d->id, err) : 0;

	while (ret == 0 && (i < d->list.n || j < rows.n)) {
		const struct fs_entry *e = i < d->list.n ? &d->list.v[i] : NULL;
		const struct file_row *row = j < rows.n ? &rows.v[j] : NULL;
		const int cmp = e == NULL ? 1 : row == NULL ? -1 : strcmp(fs_list_name(&d->list, e), row->name);
		const char *name = cmp <= 0 ? fs_list_name(&d->list, e) : row->name;

		i += cmp <= 0;
		j += cmp >= 0;
		if (!list_is_named(l, name) || (cmp >= 0 && l->q->rows != LIST_ROWS_BY_NAME))
			continue;
		buf_cut(&path, 0);
		buf_adds(&path, d->path);
		path_append(&path, name, strlen(name));
		ret = cmp < 0 ? list_unindexed(l, d, e, buf_str(&path), err) :
		                list_indexed(l, d, cmp == 0 ? e : NULL, row, buf_str(&path), err);
		if (ret == 0)
			ret = stop_check(err);
	}
	rows_release(&rows);
	buf_release(&path);
	return ret;
}

/* Answer for each listed directory that is not among subs, those to go into. */
static int
list_outside_dirs(struct list *l, struct list_dir *d, const struct subdirs *subs, struct err *err)
{
	struct buf path = { 0 };
	int ret = 0;

	for (size_t i = 0; ret == 0 && i < d->list.n; i++) {
		const struct fs_entry *e = &d->list.v[i];
		const char *name = fs_list_name(&d->list, e);
		struct fs_stat st;
		int error;

		if ((e->type != FS_DIR && e->type != FS_UNKNOWN) || subdirs_has(subs, name))
			continue;
		error = fs_stat_at(d->fd, name, &st) < 0 ? errno : 0;
		if (error == 0 ? !S_ISDIR(st.mode) : e->type != FS_DIR || fs_is_absent(error))
			continue;
		buf_cut(&path, 0);
		buf_adds(&path, d->path);
		path_append(&path, name, strlen(name));
		ret = error == 0 ? list_entry(l, buf_str(&path), &st, err) : list_unreadable(l, buf_str(&path), true, error);
	}
	buf_release(&path);
	return ret;
}

/* Deliver a directory of the index below the depth that is asked for. */
static int
list_subdir(struct list *l, int64_t id, const char *path, struct err *err)
{
	enum dir_state state = DIR_INDEXED;
	enum presence missing;
	struct fs_stat st;
	const int error = fs_stat_path(path, &st) < 0 ? errno : 0;

	if (error == 0)
		state = S_ISDIR(st.mode) ? DIR_INDEXED : DIR_GONE;
	else if (!fs_is_absent(error))
		state = DIR_UNKNOWN;
	else if (presence_missing(&l->check, id, -1, path, &missing, err) < 0)
		return -1;
	else if (missing == PRESENCE_GONE)
		state = DIR_GONE;
	l->met = true;
	if (stop_check(err) < 0)
		return -1;
	return list_deliver_dir(l, path, state, state == DIR_UNKNOWN ? strerror(error) : NULL);
}

static int list_tree(struct list *l, int64_t id, const char *path, int64_t level, struct err *err);

/* Go into the subdirectories, or deliver them where they lie too deep. */
static int
list_subdirs(struct list *l, struct list_dir *d, int64_t level, struct err *err)
{
	const bool deeper = !l->q->gaps_only && (l->q->depth == 0 || level < l->q->depth);
	struct subdirs subs = { 0 };
	struct buf path = { 0 };
	int ret = d->id != 0 ? subdirs_load(&subs, l->ix->db, d->id, err) : 0;

	subdirs_add_tops(&subs, &l->tops, d->path);
	subdirs_sort(&subs);
	if (ret == 0 && d->fd >= 0)
		ret = list_outside_dirs(l, d, &subs, err);
	/* Before going down, perhaps many levels: give back the descriptor and the memory. */
	if (d->fd >= 0)
		close(d->fd);
	d->fd = -1;
	fs_list_release(&d->list);
	for (size_t i = 0; ret == 0 && i < subs.n && (deeper || l->q->dir != NULL); i++) {
		buf_cut(&path, 0);
		buf_adds(&path, d->path);
		path_append(&path, subs.v[i].name, strlen(subs.v[i].name));
		if (deeper)
			ret = list_tree(l, subs.v[i].id, buf_str(&path), level + 1, err);
		else if (subs.v[i].id != 0)
			ret = list_subdir(l, subs.v[i].id, buf_str(&path), err);
		/* What is not of the index itself has tops below it. */
		else {
			for (const struct subdir *top = NULL; ret == 0 && (top = subdirs_next_top(&l->tops, buf_str(&path), top)) != NULL;)
				ret = list_subdir(l, top->id, top->name, err);
		}
	}
	subdirs_release(&subs);
	buf_release(&path);
	return ret;
}

/* List a directory.  Returns a descriptor, or -1 with *error, and an empty list. */
static int
list_open(const char *path, struct fs_list *list, int *error)
{
	int fd = fs_open_dir_below(path, 1);

	memset(list, 0, sizeof(*list));
	*error = fd < 0 || fs_list_read(list, fd) < 0 ? errno : 0;
	if (*error != 0) {
		if (fd >= 0)
			close(fd);
		list->n = 0;
		return -1;
	}
	fs_list_sort(list);
	return fd;
}

/* Answer for a directory (id 0: outside the index) and what lies below it, down to the depth. */
static int
list_tree(struct list *l, int64_t id, const char *path, int64_t level, struct err *err)
{
	struct list_dir d = { .id = id, .path = path };
	int error = 0, ret;

	if (level > LIST_MAX_DEPTH)
		return db_corrupt(l->ix->db, err, "dir", id, NULL, "lies in itself");
	d.fd = list_open(path, &d.list, &error);
	ret = stop_check(err);
	/* The rows below are still answered for; more may be there. */
	if (ret == 0 && error != 0 && !fs_is_absent(error))
		ret = list_unreadable(l, path, true, error);
	if (ret == 0)
		ret = list_files(l, &d, err);
	if (ret == 0)
		ret = list_subdirs(l, &d, level, err);
	if (d.fd >= 0)
		close(d.fd);
	fs_list_release(&d.list);
	return ret;
}

/* stat_batch_fn */
static int
list_differs(void *arg, size_t n, const struct file_row *row, struct err *err)
{
	struct list *l = arg;
	enum presence presence;
	const char *path;

	(void)n;
	return presence_row(&l->check, row, &presence, &path, err) < 0 ? -1 : list_row(l, row, presence, path, err);
}

/* Look at every file of the index at and below n directories. */
static int
list_look(struct list *l, const uint32_t *tops, size_t n, struct err *err)
{
	const struct dirtree *t = l->q->dirs;
	struct stat_batch *looks = stat_batch_new(list_differs, l);
	int ret = dirs_load(&l->check.dirs, err);

	for (size_t i = 0; i < n; i++) {
		for (uint32_t dir = tops[i]; ret == 0 && dir < dirtree_end(t, tops[i]); dir++) {
			const int64_t id = dirtree_id(t, dir);
			const struct dirs_prefix *prefix;
			struct rows rows = { 0 };

			if (id == 0 || dirtree_excluded(t, dir))
				continue;
			prefix = dirs_prefix(&l->check.dirs, id, err);
			ret = prefix == NULL ? -1 : rows_load(&rows, l->ix->db, id, err);
			for (size_t j = 0; ret == 0 && j < rows.n; j++)
				ret = rows.v[j].error != 0 ? list_differs(l, 0, &rows.v[j], err) : stat_batch_add(looks, 0, &rows.v[j], prefix, err);
			rows_release(&rows);
			if (ret == 0)
				ret = stop_check(err);
		}
	}
	if (ret == 0)
		ret = stat_batch_finish(looks, err);
	stat_batch_free(looks);
	return ret;
}

/*
 * Count what could not be judged at and below n directories.  Most directories hold just what the
 * index has, and need no closer look.
 */
static int
list_gaps(struct list *l, const uint32_t *tops, size_t n, struct err *err)
{
	const struct dirtree *t = l->q->dirs;
	struct dir_unchanged_others others = { 0 };
	struct buf at = { 0 };
	int ret = dir_unchanged_compare(l->ix->db, t, tops, n, &others, err);

	for (size_t i = 0; ret == 0 && i < others.n; i++) {
		buf_cut(&at, 0);
		dirtree_path(t, others.v[i], &at);
		ret = list_tree(l, dirtree_id(t, others.v[i]), buf_str(&at), 1, err);
	}
	vec_release(&others);
	buf_release(&at);
	return ret == 0 && (l->q->rows == LIST_ROWS_LOOKED_AT || l->q->rows == LIST_ROWS_COUNTED) ? list_look(l, tops, n, err) : ret;
}

/* Tell, or fail with, a path that neither the index nor the file system has. */
static int
list_missing(struct list *l, const char *path, struct err *err)
{
	if (l->q->missing == NULL)
		return err_set(err, ERR_NO_PATH, "'%s' does not exist", path);
	l->q->missing(l->arg, path);
	return 0;
}

/* Answer for a path that is no directory of the index: a file of it, or something outside. */
static int
list_single(struct list *l, const char *path, struct err *err)
{
	enum presence presence;
	struct file_answer a;
	struct file_row row;
	struct fs_stat st;
	int ret = dirs_find_file(l->ix->db, path, &row, err);

	if (ret < 0)
		return -1;
	if (ret == 1) {
		if (!list_is_named(l, row.name))
			return 0;
		if (presence_row(&l->check, &row, &presence, NULL, err) < 0)
			return -1;
		return list_row(l, &row, presence, path, err);
	}
	if (fs_stat_path(path, &st) < 0) {
		const int error = errno;

		return fs_is_absent(error) ? list_missing(l, path, err) : list_unreadable(l, path, false, error);
	}
	if (outside_begin(&l->outside, path, &st, err) < 0)
		return -1;
	if (S_ISDIR(st.mode))
		return list_tree(l, 0, path, 1, err);
	if (!list_is_named(l, path_base(path)))
		return 0;
	if (!l->q->look_up)
		return list_entry(l, path, &st, err);
	if (state_of_outside(&l->copies, path, &a, err) < 0)
		return -1;
	list_gap(l, list_gap_of(l, &a, PRESENCE_HERE), path, false, a.why != NULL ? a.why : state_name(a.state));
	return list_deliver(l, &a);
}

/*
 * Answer for a directory of the index, or one that leads to tops, of which nothing was met: it is
 * empty, offline, or missing.
 */
static int
list_nothing(struct list *l, int64_t id, const char *path, struct err *err)
{
	struct file_answer a = { .path = path, .state = STATE_UNKNOWN, .size = -1, .allocated = -1 };
	enum presence missing = PRESENCE_GONE;
	int64_t volume, dir = id;
	struct fs_stat st;

	if (fs_stat_path(path, &st) == 0 || !fs_is_absent(errno))
		return 0;
	if (id != 0 && presence_missing(&l->check, id, -1, path, &missing, err) < 0)
		return -1;
	for (size_t i = 0; i < l->tops.n && missing != PRESENCE_OFFLINE; i++) {
		dir = l->tops.v[i].id;
		if (presence_missing(&l->check, dir, -1, l->tops.v[i].name, &missing, err) < 0)
			return -1;
	}
	if (drawer_volume_of_dir(l->ix->db, dir, &volume, err) < 0)
		return -1;
	a.why = drawer_say(&l->ix->drawer, volume, DRAWER_AS_OF);
	return missing == PRESENCE_OFFLINE ? list_outside(l, &a, GAP_OFFLINE, true) : list_missing(l, path, err);
}

/* Answer for one of the paths. */
static int
list_path(struct list *l, const char *path, struct err *err)
{
	struct fs_stat st;
	int64_t dir = 0;
	const int found = dirs_find(l->ix->db, path, &dir, err);
	/* A path that only leads to tops has no id, whatever the search left in dir. */
	const int64_t id = found == 1 ? dir : 0;
	int ret = found < 0 ? -1 : subdirs_load_tops(&l->tops, l->ix->db, path, id, err);
	const bool is_tree = found == 1 || l->tops.n > 0;
	struct file_row row;
	uint32_t top;
	bool single;

	if (ret == 0)
		ret = outside_begin(&l->outside, path, NULL, err);
	l->met = false;
	/* A directory of the index may be a file now, or may have been one at a scan since. */
	single = !is_tree || (fs_stat_path(path, &st) == 0 && !S_ISDIR(st.mode));
	if (ret == 0 && !single) {
		ret = dirs_find_file(l->ix->db, path, &row, err);
		single = ret == 1;
	}
	if (ret >= 0 && single)
		ret = list_single(l, path, err);
	top = ret == 0 && is_tree && l->q->gaps_only ? dirtree_find(l->q->dirs, path) : DIRTREE_NONE;
	if (top != DIRTREE_NONE)
		ret = list_gaps(l, &top, 1, err);
	if (ret == 0 && is_tree && !l->q->gaps_only)
		ret = list_tree(l, id, path, 1, err);
	if (ret == 0 && is_tree && !l->met && !l->q->gaps_only)
		ret = list_nothing(l, id, path, err);
	subdirs_release(&l->tops);
	return ret;
}

/* Open the views and states that a listing uses.  Returns 0 or -1. */
static int
list_open_all(struct list *l, const char *const *paths, size_t n_paths, struct err *err)
{
	int ret;

	l->copies.check = &l->check;
	l->copies.q = &l->q->copies;
	l->fewer.check = &l->check;
	l->fewer.q = l->q->fewer;
	ret = presence_open(&l->check, l->ix, err);
	l->outside = (struct outside){ .view = &l->check, .paths = paths, .n_paths = n_paths };
	if (l->q->gaps_only) {
		l->outside.exclude = l->q->copies.exclude;
		l->outside.n_exclude = l->q->copies.n_exclude;
	}
	outside_open(&l->outside);
	return ret;
}

static void
list_release(struct list *l)
{
	state_release(&l->copies);
	state_release(&l->fewer);
	presence_release(&l->check);
}

int
list_each(struct index *ix, const char *const *paths, size_t n_paths, const struct list_query *q, list_fn *fn,
            void *arg, struct list_totals *totals, struct err *err)
{
	struct list l = { .ix = ix, .q = q, .fn = fn, .arg = arg, .totals = totals };
	int ret;

	assert(q->gaps_only ? q->dirs != NULL : fn != NULL);
	ret = list_open_all(&l, paths, n_paths, err);
	for (size_t i = 0; ret == 0 && i < n_paths; i++)
		ret = list_path(&l, paths[i], err);
	list_release(&l);
	return ret;
}

int
list_count_gaps(struct index *ix, const char *const *paths, size_t n_paths, list_gap_fn *gap, void *arg, struct gaps *gaps,
                struct err *err)
{
	struct list_query q = { .gaps_only = true, .rows = LIST_ROWS_LOOKED_AT, .gap = gap };
	struct list_totals totals = { .gaps = *gaps };
	struct dirtree *dirs = NULL;
	int ret = dirtree_load(&dirs, ix->db, err);

	q.dirs = dirs;
	if (ret == 0)
		ret = list_each(ix, paths, n_paths, &q, NULL, arg, &totals, err);
	dirtree_free(dirs);
	*gaps = totals.gaps;
	return ret;
}

int
list_outside_of(struct index *ix, const struct dirtree *dirs, const char *path, const char *const *exclude, size_t n_exclude,
                list_gap_fn *gap, void *arg, struct err *err)
{
	const struct list_query q = {
		.copies = { .exclude = exclude, .n_exclude = n_exclude },
		.gaps_only = true, .rows = LIST_ROWS_APART, .dirs = dirs, .gap = gap,
	};
	struct list_totals totals = { .n = { 0 } };

	return list_each(ix, &path, 1, &q, NULL, arg, &totals, err);
}

int
list_gaps_of_dirs(struct index *ix, const struct dirtree *t, const uint32_t *tops, size_t n, enum list_rows rows,
                  list_gap_fn *gap, void *arg, struct err *err)
{
	const struct list_query q = { .gaps_only = true, .rows = rows, .gap = gap, .dirs = t };
	struct list_totals totals = { .n = { 0 } };
	struct list l = { .ix = ix, .q = &q, .arg = arg, .totals = &totals };
	int ret = list_open_all(&l, NULL, 0, err);

	if (ret == 0)
		ret = subdirs_load_tops(&l.tops, ix->db, "/", 0, err);
	if (ret == 0)
		ret = list_gaps(&l, tops, n, err);
	subdirs_release(&l.tops);
	list_release(&l);
	return ret;
}

int
list_knows(struct index *ix, const char *path, struct err *err)
{
	struct subdirs tops = { 0 };
	struct file_row row;
	int64_t dir = 0;
	int ret = dirs_find(ix->db, path, &dir, err);

	if (ret == 0)
		ret = dirs_find_file(ix->db, path, &row, err);
	if (ret == 0 && subdirs_load_tops(&tops, ix->db, path, 0, err) == 0)
		ret = tops.n > 0;
	subdirs_release(&tops);
	return ret;
}
