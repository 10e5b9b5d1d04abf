/* SPDX-License-Identifier: MIT */
/*
 * Hides the course of a refresh: one thread goes through the directories of the index and stats
 * each file that has a row; then the read phase of a scan (hash_run) reads what changed, with
 * threads of its own.  A row is dropped only where presence_missing proves that its file is gone:
 * the directory is there, the same, on the same volume, without it.
 */
#include "base/base.h"

#include "scan/refresh.h"

#include <fcntl.h>
#include <stdatomic.h>
#include <sys/stat.h>
#include <unistd.h>

#include "db/db.h"
#include "db/stmt.h"
#include "index/presence.h"
#include "scan/dirmap.h"
#include "index/row_history.h"
#include "index/index.h"
#include "index/journal.h"
#include "scan/hash_plan.h"
#include "scan/hash_read.h"
#include "scan/hash_write.h"
#include "index/rows.h"
#include "scan/stats.h"
#include "sys/countmap.h"
#include "index/contents.h"
#include "index/volumes.h"
#include "sys/racy_window.h"
#include "sys/stop.h"

/* Threads that read changed files. */
#define REFRESH_THREADS 8

/* Files of a directory after which to tell how far it is: a network may take long for each. */
enum { REFRESH_TICK = 8 };

struct refresh {
	struct index *ix;
	struct stats_report *report;
	struct presence_view check;
	struct dirmap *map;
	struct hash_plan plan;
	struct buf offline;      /* the place told last by refresh_offline */
	bool wrote;
};

/* A directory that is being gone through. */
struct refresh_dir {
	const char *path;
	int fd;                  /* or -1 with error */
	int error;
};

static void
refresh_problem(struct refresh *r, const char *path, int error, const char *why)
{
	stats_problem(&r->report->counts, stats_error(&r->report->counts, error), path, why);
}

static int
refresh_forget_digest(struct refresh *r, int64_t dir, struct err *err)
{
	r->wrote = true;
	return dirs_forget_digest(r->ix->db, dir, err);
}

static int
refresh_drop(struct refresh *r, const struct file_row *row, struct err *err)
{
	atomic_fetch_add(&r->report->counts.gone, 1);
	if (row_history_file(r->ix, row->dir, row->name, row->name_len, err) < 0)
		return -1;
	return file_delete(r->ix->db, row->dir, row->name, row->name_len, err) < 0 ? -1 :
	       refresh_forget_digest(r, row->dir, err);
}

static int
refresh_change(struct refresh *r, const char *dir, const struct file_row *old, const struct fs_stat *st, struct err *err)
{
	const struct root *root = roots_above(&r->check.roots, dir);
	struct file_row row = *old;

	atomic_fetch_add(&r->report->counts.changed, 1);
	file_from_stat(&row, st, old->inode.volume);
	if (root != NULL && root->rules.hash_all)
		countmap_count(r->plan.hash_all, (uint64_t)row.dir, 0);
	hash_plan_touch(&r->plan, row.size);
	if (row_history_file(r->ix, row.dir, row.name, row.name_len, err) < 0)
		return -1;
	return file_put(r->ix->db, &row, err) < 0 || index_set_unread(r->ix, err) < 0 ? -1 :
	       refresh_forget_digest(r, row.dir, err);
}

/* Keep the rows of a volume that is not at check.place; tell it once for all that lies below. */
static void
refresh_offline(struct refresh *r, int64_t volume)
{
	const char *place = buf_str(&r->check.place), *words = drawer_words(&r->ix->drawer, volume);
	struct buf why = { 0 };

	if (r->offline.len > 0 && path_is_below(place, buf_str(&r->offline)))
		return;
	buf_cut(&r->offline, 0);
	buf_adds(&r->offline, place);
	if (words != NULL)
		buf_addf(&why, "offline: %s; its files stay in the index", words);
	else
		buf_adds(&why, "offline: it or its volume is missing, its files stay in the index");
	refresh_problem(r, place, ENODEV, buf_str(&why));
	buf_release(&why);
}

/* A file that matches its row. */
static int
refresh_same(struct refresh *r, const struct file_row *row, struct err *err)
{
	const bool again = row->racy && (row->has_hash || row->has_head);

	if (row->error != 0 && !again) {
		hash_plan_touch(&r->plan, row->size);
		return 0;
	}
	atomic_fetch_add(&r->report->counts.reused, 1);
	if (!again)
		return 0;
	hash_plan_again(&r->plan, row);
	return index_set_unread(r->ix, err);
}

/* Compare one file of a directory with its row. */
static int
refresh_row(struct refresh *r, const struct refresh_dir *d, const struct file_row *row, struct err *err)
{
	struct buf path = { 0 };
	struct fs_stat st;
	const int error = d->fd < 0 ? d->error : fs_stat_at(d->fd, row->name, &st) < 0 ? errno : 0;
	const bool there = error == 0 && S_ISREG(st.mode);
	enum presence missing;
	int ret = 0;

	if (atomic_fetch_add(&r->report->counts.files, 1) % REFRESH_TICK == 0)
		stats_tick(&r->report->counts, STATS_WALK);
	buf_adds(&path, d->path);
	path_append(&path, row->name, row->name_len);
	if (error != 0 && !fs_is_absent(error))
		refresh_problem(r, buf_str(&path), error, strerror(error));
	else if (there && presence_same(&r->check, row, buf_str(&path), &st))
		ret = refresh_same(r, row, err);
	else {
		ret = presence_missing(&r->check, row->dir, d->fd, d->path, &missing, err);
		if (ret == 0 && missing == PRESENCE_GONE)
			ret = there ? refresh_change(r, d->path, row, &st, err) : refresh_drop(r, row, err);
		else if (ret == 0)
			refresh_offline(r, row->inode.volume);
	}
	buf_release(&path);
	return ret;
}

/* Open a directory of the index. */
static struct refresh_dir
refresh_open(const char *path)
{
	struct refresh_dir d = { .path = path, .fd = fs_open_dir(AT_FDCWD, path) };

	d.error = d.fd < 0 ? errno : 0;
	return d;
}

static int
refresh_dir(struct refresh *r, int64_t dir, const char *path, struct err *err)
{
	const struct refresh_dir d = refresh_open(path);
	struct rows rows = { 0 };
	int ret;

	atomic_fetch_add(&r->report->counts.dirs, 1);
	if (d.fd < 0 && !fs_is_absent(d.error)) {
		refresh_problem(r, path, d.error, strerror(d.error));
		return 0;
	}
	ret = rows_load(&rows, r->ix->db, dir, err);
	for (size_t i = 0; ret == 0 && i < rows.n; i++)
		ret = refresh_row(r, &d, &rows.v[i], err);
	rows_release(&rows);
	if (d.fd >= 0)
		close(d.fd);
	return ret == 0 ? stop_check(err) : ret;
}

/* A path that is a file of the index. */
static int
refresh_single(struct refresh *r, const char *path, struct err *err)
{
	struct file_row row;
	int ret = dirs_find_file(r->ix->db, path, &row, err);

	if (ret == 1) {
		char *parent = mem_dup(path, path_parent_len(path));
		struct refresh_dir d = refresh_open(parent);

		ret = refresh_row(r, &d, &row, err);
		if (d.fd >= 0)
			close(d.fd);
		free(parent);
	} else if (ret == 0)
		ret = err_set(err, ERR_NO_PATH, "'%s' is not in the index", path);
	return ret;
}

static int
refresh_all(struct refresh *r, const char *const *paths, size_t n_paths, struct err *err)
{
	struct buf path = { 0 };
	int64_t dir;
	int ret = 0;

	for (size_t i = 0; ret == 0 && i < n_paths; i++) {
		ret = dirs_find(r->ix->db, paths[i], &dir, err);
		if (ret == 0)
			ret = refresh_single(r, paths[i], err);
		else if (ret == 1)
			ret = 0;
	}
	for (size_t i = 0; ret == 0 && i < dirmap_count(r->map); i++) {
		const struct dirmap_dir *d = dirmap_at(r->map, i);

		buf_cut(&path, 0);
		dirmap_path(r->map, d->id, &path);
		if (n_paths == 0 || path_is_below_any(buf_str(&path), paths, n_paths)) {
			ret = refresh_dir(r, d->id, buf_str(&path), err);
			stats_tick(&r->report->counts, STATS_WALK);
		}
	}
	buf_release(&path);
	return ret;
}

static int
refresh_steps(struct refresh *r, const char *const *paths, size_t n_paths, struct err *err)
{
	const bool was_pending = r->ix->pending != INDEX_WHOLE;
	struct contents_without trash = { 0 };
	int ret;

	if (db_begin(r->ix->db, err) < 0)
		return -1;
	ret = row_history_begin(r->ix, r->report->id, INT64_MAX, err);
	if (ret == 0)
		ret = refresh_all(r, paths, n_paths, err);
	if (ret == 0 && was_pending)
		ret = hash_plan_touch_all(&r->plan, SQL_FILE_SIZES_PENDING, err);
	if (ret == 0 && r->wrote)
		ret = journal_forget_totals(r->ix->db, err);
	if (ret < 0)
		return db_end(r->ix->db, ret, err);
	ret = hash_run(&r->plan, err);
	/* INDEX_UNMET stays: only a scan meets new files. */
	if (ret == 0)
		ret = hash_write_drop_lost(&r->plan, err);
	r->report->n_left = r->plan.n_left;
	if (ret == 0 && r->plan.n_left == 0 && r->ix->pending == INDEX_UNREAD)
		ret = index_set_pending(r->ix, INDEX_WHOLE, err);
	if (ret == 0)
		ret = row_history_prune(r->ix, err);
	if (ret == 0)
		ret = volumes_note_all(r->ix->db, err);
	dirmap_find_trash(r->map, &trash);
	if (ret == 0)
		ret = contents_count(r->ix->db, &trash, &r->report->sets, &r->report->redundant, err);
	vec_release(&trash.dirs);
	return db_end_kept(r->ix->db, ret, err);
}

int
refresh_run(struct index *ix, const char *const *paths, size_t n_paths, int64_t racy_window_ns, bool settles,
            const struct stats_hooks *hooks, struct stats_report *report, struct err *err)
{
	struct refresh r = { .ix = ix, .report = report };
	struct err ignored = { 0 };
	int ret = -1;

	stats_begin(report, hooks, 0);
	if (journal_begin(ix->db, "refresh", "", &report->id, err) < 0)
		return -1;
	if (presence_open(&r.check, ix, err) == 0 && dirmap_load(&r.map, ix->db, err) == 0) {
		r.plan = (struct hash_plan){
			.ix = ix, .secret = ix->secret, .map = r.map, .counts = &report->counts, .n_threads = REFRESH_THREADS, .ahead = true,
			.hash_all = countmap_new(0),
			.racy_window = racy_window_of(racy_window_ns), .settles = settles,
		};
		ret = refresh_steps(&r, paths, n_paths, err);
	}
	stats_sum_errors(report);
	stats_journal(report, ix->db, ret == 0 ? NULL : err, &ignored);
	countmap_free(r.plan.hash_all);
	hash_plan_release(&r.plan);
	dirmap_free(r.map);
	presence_release(&r.check);
	buf_release(&r.offline);
	return ret;
}
