/* SPDX-License-Identifier: MIT */
/*
 * Rows are dropped only on proof: a directory's when its parent was listed to the end without it.
 * A directory where another volume was mounted stays even then: some mount points are made for a
 * disk and go with it.  A directory that gave up its place may lie where its taker came from,
 * which the scan of a part need not have visited.  A root's row stays, whatever happens above it,
 * unless its directory was met where another root is (scan/root_place).  Main thread only, after
 * the walk.
 */
#include "base/base.h"

#include "scan/sweep.h"

#include <stdatomic.h>
#include <unistd.h>

#include "db/stmt.h"
#include "scan/dirmap.h"
#include "index/row_history.h"
#include "index/index.h"
#include "scan/merge.h"
#include "scan/hash_plan.h"
#include "index/roots.h"
#include "index/rows.h"
#include "scan/root_place.h"
#include "scan/stats.h"
#include "index/volumes.h"
#include "sys/fs.h"

/* What becomes of a directory. */
enum fate { FATE_OPEN, FATE_STAYS, FATE_GOES };

/* A place in the index. */
struct sweep_place {
	int64_t parent;        /* -1: nowhere; 0: the name is an absolute path */
	struct buf name;
};

/* Whether a directory that is gone was the mount point of another volume: its files stay. */
static bool
sweep_was_mount(const struct merge *m, const struct dirmap_dir *d, const struct dirmap_dir *parent)
{
	struct buf path = { 0 };
	struct fs_stat st;
	bool was;

	if (m->force_purge || d->inode.volume == 0 || d->inode.volume == parent->inode.volume ||
	    !volumes_differ(m->volumes, d->inode.volume, parent->inode.volume))
		return false;
	/* A directory that is there was left out by new options. */
	dirmap_path(m->map, d->id, &path);
	was = fs_stat_path(buf_str(&path), &st) < 0 && fs_is_absent(errno);
	if (was)
		stats_problem(m->counts, &m->counts->kept_offline, buf_str(&path),
		              "not mounted, and its mount point is gone: its files stay in the index (--force-purge drops them)");
	buf_release(&path);
	return was;
}

/* The fate of a directory as far as it is known without its parent's. */
static enum fate
sweep_fate(const struct merge *m, const struct dirmap_dir *d, enum fate known, const struct dirmap_dir *parent)
{
	if (known != FATE_OPEN)
		return known;
	if (atomic_load(&d->claimed))
		return FATE_STAYS;
	/* Another directory has its place, since this scan or an unfinished one. */
	if (d->parent < 0)
		return FATE_GOES;
	if (d->parent == 0)
		return FATE_STAYS;
	if (parent == NULL)
		return FATE_GOES;
	if (!atomic_load(&parent->claimed))
		return FATE_OPEN;
	return (m->unread.n > 0 && bsearch(&parent->id, m->unread.v, m->unread.n, sizeof(*m->unread.v), order_cmp_int64) != NULL) ||
	       sweep_was_mount(m, d, parent) ? FATE_STAYS : FATE_GOES;
}

/* Decide for every directory.  Returns an owned array by position in the map. */
static uint8_t *
sweep_fates(const struct merge *m)
{
	const size_t n = dirmap_count(m->map);
	uint8_t *fates = mem_zalloc(n + 1, 1);
	VEC(size_t) chain = { 0 };

	for (size_t i = 0; i < m->roots->n; i++) {
		const struct dirmap_dir *d = dirmap_by_id(m->map, m->roots->v[i].dir);

		if (d != NULL)
			fates[d - dirmap_at(m->map, 0)] = root_place_end(m->map, &m->roots->v[i]) == ROOT_PLACE_ELSEWHERE ? FATE_GOES : FATE_STAYS;
	}
	for (size_t i = 0; i < n; i++) {
		enum fate fate = FATE_OPEN;
		size_t at = i;

		/* Go up to the first with a known fate: all on the way share it. */
		while (fate == FATE_OPEN) {
			const struct dirmap_dir *d = dirmap_at(m->map, at), *parent = dirmap_by_id(m->map, d->parent);

			fate = sweep_fate(m, d, fates[at], parent);
			vec_push(&chain, at);
			if (parent != NULL)
				at = (size_t)(parent - dirmap_at(m->map, 0));
		}
		while (chain.n > 0)
			fates[chain.v[--chain.n]] = (uint8_t)fate;
	}
	vec_release(&chain);
	return fates;
}

static int
sweep_cmp_aside(const void *dir, const void *aside)
{
	const int64_t x = *(const int64_t *)dir, y = ((const struct merge_aside *)aside)->dir;

	return (x > y) - (x < y);
}

/* How the directory with this number gave up its place, or NULL. */
static const struct merge_aside *
sweep_aside(const struct merge *m, int64_t dir)
{
	return m->aside.n > 0 ? bsearch(&dir, m->aside.v, m->aside.n, sizeof(*m->aside.v), sweep_cmp_aside) : NULL;
}

/*
 * The place that became free when the directory d left its own: its own if nobody took it, else
 * that of the taker, or of the taker's taker, and so on.
 */
static void
sweep_free_place(const struct merge *m, const struct dirmap_dir *d, struct sweep_place *place)
{
	const struct merge_aside *a = d->parent < 0 ? sweep_aside(m, d->id) : NULL, *next = a;

	buf_cut(&place->name, 0);
	place->parent = d->parent;
	if (a == NULL) {
		buf_add(&place->name, dirmap_name(m->map, d), d->name_len);
		return;
	}
	/* No two have the same taker, and d has taken no place: this comes to an end. */
	while ((next = sweep_aside(m, next->taker)) != NULL)
		a = next;
	place->parent = a->parent;
	buf_add(&place->name, m->place_names.data + a->name, a->name_len);
}

/* Whether the directory with this number has a place outside d. */
static bool
sweep_is_beside(const struct merge *m, int64_t dir, const struct dirmap_dir *d)
{
	const struct dirmap_dir *up = dirmap_by_id(m->map, dir);

	while (up != NULL && up != d && up->parent > 0)
		up = dirmap_by_id(m->map, up->parent);
	return up != NULL && up != d && up->parent == 0;
}

/* The directory of the index that lies at a free place now, and nowhere else; or NULL. */
static struct dirmap_dir *
sweep_find(const struct merge *m, const struct sweep_place *place)
{
	struct buf path = { 0 };
	struct dirmap_dir *d = NULL;
	struct fs_stat st;
	int fd;

	if (place->parent <= 0 || dirmap_by_place(m->map, place->parent, place->name.data, place->name.len) != NULL ||
	    !sweep_is_beside(m, place->parent, NULL))
		return NULL;
	dirmap_path(m->map, place->parent, &path);
	path_append(&path, place->name.data, place->name.len);
	fd = fs_enter_dir(buf_str(&path));
	if (fd >= 0 && fs_stat_fd(fd, &st) == 0) {
		const struct root_place_here here = { .start = buf_str(&path), .rel = "", .dev = st.dev,
		                                      .inode = { volumes_known(m->volumes, st.dev), (int64_t)st.inode } };

		while ((d = dirmap_by_inode(m->map, here.inode, d)) != NULL) {
			/*
			 * Skip directories that were met, unless they have no place: they could
			 * not be read.
			 */
			if (d->root == NULL && !d->pinned && (d->parent < 0 || !atomic_load(&d->claimed)) &&
			    sweep_is_beside(m, place->parent, d) && !root_place_still_there(m->map, d, &here))
				break;
		}
	}
	if (fd >= 0)
		close(fd);
	buf_release(&path);
	return d;
}

/*
 * Hang a directory that gave up its place where it lies now, then the next of its chain of takers.
 */
static int
sweep_follow(struct merge *m, const struct dirmap_dir *aside, struct err *err)
{
	struct sweep_place place = { .parent = 0 }, next = { .parent = 0 };
	struct dirmap_dir *d = NULL;
	int ret = 0;

	sweep_free_place(m, aside, &place);
	while (ret == 0 && d != aside && (d = sweep_find(m, &place)) != NULL) {
		struct sweep_place was = place;

		sweep_free_place(m, d, &next);
		ret = root_place_hang_at(m->map, m->ix, d, place.parent, place.name.data, place.name.len, err);
		m->wrote = true;
		place = next;
		next = was;
	}
	buf_release(&place.name);
	buf_release(&next.name);
	return ret;
}

/* Hang directories that gave up their places at places that became free. */
static int
sweep_return(struct merge *m, struct err *err)
{
	bool any = true;

	/* One may lie in another: repeat until nothing changes. */
	while (any) {
		any = false;
		for (size_t i = 0; i < m->aside.n; i++) {
			const struct dirmap_dir *d = dirmap_by_id(m->map, m->aside.v[i].dir);

			if (d->parent >= 0)
				continue;
			if (sweep_follow(m, d, err) < 0)
				return -1;
			any |= d->parent >= 0;
		}
	}
	return 0;
}

/* Count and note each row that goes with a directory. */
static int
sweep_note_rows(struct merge *m, int64_t dir, bool remember, struct err *err)
{
	struct rows r = { 0 };
	int ret = rows_load(&r, m->ix->db, dir, err);

	for (size_t i = 0; ret == 0 && i < r.n; i++) {
		if (merge_count_gone(m, &r.v[i]))
			ret = row_history_left_out(m->ix, dir, r.v[i].name, r.v[i].name_len, err);
		merge_vanished(m, &r.v[i], remember);
	}
	rows_release(&r);
	return ret;
}

static int
sweep_drop_dir(struct merge *m, struct dirmap_dir *d, bool remember, struct err *err)
{
	/* Read the rows only if needed: reading takes as long as dropping them. */
	const bool each = m->rules != NULL || remember || m->plan->entries != NULL;
	const int64_t dir = d->id;
	struct stmt st;

	d->dropped = true;
	if (row_history_dir(m->ix, dir, err) < 0 || row_history_files(m->ix, dir, err) < 0 ||
	    (each && sweep_note_rows(m, dir, remember, err) < 0))
		return -1;
	st = stmt_get(m->ix->db, SQL_FILE_DELETE_DIR, err);
	stmt_int(&st, ":dir", dir);
	if (stmt_run(&st) < 0)
		return -1;
	if (!each)
		atomic_fetch_add(&m->counts->gone, db_changes(m->ix->db));
	if (d->root != NULL && root_drop(m->ix->db, dir, err) < 0)
		return -1;
	st = stmt_get(m->ix->db, SQL_DIR_DELETE, err);
	stmt_int(&st, ":dir", dir);
	m->wrote = true;
	return stmt_run(&st);
}

/* Make room in the history for all rows that go, at once. */
static int
sweep_make_room(struct merge *m, const uint8_t *fates, struct err *err)
{
	int64_t rows = 0;

	if (!row_history_keeps(m->ix))
		return 0;
	for (size_t i = 0; i < dirmap_count(m->map); i++) {
		struct stmt st;
		int64_t n;

		if (fates[i] != FATE_GOES)
			continue;
		st = stmt_get(m->ix->db, SQL_FILE_COUNT_DIR, err);
		stmt_int(&st, ":dir", dirmap_at(m->map, i)->id);
		if (stmt_number(&st, &n) < 0)
			return -1;
		rows += n;
	}
	return rows > 0 ? row_history_make_room(m->ix, rows, err) : 0;
}

int
sweep_drop(struct merge *m, struct err *err)
{
	uint8_t *fates;
	bool remember = false;
	int ret = 0;

	for (size_t i = 0; i < m->roots->n; i++)
		remember |= m->roots->v[i].rules.trust_mtime;
	if (m->unread.n > 0)
		qsort(m->unread.v, m->unread.n, sizeof(*m->unread.v), order_cmp_int64);
	if (sweep_return(m, err) < 0)
		return -1;
	fates = sweep_fates(m);
	ret = sweep_make_room(m, fates, err);
	for (size_t i = 0; ret == 0 && i < dirmap_count(m->map); i++) {
		if (fates[i] == FATE_GOES)
			ret = sweep_drop_dir(m, dirmap_at(m->map, i), remember, err);
	}
	free(fates);
	for (size_t i = 0; ret == 0 && i < m->roots->n; i++) {
		struct dirmap_dir *d = dirmap_by_id(m->map, m->roots->v[i].dir);

		if (d != NULL && !d->dropped && !atomic_load(&d->claimed))
			ret = root_place_hang(m->map, m->ix, d, m->roots->v[i].path, err);
	}
	return ret;
}
