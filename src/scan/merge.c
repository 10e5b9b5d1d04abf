/* SPDX-License-Identifier: MIT */
/*
 * Hides when rows are written.  Listings come in the order of the threads; rows are written in
 * batches, a directory never before its parent.  In a first scan bulk takes them in the order of
 * directories, which some have to wait for (held) and some miss (late).
 *
 * Invariants: a file's row is dropped only when its directory was listed to the end without it;
 * the map does not change before merge_finish, because threads read it; once writing has failed
 * (broken) nothing of the transaction may be committed.  Main thread only, no locks.
 */
#include "base/base.h"

#include "scan/merge.h"

#include <stdatomic.h>
#include <time.h>

#include "db/db.h"
#include "db/bulk_insert.h"
#include "db/stmt.h"
#include "scan/dirmap.h"
#include "index/dirs.h"
#include "index/file.h"
#include "index/row_history.h"
#include "index/index.h"
#include "index/name_added.h"
#include "scan/missing_mount.h"
#include "scan/verify_inline.h"
#include "bulk/bulk.h"
#include "scan/hash_plan.h"
#include "index/roots.h"
#include "index/rows.h"
#include "scan/stats.h"
#include "scan/listing.h"
#include "index/volumes.h"
#include "sys/content.h"

/* Rows written by one statement. */
#define MERGE_BATCH 2048
/*
 * Rows held back until directories with smaller ids arrive; and rows that came too late for load.
 */
#define MERGE_HELD 65536
#define MERGE_LATE 16384

void
merge_release(struct merge *m)
{
	vec_release(&m->places);
	buf_release(&m->place_names);
	for (size_t i = 0; i < m->dirs.n; i++)
		listing_free(m->dirs.v[i].l);
	vec_release(&m->dirs);
	vec_release(&m->rows);
	arena_release(&m->names);
	while (m->bare.n > 0)
		listing_free(m->bare.v[--m->bare.n]);
	vec_release(&m->bare);
	vec_release(&m->written);
	displaced_release(&m->displaced);
	vec_release(&m->unread);
	row_history_batch_release(&m->before);
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
	if (f->verified || (f->reference != NULL && verify_inline_row(f->reference))) {
		row.verified = (int64_t)time(NULL);
		atomic_fetch_add_explicit(&m->counts->verified, 1, memory_order_relaxed);
	}
	if (row.racy)
		*settled = false;
	m->wrote = true;
	hash_plan_row(m->plan, &row);
	return row;
}

/* Write the row of a new or changed file; the caller keeps the old one for the history. */
static int
merge_put(struct merge *m, const struct listing *l, const struct listing_file *f, bool *settled, struct err *err)
{
	const struct file_row row = merge_row(m, l, f, settled);

	return file_put(m->ix->db, &row, err);
}

/* Put all files of a new directory: load takes the rows, or they wait in m->rows. */
static int
merge_put_all(struct merge *m, const struct listing *l, bool *settled, struct err *err)
{
	int taken = 0;

	for (size_t i = 0; taken >= 0 && i < l->n_files; i++) {
		struct file_row row;

		if (l->files[i].error != 0)
			continue;
		row = merge_row(m, l, &l->files[i], settled);
		taken = m->load != NULL ? bulk_add_row(m->load, &row, err) : 0;
		/* The listing does not wait for the load to end. */
		if (taken == 0 && m->load != NULL)
			row.name = arena_dup(&m->names, row.name, row.name_len);
		if (taken == 0)
			vec_push(&m->rows, row);
		atomic_fetch_add_explicit(&m->counts->added, 1, memory_order_relaxed);
		if (taken >= 0 && name_added_put(m->ix, l->dir, l->names + l->files[i].name, l->files[i].name_len, false, err) < 0)
			taken = -1;
	}
	return taken < 0 ? -1 : 0;
}

/* A file that the index has. */
static int
merge_known(struct merge *m, const struct listing *l, const struct listing_file *f, const struct file_row *old,
            bool *settled, struct err *err)
{
	const bool same = old->inode.volume == f->volume && file_same(old, &f->st, l->trust_mtime);
	const bool stale = (old->has_hash || old->has_head) && (old->racy || m->rehash);
	struct file_row row = *old;

	if (!same) {
		atomic_fetch_add(&m->counts->changed, 1);
		return row_history_add(m->ix, &m->before, old, false, err) < 0 ? -1 : merge_put(m, l, f, settled, err);
	}
	row.nlink = (int64_t)f->st.nlink;
	row.blocks = f->st.blocks;
	row.ctime = f->st.ctime;
	atomic_fetch_add(&m->counts->reused, 1);
	if (stale) {
		hash_plan_again(m->plan, &row);
		*settled = false;
	}
	/* An earlier scan could not read the file: try again. */
	if (old->error != 0) {
		hash_plan_touch(m->plan, old->size);
		*settled = false;
	}
	if (old->nlink == (int64_t)f->st.nlink && old->blocks == f->st.blocks &&
	    fs_time_cmp(old->ctime, f->st.ctime) == 0)
		return 0;
	m->wrote = true;
	return file_put(m->ix->db, &row, err);
}

/* Whether the options that this scan was given leave a file out. */
static bool
merge_left_out(const struct merge *m, const struct file_row *row)
{
	struct buf path = { 0 };
	bool left_out = false;

	if (m->rules == NULL)
		return false;
	dirmap_path(m->map, row->dir, &path);
	path_append(&path, row->name, row->name_len);
	for (size_t i = 0; i < m->n_paths && !left_out; i++) {
		const char *below = path_below(buf_str(&path), m->paths[i]);
		const struct root *root = roots_above(m->roots, buf_str(&path));

		/* A root further down has options of its own. */
		if (below != NULL && (root == NULL || strlen(root->path) <= strlen(m->paths[i])))
			left_out = rules_check_path(m->rules, below, false) != SKIP_NO || rules_check_size(m->rules, row->size) != SKIP_NO;
	}
	buf_release(&path);
	return left_out;
}

bool
merge_count_gone(struct merge *m, const struct file_row *row)
{
	const bool left_out = merge_left_out(m, row);

	atomic_fetch_add(left_out ? &m->counts->left_out : &m->counts->gone, 1);
	return left_out;
}

void
merge_vanished(struct merge *m, const struct file_row *row, bool remember)
{
	hash_plan_vanished(m->plan, row, remember && !volumes_mirrors(m->volumes, row->inode.volume));
}

static int
merge_gone(struct merge *m, const struct listing *l, const struct file_row *old, struct err *err)
{
	if (row_history_add(m->ix, &m->before, old, merge_count_gone(m, old), err) < 0)
		return -1;
	m->wrote = true;
	merge_vanished(m, old, l->trust_mtime);
	return file_delete(m->ix->db, old->dir, old->name, old->name_len, err);
}

/* A file that a known directory has not had. */
static int
merge_new(struct merge *m, const struct listing *l, const struct listing_file *f, bool *settled, struct err *err)
{
	atomic_fetch_add(&m->counts->added, 1);
	if (row_history_add_new(m->ix, &m->before, l->dir, l->names + f->name, f->name_len, err) < 0 ||
	    name_added_put(m->ix, l->dir, l->names + f->name, f->name_len, false, err) < 0)
		return -1;
	return merge_put(m, l, f, settled, err);
}

/* Compare a listing with the rows of its directory, both in order of names. */
static int
merge_files(struct merge *m, const struct listing *l, bool *settled, struct err *err)
{
	struct rows r = { 0 };
	size_t i = 0, j = 0;
	int ret = 0;

	ret = rows_load(&r, m->ix->db, l->dir, err);
	while (ret == 0 && (i < l->n_files || j < r.n)) {
		const struct listing_file *f = i < l->n_files ? &l->files[i] : NULL;
		const struct file_row *old = j < r.n ? &r.v[j] : NULL;
		const int cmp = f == NULL ? 1 : old == NULL ? -1 : strcmp(l->names + f->name, old->name);

		if (cmp == 0 && f->error == 0)
			ret = merge_known(m, l, f, old, settled, err);
		else if (cmp < 0 && f->error == 0)
			ret = merge_new(m, l, f, settled, err);
		else if (cmp > 0 && l->error == 0)
			ret = merge_gone(m, l, old, err);
		i += cmp <= 0;
		j += cmp >= 0;
	}
	rows_release(&r);
	return ret;
}

/* Compare some names of a directory with their rows; the digest is not of these rows any more. */
static int
merge_names(struct merge *m, const struct listing *l, bool *settled, struct err *err)
{
	const bool wrote = m->wrote;
	int ret = 0;

	m->wrote = false;
	for (size_t i = 0; ret == 0 && i < l->n_files; i++) {
		const struct listing_file *f = &l->files[i];
		struct file_row old;
		int known;

		if (f->error != 0 && !f->gone)
			continue;
		known = file_get(m->ix->db, l->dir, l->names + f->name, f->name_len, &old, err);
		if (known < 0)
			ret = -1;
		else if (f->gone)
			ret = known == 1 ? merge_gone(m, l, &old, err) : 0;
		else
			ret = known == 1 ? merge_known(m, l, f, &old, settled, err) : merge_new(m, l, f, settled, err);
	}
	if (m->wrote)
		*settled = false;
	m->wrote |= wrote;
	return ret;
}

/* bulk_insert_fn: a column of a directory's row. */
static void
merge_dir_column(void *arg, size_t i, int column, struct bulk_insert_value *v)
{
	const struct merge_dir *d = (const struct merge_dir *)arg + i;
	const struct listing *l = d->l;
	struct buf text = { 0 };

	switch (column) {
	case COL_DIR_ID:
		bulk_insert_int(v, l->dir);
		break;
	case COL_DIR_PARENT:
		bulk_insert_int(v, l->parent);
		break;
	case COL_DIR_NAME:
		dirs_store_name(&text, l->name, l->name_len, l->parent);
		bulk_insert_text_copy(v, text.data, text.len);
		buf_release(&text);
		break;
	case COL_DIR_NAME_RAW:
		if (!name_is_utf8(l->name, l->name_len))
			bulk_insert_blob(v, l->name, l->name_len);
		break;
	case COL_DIR_VOLUME:
		bulk_insert_int(v, l->inode.volume);
		break;
	case COL_DIR_INODE:
		bulk_insert_int(v, l->inode.number);
		break;
	case COL_DIR_DIGEST:
		if (l->has_digest && d->settled && l->error == 0)
			bulk_insert_blob(v, l->digest, DIGEST_SIZE);
		break;
	case COL_DIR_ERROR:
		if (l->error != 0)
			bulk_insert_int(v, l->error);
		break;
	default:
		break;
	}
}

/* By number, but new ones before those that the index has. */
static int
merge_cmp_dir(const void *a, const void *b, void *first_new)
{
	const struct merge_dir *x = a, *y = b;
	const bool x_new = x->l->dir >= *(const int64_t *)first_new, y_new = y->l->dir >= *(const int64_t *)first_new;

	if (x_new != y_new)
		return x_new ? -1 : 1;
	return (x->l->dir > y->l->dir) - (x->l->dir < y->l->dir);
}

/* Whether a directory must wait for its parent or, in_order, for one with a smaller id. */
static bool
merge_must_wait(const struct merge *m, const struct listing *l, bool in_order)
{
	const int64_t parent = l->parent - m->first_new, place = l->dir - m->first_new;

	if (parent >= 0 && ((size_t)parent >= m->written.n || !m->written.v[parent]))
		return true;
	return in_order && place >= 0 && (size_t)place > m->written.n;
}

/*
 * Choose the directories whose turn it is: the first n of m->dirs.  The order has
 * parents first: a new directory has a smaller number than new ones in it; known directories come
 * last, because they may have moved into new ones.
 */
static size_t
merge_choose(struct merge *m, bool in_order)
{
	VEC(struct merge_dir) later = { 0 };
	size_t n = 0;

	order_sort_by(m->dirs.v, m->dirs.n, sizeof(*m->dirs.v), merge_cmp_dir, &m->first_new);
	m->n_held = 0;
	for (size_t i = 0; i < m->dirs.n; i++) {
		const struct merge_dir d = m->dirs.v[i];

		if (merge_must_wait(m, d.l, in_order)) {
			vec_push(&later, d);
			m->n_held += 1 + d.l->n_files;
			continue;
		}
		while (m->first_new + (int64_t)m->written.n <= d.l->dir)
			vec_push(&m->written, 0);
		if (d.l->dir >= m->first_new)
			m->written.v[d.l->dir - m->first_new] = 1;
		m->dirs.v[n++] = d;
	}
	for (size_t i = 0; i < later.n; i++)
		m->dirs.v[n + i] = later.v[i];
	vec_release(&later);
	return n;
}

/* End the load: its rows come first, then those that waited; later ones go to the table. */
static int
merge_end_load(struct merge *m, struct err *err)
{
	int ret = bulk_end_rows(m->load, err);

	m->load = NULL;
	if (ret == 0)
		ret = file_put_many(m->ix->db, m->rows.v, m->rows.n, err);
	m->rows.n = 0;
	arena_release(&m->names);
	return ret;
}

/* Keep for the history what the first n directories change. */
static int
merge_keep(struct merge *m, size_t n, struct err *err)
{
	int ret = 0;

	for (size_t i = 0; ret == 0 && i < n; i++) {
		const struct listing *l = m->dirs.v[i].l;

		if (l->dir < m->first_new) {
			const struct dirmap_dir *d = l->place_changed ? dirmap_by_id(m->map, l->dir) : NULL;

			if (d != NULL && !dirmap_is_at(m->map, d, l->parent, l->name, l->name_len))
				ret = row_history_dir(m->ix, l->dir, err);
		} else if (!m->kept_new) {
			m->kept_new = true;
			ret = row_history_new_dirs(m->ix, err);
		}
	}
	return ret;
}

/* Write the directories whose turn it is, with their files. */
static int
merge_write(struct merge *m, bool in_order, struct err *err)
{
	const size_t n = m->dirs.n > 0 ? merge_choose(m, in_order) : 0;
	int ret = volumes_save(m->volumes, m->ix->db, err);

	if (ret == 0)
		ret = merge_keep(m, n, err);
	for (size_t i = 0; i < n; i++) {
		struct merge_dir *d = &m->dirs.v[i];

		if (ret == 0 && (d->l->is_new || d->l->place_changed))
			ret = name_added_put_dir(m->ix, d->l->dir, d->l->parent, d->l->name, d->l->name_len, err);
		if (ret == 0 && d->l->is_new)
			ret = merge_put_all(m, d->l, &d->settled, err);
	}
	if (ret == 0 && m->load == NULL) {
		ret = file_put_many(m->ix->db, m->rows.v, m->rows.n, err);
		m->rows.n = 0;
	}
	if (ret == 0 && n > 0)
		ret = bulk_insert_run(m->ix->db, SQL_DIR_PUT, n, merge_dir_column, m->dirs.v, err);
	for (size_t i = 0; i < n; i++)
		listing_free(m->dirs.v[i].l);
	m->dirs.n -= n;
	if (n > 0)
		memmove(m->dirs.v, m->dirs.v + n, m->dirs.n * sizeof(*m->dirs.v));
	m->n_waiting = m->n_held;
	if (ret == 0 && m->load != NULL && m->rows.n > MERGE_LATE)
		ret = merge_end_load(m, err);
	m->broken |= ret < 0;
	return ret;
}

int
merge_flush(struct merge *m, struct err *err)
{
	if (m->broken)
		return err_set(err, ERR_DB, "write index '%s': stopped in the middle", m->ix->db->path);
	m->broken = row_history_write(m->ix, &m->before, err) < 0 || merge_write(m, false, err) < 0 || (m->load != NULL && merge_end_load(m, err) < 0);
	return m->broken ? -1 : 0;
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

/* A start point that was a file: its parent is not listed, so drop the row of the file now. */
static int
merge_was_file(struct merge *m, const struct listing *l, struct err *err)
{
	struct file_row old;
	int ret;

	if (!l->is_start || l->parent <= 0)
		return 0;
	ret = file_get(m->ix->db, l->parent, l->name, l->name_len, &old, err);
	if (ret != 1)
		return ret;
	return merge_gone(m, l, &old, err) < 0 ? -1 : dirs_forget_digest(m->ix->db, l->parent, err);
}

/* Merge a listing.  Returns 1: l was taken over; 0: l is done with; -1: *err. */
static int
merge_take(struct merge *m, struct listing *l, struct err *err)
{
	bool settled = true;
	int keeps;

	if (l->unclaimed) {
		vec_push(&m->bare, l);
		return 1;
	}
	if (l->lost) {
		if (l->dir != 0)
			vec_push(&m->unread, l->dir);
		if (l->path != NULL)
			stats_problem(m->counts, &m->counts->kept_offline, l->path,
			              "unmounted during the scan: its files stay in the index");
		return 0;
	}
	keeps = m->force_purge ? 0 : missing_mount_keeps(m->ix, l, m->counts, err);
	if (keeps < 0)
		return -1;
	if (l->error != 0 || keeps)
		vec_push(&m->unread, l->dir);
	if (keeps)
		return 0;
	if (l->error != 0 && l->path != NULL)
		stats_problem(m->counts, NULL, l->path, strerror(l->error));
	if (l->error != 0 && l->n_files == 0 && !l->is_new)
		return merge_unread(m, l, err);
	if (merge_was_file(m, l, err) < 0)
		return -1;
	if ((!l->unchanged && !l->is_new && (l->partial ? merge_names : merge_files)(m, l, &settled, err) < 0) || displaced_take_place(&m->displaced, m->map, m->ix, l, err) < 0)
		return -1;
	vec_push(&m->dirs, ((struct merge_dir){ l, settled }));
	m->n_waiting += 1 + l->n_files;
	if (l->place_changed) {
		vec_push(&m->places, ((struct merge_place){ l->dir, l->parent, l->inode, m->place_names.len, l->name_len }));
		buf_add(&m->place_names, l->name, l->name_len);
		m->wrote = true;
	}
	return 1;
}

int
merge_listing(struct merge *m, struct listing *l, struct err *err)
{
	const int ret = merge_take(m, l, err);

	if (ret != 1) {
		listing_free(l);
		return ret;
	}
	if (m->n_waiting < m->n_held + MERGE_BATCH)
		return 0;
	return merge_write(m, m->load != NULL && m->n_waiting < MERGE_HELD, err);
}

int
merge_way(struct merge *m, int64_t dir, int64_t parent, const char *name, struct inode inode, struct err *err)
{
	struct listing *l = mem_zalloc(1, sizeof(*l));

	*l = (struct listing){ .dir = dir, .parent = parent, .name_len = strlen(name), .inode = inode };
	l->name = mem_str(name);
	l->is_new = true;
	return merge_listing(m, l, err);
}

int
merge_finish(struct merge *m, struct err *err)
{
	int ret = 0;

	while (ret == 0 && m->bare.n > 0) {
		struct listing *l = m->bare.v[--m->bare.n];

		listing_settle(l, m->map);
		ret = merge_listing(m, l, err);
	}
	if (ret == 0)
		ret = merge_flush(m, err);
	dirmap_reserve(m->map, m->places.n);
	/* Directories that were met get a place again below. */
	displaced_hang(&m->displaced, m->map);
	for (size_t i = 0; i < m->places.n; i++) {
		const struct merge_place *p = &m->places.v[i];

		dirmap_put(m->map, p->id, p->parent, m->place_names.data + p->name, p->name_len, p->inode);
	}
	vec_release(&m->places);
	buf_release(&m->place_names);
	return ret;
}
