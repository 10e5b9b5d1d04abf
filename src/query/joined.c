/* SPDX-License-Identifier: MIT */
/*
 * Every index is copied with its directories numbered behind those of the one before, in the order
 * of a walk beside the tree of what is joined already: a directory of the same path is there, and
 * its files are those of the first index that has it.  Volumes get the numbers of their positions
 * in struct indexes.
 */
#include "base/base.h"

#include "query/joined.h"

#include "db/stmt.h"
#include "index/file.h"
#include "index/index.h"
#include "index/roots.h"
#include "index/rows.h"
#include "query/dirtree.h"
#include "query/indexes.h"
#include "sys/stop.h"

/* A directory of the index that is being joined. */
struct joined_dir {
	int64_t id;              /* in the joined index, shared if not above before; or 0: none */
	uint32_t known;          /* its number in the tree of what was joined, or DIRTREE_NONE */
	uint32_t next;           /* the first subdirectory there that may be one of its own */
	bool left_out;           /* it lies on another disk than what is known */
};

struct joined_load {
	struct joined *j;
	struct index *ix;        /* this one */
	const struct sets_query *q;
	struct presence_view here;
	struct sets_unread read;
	struct table by_inode;   /* of read.files */
	struct dirtree *tree;    /* of what was joined before; NULL at first */
	/* Of the index that is being joined: */
	size_t of;
	int64_t before;          /* the greatest id of a directory that was joined before */
	struct indexes_other *other;
	struct index *from;
	struct dirtree *dirs;
	struct joined_dir *v;    /* by number in dirs */
};

/* The number of a volume in the joined index. */
static int64_t
joined_volume(const struct joined_load *l, int64_t volume)
{
	return indexes_position(l->q->with, l->other != NULL ? indexes_ours(l->other, volume) : volume);
}

static int
joined_volumes(struct joined_load *l, struct err *err)
{
	struct stmt st = stmt_get(l->from->db, SQL_VOLUME_ALL, err);
	int ret;

	while ((ret = stmt_step(&st)) == 1) {
		struct stmt put = stmt_get(l->j->ix->db, SQL_VOLUME_JOIN, err);
		size_t key_len, type_len;
		const char *key = stmt_col_text(&st, 1, &key_len), *type = stmt_col_text(&st, 2, &type_len);

		stmt_int(&put, ":id", joined_volume(l, stmt_col_int(&st, 0)));
		stmt_text(&put, ":key", key, key_len);
		stmt_text(&put, ":type", type, type_len);
		if (stmt_run(&put) < 0) {
			stmt_done(&st);
			return -1;
		}
	}
	return ret;
}

/* Give a file the hash that was read of it, and one that could not be read an error. */
static void
joined_read(const struct joined_load *l, struct file_row *row)
{
	TABLE_EACH(i, &l->by_inode, inode_hash(row->inode)) {
		const struct sets_unread_file *f = &l->read.files.v[i];

		if (f->of != l->of || !file_linked(&f->row, row) || fs_time_cmp(f->row.ctime, row->ctime) != 0)
			continue;
		row->has_hash = f->row.has_hash;
		memcpy(row->hash, f->row.hash, HASH_SIZE);
		row->error = f->row.has_hash ? 0 : EIO;
		return;
	}
}

/* Copy the files of a directory. */
static int
joined_files(struct joined_load *l, int64_t from, int64_t to, struct err *err)
{
	struct rows rows = { 0 };
	int ret = rows_load(&rows, l->from->db, from, err);

	for (size_t i = 0; ret == 0 && i < rows.n; i++) {
		struct file_row *row = &rows.v[i];

		if (!row->has_hash)
			joined_read(l, row);
		row->dir = to;
		row->inode.volume = joined_volume(l, row->inode.volume);
	}
	if (ret == 0)
		ret = file_put_many(l->j->ix->db, rows.v, rows.n, err);
	rows_release(&rows);
	return ret == 0 ? stop_check(err) : ret;
}

/* Copy the row of a directory, whose stored name stays, within parent (0: it is a top). */
static int
joined_put(struct joined_load *l, struct stmt *row, int64_t id, int64_t parent, struct err *err)
{
	struct stmt put = stmt_get(l->j->ix->db, SQL_DIR_JOIN, err);
	size_t len, raw_len;
	const char *name = stmt_col_text(row, 1, &len);
	const void *raw = stmt_col_blob(row, 2, &raw_len);

	stmt_int(&put, ":id", id);
	stmt_int(&put, ":parent", parent);
	stmt_text(&put, ":name", name, len);
	stmt_blob(&put, ":name_raw", raw, raw_len);
	stmt_int(&put, ":volume", joined_volume(l, stmt_col_int(row, 3)));
	stmt_int(&put, ":inode", stmt_col_int(row, 4));
	if (!stmt_col_is_null(row, 5))
		stmt_int(&put, ":error", stmt_col_int(row, 5));
	return stmt_run(&put);
}

/* Find a directory, of which the parent was found, in the tree of what was joined before. */
static void
joined_find(struct joined_load *l, uint32_t dir)
{
	struct joined_dir *d = &l->v[dir], *up = &l->v[dirtree_parent(l->dirs, dir)];
	const char *name = dirtree_name(l->dirs, dir);

	if (dir == dirtree_find(l->dirs, "/"))
		d->known = l->tree != NULL ? dirtree_find(l->tree, "/") : DIRTREE_NONE;
	else {
		/* Both walks go by name. */
		while (up->next != DIRTREE_NONE && strcmp(dirtree_name(l->tree, up->next), name) < 0)
			up->next = dirtree_next(l->tree, up->next);
		if (up->next != DIRTREE_NONE && strcmp(dirtree_name(l->tree, up->next), name) == 0)
			d->known = up->next;
	}
	d->next = d->known != DIRTREE_NONE ? dirtree_first(l->tree, d->known) : DIRTREE_NONE;
}

/* Give a directory the number of the one joined before, or tell that it lies on another disk. */
static int
joined_share(struct joined_load *l, uint32_t dir, int64_t volume, struct err *err)
{
	struct stmt st = stmt_get(l->j->ix->db, SQL_DIR_GET, err);
	struct joined_dir *d = &l->v[dir];
	struct buf path = { 0 };
	int64_t other;

	d->id = dirtree_id(l->tree, d->known);
	stmt_int(&st, ":dir", d->id);
	other = stmt_step(&st) == 1 ? stmt_col_int(&st, 3) : -1;
	stmt_done(&st);
	if (other < 0)
		return -1;
	d->left_out = other != joined_volume(l, volume);
	if (d->left_out) {
		dirtree_path(l->dirs, dir, &path);
		l->q->gap(l->q->gap_arg, buf_str(&path), GAP_UNPROVEN, true, "another index has another disk there");
		buf_release(&path);
	}
	return 0;
}

/* Join a directory. */
static int
joined_dir(struct joined_load *l, uint32_t dir, struct err *err)
{
	const int64_t id = dirtree_id(l->dirs, dir);
	struct joined_dir *d = &l->v[dir];
	struct stmt st;
	int ret;

	joined_find(l, dir);
	if (id == 0)
		return 0;
	st = stmt_get(l->from->db, SQL_DIR_GET, err);
	stmt_int(&st, ":dir", id);
	ret = stmt_step(&st) == 1 ? 0 : -1;
	if (ret == 0) {
		const bool top = stmt_col_int(&st, 0) == 0;
		const struct joined_dir *up = &l->v[dirtree_parent(l->dirs, dir)];

		d->left_out = !top && up->left_out;
		if (!d->left_out && d->known != DIRTREE_NONE && dirtree_id(l->tree, d->known) != 0)
			ret = joined_share(l, dir, stmt_col_int(&st, 3), err);
		else if (!d->left_out) {
			d->id = l->before + id;
			ret = joined_put(l, &st, d->id, top ? 0 : up->id, err);
			if (top)
				vec_push(&l->j->tops, ((struct joined_top){ d->id, l->of }));
		}
	}
	stmt_done(&st);
	return ret == 0 && d->id > l->before ? joined_files(l, id, d->id, err) : ret;
}

/* Copy the options of roots. */
static int
joined_roots(struct joined_load *l, struct err *err)
{
	struct roots roots = { 0 };
	int ret = roots_load(&roots, l->from->db, err);

	for (size_t i = 0; ret == 0 && i < roots.n; i++) {
		const uint32_t dir = dirtree_by_id(l->dirs, roots.v[i].dir);

		if (dir != DIRTREE_NONE && l->v[dir].id > l->before)
			ret = root_put(l->j->ix->db, l->v[dir].id, &roots.v[i].rules, err);
	}
	roots_release(&roots);
	return ret;
}

/* Join an index. */
static int
joined_index(struct joined_load *l, size_t of, struct err *err)
{
	uint32_t root, n;
	int64_t last;
	int ret;

	l->of = of;
	l->other = indexes_nth(l->q->with, of);
	l->from = indexes_view(l->other, &l->here)->ix;
	if (joined_volumes(l, err) < 0 || dirtree_load(&l->dirs, l->from->db, err) < 0)
		return -1;
	n = dirtree_count(l->dirs);
	root = dirtree_find(l->dirs, "/");
	l->v = mem_alloc(n * sizeof(*l->v));
	l->before = last = of > 0 ? l->j->last.v[of - 1] : 0;
	for (uint32_t dir = 0; dir < n; dir++)
		l->v[dir] = (struct joined_dir){ .known = DIRTREE_NONE, .next = DIRTREE_NONE };
	ret = 0;
	for (uint32_t dir = root; ret == 0 && dir < dirtree_end(l->dirs, root); dir++)
		ret = joined_dir(l, dir, err);
	for (uint32_t dir = 0; dir < n; dir++)
		last = l->v[dir].id > last ? l->v[dir].id : last;
	if (ret == 0)
		ret = joined_roots(l, err);
	vec_push(&l->j->last, last);
	free(l->v);
	dirtree_free(l->dirs);
	dirtree_free(l->tree);
	l->dirs = l->tree = NULL;
	return ret == 0 && of < l->q->with->others.n ? dirtree_load(&l->tree, l->j->ix->db, err) : ret;
}

/* Join all, in a transaction. */
static int
joined_all(struct joined_load *l, struct err *err)
{
	enum index_pending pending = INDEX_WHOLE;
	int ret = 0;

	for (size_t i = 0; ret == 0 && i <= l->q->with->others.n; i++) {
		ret = joined_index(l, i, err);
		if (l->from->pending == INDEX_UNMET || pending == INDEX_WHOLE)
			pending = l->from->pending;
	}
	return ret < 0 || index_make_contents(l->j->ix, err) < 0 ? -1 : index_set_pending(l->j->ix, pending, err);
}

int
joined_open(struct joined *j, struct index *ix, const struct sets_query *q, struct err *err)
{
	struct joined_load l = { .j = j, .ix = ix, .q = q };
	int ret = presence_open(&l.here, ix, err);

	if (ret == 0)
		ret = sets_unread_load(&l.read, q, &l.here, err);
	for (size_t i = 0; i < l.read.files.n; i++)
		table_add(&l.by_inode, inode_hash(l.read.files.v[i].row.inode), i);
	if (ret == 0)
		ret = index_open_memory(&j->ix, ix, err);
	if (ret == 0)
		ret = db_begin(j->ix->db, err);
	if (ret == 0)
		ret = db_end(j->ix->db, joined_all(&l, err), err);
	dirtree_free(l.tree);
	table_release(&l.by_inode);
	sets_unread_release(&l.read);
	presence_release(&l.here);
	return ret;
}

size_t
joined_of(const struct joined *j, int64_t dir)
{
	size_t of = 0;

	while (of + 1 < j->last.n && dir > j->last.v[of])
		of++;
	return of;
}

void
joined_close(struct joined *j)
{
	index_close(j->ix);
	vec_release(&j->tops);
	vec_release(&j->last);
}
