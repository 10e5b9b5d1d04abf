/* SPDX-License-Identifier: MIT */
/*
 * Rows are dropped only on proof: a directory's when its parent was listed to the end without it.
 * A directory where another volume was mounted stays even then: some mount points are made for a
 * disk and go with it (missing_mount).  A displaced directory may lie where its taker came from,
 * which the scan of a part need not have visited (displaced).  A root's row stays, whatever happens
 * above it, unless its directory was met where another root is (root_place).  Main thread only,
 * after the walk.
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
#include "scan/missing_mount.h"
#include "scan/hash_plan.h"
#include "index/roots.h"
#include "index/rows.h"
#include "scan/root_place.h"
#include "scan/stats.h"
#include "index/volumes.h"
#include "sys/fs.h"

/* What becomes of a directory. */
enum fate { FATE_OPEN, FATE_STAYS, FATE_GOES };

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
	if (atomic_load(&parent->kept) && !atomic_load(&d->sought))
		return FATE_STAYS;
	return (m->unread.n > 0 && bsearch(&parent->id, m->unread.v, m->unread.n, sizeof(*m->unread.v), order_cmp_int64) != NULL) ||
	       (!m->force_purge && missing_mount_point_gone(m->map, m->volumes, &m->ix->drawer, d, parent, m->counts)) ? FATE_STAYS : FATE_GOES;
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

/* Count, note and keep each row that goes with a directory. */
static int
sweep_note_rows(struct merge *m, int64_t dir, bool remember, struct err *err)
{
	struct rows r = { 0 };
	int ret = rows_load(&r, m->ix->db, dir, err);

	for (size_t i = 0; ret == 0 && i < r.n; i++) {
		ret = row_history_add(m->ix, &m->before, &r.v[i], merge_count_gone(m, &r.v[i]), err);
		merge_vanished(m, &r.v[i], remember);
	}
	rows_release(&r);
	return ret;
}

/* Drop a directory; each: row by row. */
static int
sweep_drop_dir(struct merge *m, struct dirmap_dir *d, bool each, bool remember, struct err *err)
{
	const int64_t dir = d->id;
	struct stmt st;

	d->dropped = true;
	if (each && sweep_note_rows(m, dir, remember, err) < 0)
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

/* Keep for the history the directories that go; unless each row is kept later, their rows, too. */
static int
sweep_keep(struct merge *m, const uint8_t *fates, bool each, struct err *err)
{
	VEC(int64_t) dirs = { 0 };
	int ret;

	for (size_t i = 0; i < dirmap_count(m->map); i++) {
		if (fates[i] == FATE_GOES)
			vec_push(&dirs, dirmap_at(m->map, i)->id);
	}
	ret = row_history_dirs(m->ix, dirs.v, dirs.n, !each, err);
	vec_release(&dirs);
	return ret;
}

int
sweep_drop(struct merge *m, struct err *err)
{
	uint8_t *fates;
	bool remember = false, each;
	int ret = 0;

	for (size_t i = 0; i < m->roots->n; i++)
		remember |= m->roots->v[i].rules.trust_mtime;
	if (m->unread.n > 0)
		qsort(m->unread.v, m->unread.n, sizeof(*m->unread.v), order_cmp_int64);
	if (displaced_return(&m->displaced, m->map, m->ix, m->volumes, &m->wrote, err) < 0)
		return -1;
	/* Read rows only if needed: reading takes as long as dropping them. */
	each = m->rules != NULL || remember || m->plan->entries != NULL;
	fates = sweep_fates(m);
	ret = sweep_keep(m, fates, each, err);
	for (size_t i = 0; ret == 0 && i < dirmap_count(m->map); i++) {
		if (fates[i] == FATE_GOES)
			ret = sweep_drop_dir(m, dirmap_at(m->map, i), each, remember, err);
	}
	free(fates);
	if (ret == 0)
		ret = row_history_write(m->ix, &m->before, err);
	for (size_t i = 0; ret == 0 && i < m->roots->n; i++) {
		struct dirmap_dir *d = dirmap_by_id(m->map, m->roots->v[i].dir);

		if (d != NULL && !d->dropped && !atomic_load(&d->claimed))
			ret = root_place_hang(m->map, m->ix, d, m->roots->v[i].path, err);
	}
	return ret;
}
