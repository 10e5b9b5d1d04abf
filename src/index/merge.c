/* SPDX-License-Identifier: MIT */
/*
 * Rows are dropped only on proof: a file's when its directory was listed to
 * the end without it, a directory's when its parent was, and never that of a
 * root or of what lies above one.
 */
#include <config.h>

#include "index/merge.h"

#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "base/buf.h"
#include "base/err.h"
#include "base/mem.h"
#include "base/name.h"
#include "db/db.h"
#include "db/feed.h"
#include "db/stmt.h"
#include "index/dirmap.h"
#include "index/dirs.h"
#include "index/file.h"
#include "index/index.h"
#include "index/leads.h"
#include "index/plan.h"
#include "index/root.h"
#include "index/rows.h"
#include "index/tally.h"
#include "index/listing.h"
#include "index/volumes.h"
#include "sys/content.h"

/* A root with more files than this, or with subdirectories, does not become empty without a question. */
#define MERGE_MUCH 100

/* So many rows are written by one statement. */
#define MERGE_BATCH 2048

static void
merge_free_held(struct merge *m)
{
	for (size_t i = 0; i < m->held.n; i++)
		listing_free(m->held.v[i]);
	m->held.n = 0;
}

void
merge_release(struct merge *m)
{
	for (size_t i = 0; i < m->places.n; i++)
		free(m->places.v[i].name);
	vec_release(&m->places);
	vec_release(&m->rows);
	vec_release(&m->dirs);
	merge_free_held(m);
	vec_release(&m->held);
	vec_release(&m->aside);
	vec_release(&m->unread);
}

static void
merge_problem(struct merge *m, const char *path, int error)
{
	if (m->hooks != NULL && m->hooks->problem != NULL)
		m->hooks->problem(m->hooks->arg, path, strerror(error));
}

/* The row of a listed file, with what was read in passing, if anything. */
static struct file_row
merge_row(struct merge *m, const struct listing *l, const struct listing_file *f, bool *settled)
{
	struct file_row row = { .dir = l->dir, .name = l->names + f->name, .name_len = f->name_len };

	file_from_stat(&row, &f->st, f->volume);
	row.has_head = f->content.has_head;
	row.head = f->content.head;
	row.has_hash = f->content.has_hash;
	row.racy = f->content.racy;
	memcpy(row.hash, f->content.hash, HASH_SIZE);
	if (f->verified || (f->lead != NULL && leads_row(f->lead))) {
		row.verified = (int64_t)time(NULL);
		atomic_fetch_add_explicit(&m->counts->verified, 1, memory_order_relaxed);
	}
	if (row.racy)
		*settled = false;
	m->wrote = true;
	plan_row(m->plan, &row);
	return row;
}

/* A file that the index did not have, or that has changed. */
static int
merge_put(struct merge *m, const struct listing *l, const struct listing_file *f, bool *settled, struct err *err)
{
	const struct file_row row = merge_row(m, l, f, settled);

	return file_put(m->ix->db, &row, err);
}

/* All files of a directory that the index did not have: with the next batch. */
static void
merge_put_all(struct merge *m, const struct listing *l, bool *settled)
{
	for (size_t i = 0; i < l->n_files; i++) {
		if (l->files[i].error != 0)
			continue;
		vec_push(&m->rows, merge_row(m, l, &l->files[i], settled));
		atomic_fetch_add_explicit(&m->counts->added, 1, memory_order_relaxed);
	}
}

/* A file that the index has. */
static int
merge_known(struct merge *m, const struct listing *l, const struct listing_file *f, const struct file_row *old,
            bool *settled, struct err *err)
{
	const bool same = old->volume == f->volume && file_same(old, &f->st, l->trust_mtime);
	const bool stale = (old->has_hash || old->has_head) && (old->racy || m->rehash);
	struct file_row row = *old;

	if (!same) {
		atomic_fetch_add(&m->counts->changed, 1);
		return merge_put(m, l, f, settled, err);
	}
	atomic_fetch_add(&m->counts->reused, 1);
	if (stale) {
		plan_again(m->plan, old);
		*settled = false;
	}
	/* An earlier scan could not read it: try again. */
	if (old->error != 0) {
		plan_touch(m->plan, old->size);
		*settled = false;
	}
	if (old->nlink == (int64_t)f->st.nlink && old->blocks == f->st.blocks &&
	    fs_time_cmp(old->ctime, f->st.ctime) == 0)
		return 0;
	row.nlink = (int64_t)f->st.nlink;
	row.blocks = f->st.blocks;
	row.ctime = f->st.ctime;
	m->wrote = true;
	return file_put(m->ix->db, &row, err);
}

static int
merge_gone(struct merge *m, const struct listing *l, const struct file_row *old, struct err *err)
{
	atomic_fetch_add(&m->counts->gone, 1);
	m->wrote = true;
	if (l->trust_mtime)
		plan_vanished(m->plan, old);
	return file_delete(m->ix->db, old->dir, old->name, old->name_len, err);
}

/* Compare a listing with the rows of its directory, both in order of names. */
static int
merge_files(struct merge *m, const struct listing *l, bool *settled, struct err *err)
{
	struct rows r = { 0 };
	size_t i = 0, j = 0;
	int ret = 0;

	if (l->is_new) {
		merge_put_all(m, l, settled);
		return 0;
	}
	ret = rows_load(&r, m->ix->db, l->dir, err);
	while (ret == 0 && (i < l->n_files || j < r.n)) {
		const struct listing_file *f = i < l->n_files ? &l->files[i] : NULL;
		const struct file_row *old = j < r.n ? &r.v[j] : NULL;
		const int cmp = f == NULL ? 1 : old == NULL ? -1 : strcmp(l->names + f->name, old->name);

		if (cmp == 0 && f->error == 0)
			ret = merge_known(m, l, f, old, settled, err);
		else if (cmp < 0 && f->error == 0) {
			atomic_fetch_add(&m->counts->added, 1);
			ret = merge_put(m, l, f, settled, err);
		} else if (cmp > 0 && l->error == 0)
			ret = merge_gone(m, l, old, err);
		i += cmp <= 0;
		j += cmp >= 0;
	}
	rows_release(&r);
	return ret;
}

/* Whoever has the place of this directory in the index gives it up. */
static int
merge_clear_place(struct merge *m, const struct listing *l, struct err *err)
{
	struct dirmap_dir *there = dirmap_by_place(m->map, l->parent, l->name, l->name_len);
	struct buf text = { 0 };
	struct stmt st;
	int ret;

	if (there == NULL || there->id == l->dir)
		return 0;
	vec_push(&m->aside, there->id);
	dirs_store_name(&text, l->name, l->name_len, l->parent);
	st = stmt_get(m->ix->db, SQL_DIR_MOVE_ASIDE, err);
	stmt_int(&st, ":dir", l->dir);
	stmt_int(&st, ":parent", l->parent);
	stmt_text(&st, ":name", text.data, text.len);
	ret = stmt_run(&st);
	buf_release(&text);
	return ret;
}

/* feed_fn: a column of a directory's row. */
static void
merge_dir_column(void *arg, size_t i, int column, struct feed_value *v)
{
	const struct merge_dir *d = (const struct merge_dir *)arg + i;
	const struct listing *l = d->l;
	struct buf text = { 0 };

	switch (column) {
	case 1:
		feed_int(v, l->dir);
		break;
	case 2:
		feed_int(v, l->parent);
		break;
	case 3:
		dirs_store_name(&text, d->name, l->name_len, l->parent);
		feed_text_copy(v, text.data, text.len);
		buf_release(&text);
		break;
	case 4:
		if (!name_is_utf8(d->name, l->name_len))
			feed_blob(v, d->name, l->name_len);
		break;
	case 5:
		feed_int(v, l->volume);
		break;
	case 6:
		feed_int(v, l->inode);
		break;
	case 7:
		if (l->has_digest && d->settled && l->error == 0)
			feed_blob(v, l->digest, DIGEST_SIZE);
		break;
	case 8:
		if (l->error != 0)
			feed_int(v, l->error);
		break;
	default:
		break;
	}
}

int
merge_flush(struct merge *m, struct err *err)
{
	int ret = volumes_save(m->volumes, m->ix->db, err);

	if (ret == 0)
		ret = file_put_many(m->ix->db, m->rows.v, m->rows.n, err);
	if (ret == 0 && m->dirs.n > 0)
		ret = feed_run(m->ix->db, SQL_DIR_PUT, m->dirs.n, merge_dir_column, m->dirs.v, err);
	m->rows.n = m->dirs.n = 0;
	merge_free_held(m);
	return ret;
}

/* A known directory that could not be read: its row says so, and its place stays. */
static int
merge_unread(struct merge *m, const struct listing *l, struct err *err)
{
	struct stmt st = stmt_get(m->ix->db, SQL_DIR_ERROR, err);

	stmt_int(&st, ":dir", l->dir);
	stmt_int(&st, ":error", l->error);
	return stmt_run(&st);
}

/* Whether the index has more than so many files in a directory, or any subdirectory. */
static int
merge_had(struct merge *m, int64_t dir, int64_t files, bool *much, struct err *err)
{
	struct stmt st = stmt_get(m->ix->db, SQL_FILE_COUNT_DIR, err);
	int ret;

	stmt_int(&st, ":dir", dir);
	ret = stmt_step(&st);
	*much = ret == 1 && stmt_col_int(&st, 0) > files;
	stmt_done(&st);
	if (ret < 0 || *much)
		return ret < 0 ? -1 : 0;
	st = stmt_get(m->ix->db, SQL_DIR_CHILDREN, err);
	stmt_int(&st, ":parent", dir);
	ret = stmt_step(&st);
	*much = ret == 1;
	stmt_done(&st);
	return ret < 0 ? -1 : 0;
}

/* Whether finding a directory empty is rather a missing mount than a clean-up. */
static int
merge_judge_empty(struct merge *m, struct listing *l, struct err *err)
{
	if (!l->is_empty || l->is_new || m->force_purge || (!l->offline && !l->is_root))
		return 0;
	/* Where the volume is another one, anything that was there is enough. */
	return merge_had(m, l->dir, l->offline ? 0 : MERGE_MUCH, &l->offline, err);
}

int
merge_listing(struct merge *m, struct listing *l, struct err *err)
{
	bool settled = true;

	vec_push(&m->held, l);
	if (merge_judge_empty(m, l, err) < 0)
		return -1;
	if (l->error != 0 || (l->offline && !m->force_purge))
		vec_push(&m->unread, l->dir);
	if (l->offline && !m->force_purge) {
		atomic_fetch_add(&m->counts->kept_offline, 1);
		if (m->hooks != NULL && m->hooks->problem != NULL)
			m->hooks->problem(m->hooks->arg, l->path, l->covered ?
			                  "another volume is mounted here, with nothing of what the index has: its files stay in the index (--force-purge drops them)" :
			                  "empty now, as if not mounted: its files stay in the index (--force-purge drops them)");
		return 0;
	}
	if (l->error != 0 && l->path != NULL)
		merge_problem(m, l->path, l->error);
	if (l->error != 0 && l->n_files == 0 && !l->is_new)
		return merge_unread(m, l, err);
	if ((!l->unchanged && merge_files(m, l, &settled, err) < 0) || merge_clear_place(m, l, err) < 0)
		return -1;
	vec_push(&m->dirs, ((struct merge_dir){ l, l->name, settled }));
	if (l->place_changed) {
		vec_push(&m->places, ((struct merge_place){ l->dir, l->parent, l->volume, l->inode, l->name, l->name_len }));
		l->name = NULL;
		m->wrote = true;
	}
	return m->rows.n + m->dirs.n >= MERGE_BATCH ? merge_flush(m, err) : 0;
}

/* What becomes of a directory. */
enum merge_fate { FATE_OPEN, FATE_STAYS, FATE_GOES };

static int
merge_cmp_id(const void *a, const void *b)
{
	const int64_t x = *(const int64_t *)a, y = *(const int64_t *)b;

	return (x > y) - (x < y);
}

static bool
merge_listed(const int64_t *sorted, size_t n, int64_t id)
{
	return n > 0 && bsearch(&id, sorted, n, sizeof(id), merge_cmp_id) != NULL;
}

/* The fate of a directory as far as it is known without its parent's. */
static enum merge_fate
merge_fate_of(const struct merge *m, const struct dirmap_dir *d, enum merge_fate known, const struct dirmap_dir *parent)
{
	if (known != FATE_OPEN)
		return known;
	if (atomic_load(&d->claimed))
		return FATE_STAYS;
	/* Another one has its place, since this scan or since one that was cut off. */
	if (d->parent < 0 || merge_listed(m->aside.v, m->aside.n, d->id))
		return FATE_GOES;
	if (d->parent == 0)
		return FATE_STAYS;
	if (parent == NULL)
		return FATE_GOES;
	if (atomic_load(&parent->claimed))
		return merge_listed(m->unread.v, m->unread.n, parent->id) ? FATE_STAYS : FATE_GOES;
	return FATE_OPEN;
}

/* Decide for every directory.  Returns an owned array by position in the map. */
static uint8_t *
merge_fates(const struct merge *m)
{
	const size_t n = dirmap_count(m->map);
	uint8_t *fates = mem_zalloc(n + 1, 1);
	VEC(size_t) chain = { 0 };

	for (size_t i = 0; i < m->roots->n; i++) {
		const struct dirmap_dir *d = dirmap_by_id(m->map, m->roots->v[i].dir);

		for (; d != NULL && fates[d - dirmap_at(m->map, 0)] == FATE_OPEN; d = dirmap_by_id(m->map, d->parent))
			fates[d - dirmap_at(m->map, 0)] = FATE_STAYS;
	}
	for (size_t i = 0; i < n; i++) {
		enum merge_fate fate = FATE_OPEN;
		size_t at = i;

		/* Up to the first whose fate is known: it is that of all on the way.  A cycle would be damage: it stays. */
		while (fate == FATE_OPEN && chain.n <= n) {
			const struct dirmap_dir *d = dirmap_at(m->map, at), *parent = dirmap_by_id(m->map, d->parent);

			fate = merge_fate_of(m, d, fates[at], parent);
			vec_push(&chain, at);
			if (parent != NULL)
				at = (size_t)(parent - dirmap_at(m->map, 0));
		}
		while (chain.n > 0)
			fates[chain.v[--chain.n]] = (uint8_t)(fate == FATE_OPEN ? FATE_STAYS : fate);
	}
	vec_release(&chain);
	return fates;
}

static int
merge_drop_dir(struct merge *m, int64_t dir, bool remember, struct err *err)
{
	struct rows r = { 0 };
	struct stmt st;
	int ret = rows_load(&r, m->ix->db, dir, err);

	for (size_t i = 0; ret == 0 && remember && i < r.n; i++)
		plan_vanished(m->plan, &r.v[i]);
	atomic_fetch_add(&m->counts->gone, (int64_t)r.n);
	rows_release(&r);
	if (ret < 0)
		return -1;
	st = stmt_get(m->ix->db, SQL_FILE_DELETE_DIR, err);
	stmt_int(&st, ":dir", dir);
	if (stmt_run(&st) < 0)
		return -1;
	st = stmt_get(m->ix->db, SQL_DIR_DELETE, err);
	stmt_int(&st, ":dir", dir);
	m->wrote = true;
	return stmt_run(&st);
}

int
merge_finish(struct merge *m, struct err *err)
{
	uint8_t *fates;
	bool remember = false;
	int ret = merge_flush(m, err);

	for (size_t i = 0; i < m->places.n; i++) {
		const struct merge_place *p = &m->places.v[i];

		dirmap_put(m->map, p->id, p->parent, p->name, p->name_len, p->volume, p->inode);
	}
	for (size_t i = 0; i < m->roots->n; i++)
		remember |= m->roots->v[i].rules.trust_mtime;
	if (m->aside.n > 0)
		qsort(m->aside.v, m->aside.n, sizeof(*m->aside.v), merge_cmp_id);
	if (m->unread.n > 0)
		qsort(m->unread.v, m->unread.n, sizeof(*m->unread.v), merge_cmp_id);
	fates = merge_fates(m);
	for (size_t i = 0; ret == 0 && i < dirmap_count(m->map); i++) {
		if (fates[i] == FATE_GOES)
			ret = merge_drop_dir(m, dirmap_at(m->map, i)->id, remember, err);
	}
	free(fates);
	return ret;
}
