/* SPDX-License-Identifier: MIT */
/*
 * Hides how a path is built from the rows of dir, and found among them.  dirs_prefix climbs from a
 * directory to the nearest one whose path is known (struct dirs_work), and keeps the paths of all
 * directories on the way.  Rows come one by one from SQL, or after dirs_load from memory (struct
 * dirs_all).  Where ids have few gaps an array finds paths by id, otherwise a table.
 *
 * A chain of parents longer than DIRS_MAX_DEPTH is a cycle, and a name with a slash would lead
 * elsewhere: both are damage (dirs_check).  One thread, within one state of the index.
 */
#include "base/base.h"

#include "index/dirs.h"

#include "db/stmt.h"
#include "index/file.h"
#include "index/fleeting.h"
#include "index/schema.h"
#include "sys/fs.h"

/* A deeper tree is a cycle: damage. */
#define DIRS_MAX_DEPTH 100000
/* Most ids per directory for which an array finds paths by id. */
#define DIRS_SPARSE 8

struct dirs_cached {
	int64_t dir;
	const struct dirs_prefix *prefix;
};

/* A row of a directory. */
struct dirs_row {
	int64_t id, parent, volume;
	size_t name;     /* its bytes in names; they end where those of the next row begin */
};

/* All rows in the order of their ids, and one more for the end of the last name. */
struct dirs_all {
	VEC(struct dirs_row) rows;
	struct buf names;
	const struct dirs_prefix **by_id; /* of those known; n_ids: 0 where gaps are large */
	size_t n_ids;
};

/* What dirs_prefix knows, and works with. */
struct dirs_work {
	size_t n;                        /* directories that were asked for, and those above them */
	VEC(struct dirs_cached) cache;   /* those of them that are not in dirs_all.by_id */
	struct table by_dir;             /* of the cache */
	struct arena prefixes;
	VEC(struct dirs_row) chain;
	struct buf prefix, names;
	int64_t last;                    /* the last directory asked for; mostly the next, too */
	const struct dirs_prefix *last_prefix;
	struct fleeting fleeting;
};

void
dirs_release(struct dirs *d)
{
	buf_release(&d->parent);
	if (d->work != NULL) {
		vec_release(&d->work->cache);
		table_release(&d->work->by_dir);
		arena_release(&d->work->prefixes);
		fleeting_release(&d->work->fleeting);
		vec_release(&d->work->chain);
		buf_release(&d->work->prefix);
		buf_release(&d->work->names);
		free(d->work);
		d->work = NULL;
	}
	vec_release(&d->inodes);
	d->has_inodes = false;
	if (d->all != NULL) {
		vec_release(&d->all->rows);
		buf_release(&d->all->names);
		free(d->all->by_id);
		free(d->all);
		d->all = NULL;
	}
}

int
dirs_load(struct dirs *d, struct err *err)
{
	struct stmt st;
	struct dirs_all *all;
	int64_t last;
	int ret;

	if (d->all != NULL)
		return 0;
	all = d->all = mem_zalloc(1, sizeof(*all));
	st = stmt_get(d->db, SQL_DIR_TREE, err);
	while ((ret = stmt_step(&st)) == 1) {
		size_t len;
		const char *name = stmt_col_name(&st, 2, &len);

		vec_push(&all->rows, ((struct dirs_row){ stmt_col_int(&st, 0), stmt_col_int(&st, 1), stmt_col_int(&st, 4), all->names.len }));
		buf_add(&all->names, name, len);
	}
	vec_push(&all->rows, ((struct dirs_row){ 0, 0, 0, all->names.len }));
	last = all->rows.n > 1 ? all->rows.v[all->rows.n - 2].id : 0;
	if (last >= 1 && last <= DIRS_SPARSE * (int64_t)all->rows.n) {
		all->n_ids = (size_t)last + 1;
		all->by_id = mem_zalloc(all->n_ids, sizeof(*all->by_id));
	}
	return ret;
}

/* The cached prefix of a directory, or NULL. */
static const struct dirs_prefix *
dirs_cached(const struct dirs *d, int64_t dir)
{
	const struct dirs_work *w = d->work;
	const uint64_t hash = table_hash((uint64_t)dir, 0);

	if (d->all != NULL && (uint64_t)dir < d->all->n_ids && d->all->by_id[dir] != NULL)
		return d->all->by_id[dir];
	TABLE_EACH(i, &w->by_dir, hash) {
		if (w->cache.v[i].dir == dir)
			return w->cache.v[i].prefix;
	}
	return NULL;
}

/* Refuse values that no row of a directory has. */
static int
dirs_check(const struct db *db, int64_t id, int64_t parent, const char *name, size_t len, struct err *err)
{
	/* A directory moved aside (parent -1) has a name that begins with a slash, too. */
	const bool valid = parent > 0 ? name_is_entry(name, len) : len > 0 && name[0] == '/' && memchr(name, '\0', len) == NULL;

	if (id < 1 || id > SCHEMA_MAX_ID)
		return db_corrupt(db, err, "dir", id, NULL, "has an invalid number");
	return valid ? 0 : db_corrupt(db, err, "dir", id, NULL, "has an invalid name");
}

const char *
dirs_read_name(const struct stmt *st, int col, int64_t id, int64_t parent, size_t *len, struct err *err)
{
	const char *name = stmt_col_name(st, col, len);

	return dirs_check(st->db, id, parent, name, *len, err) == 0 ? name : NULL;
}

static int
dirs_missing(const struct db *db, int64_t dir, struct err *err)
{
	return db_corrupt(db, err, "dir", dir, NULL, "is missing");
}

/* dirs_get from the rows of dirs_load. */
static int
dirs_get_loaded(const struct dirs *d, struct dirs_row *dir, struct buf *name, struct err *err)
{
	const struct dirs_row *rows = d->all->rows.v, *row;
	const size_t n = d->all->rows.n - 1;
	size_t at, len;

	ORDER_FIRST(at, n, rows[at].id < dir->id);
	row = &rows[at];
	if (at == n || row->id != dir->id)
		return dirs_missing(d->db, dir->id, err);
	len = row[1].name - row->name;
	if (dirs_check(d->db, dir->id, row->parent, d->all->names.data + row->name, len, err) < 0)
		return -1;
	dir->parent = row->parent;
	dir->volume = row->volume;
	buf_add(name, d->all->names.data + row->name, len);
	return 0;
}

/* Get the parent and the volume of a directory, whose id is set, and append its name as bytes. */
static int
dirs_get(const struct dirs *d, struct dirs_row *dir, struct buf *name, struct err *err)
{
	struct stmt st;
	const char *text;
	size_t len;
	int ret;

	if (d->all != NULL)
		return dirs_get_loaded(d, dir, name, err);
	st = stmt_get(d->db, SQL_DIR_GET, err);
	stmt_int(&st, ":dir", dir->id);
	ret = stmt_step(&st);
	if (ret == 1) {
		dir->parent = stmt_col_int(&st, 0);
		dir->volume = stmt_col_int(&st, 3);
		text = dirs_read_name(&st, 1, dir->id, dir->parent, &len, err);
		if (text != NULL)
			buf_add(name, text, len);
		else
			ret = -1;
	}
	stmt_done(&st);
	if (ret == 0)
		return dirs_missing(d->db, dir->id, err);
	return ret < 0 ? -1 : 0;
}

/* Find out why files in a directory may disappear by themselves.  Returns 0 or -1. */
static int
dirs_fleeting(const struct dirs_work *w, const struct dirs_row *dir, const struct dirs_prefix *above, struct dirs_prefix *own, struct err *err)
{
	const int of_row = fleeting_of_row(&w->fleeting, dir->id, dir->volume, err);
	unsigned why = (unsigned)of_row;
	const char *tmp, *up;

	if (of_row < 0)
		return -1;
	if (above == NULL) {
		own->fleeting = why | fleeting_of_path(own->text);
		return 0;
	}
	up = above->text + above->len - 1;
	while (up > above->text && up[-1] != '/')
		up--;
	why |= fleeting_of_name(own->text + above->len, own->len - above->len - 1, up, (size_t)(above->text + above->len - 1 - up));
	for (size_t i = 0; (tmp = fleeting_temporary(i)) != NULL; i++)
		why |= strlen(tmp) == own->len - 1 && memcmp(tmp, own->text, own->len - 1) == 0 ? FLEETING_TEMPORARY : 0;
	own->fleeting = why | (above->fleeting & FLEETING_INHERITED);
	return 0;
}

/* Cache the prefix of a directory; above is its parent's.  Returns the cached one, or NULL. */
static const struct dirs_prefix *
dirs_keep(struct dirs *d, const struct dirs_row *dir, const struct dirs_prefix *above, const struct buf *prefix, struct err *err)
{
	struct dirs_work *w = d->work;
	struct dirs_prefix *kept = arena_alloc(&w->prefixes, sizeof(*kept) + prefix->len + 1);

	kept->number = w->n++;
	kept->len = prefix->len;
	memcpy(kept->text, prefix->data, prefix->len + 1);
	kept->trash = path_trash_len(kept->text);
	kept->fleeting = 0;
	if (!d->paths_only && dirs_fleeting(w, dir, above, kept, err) < 0)
		return NULL;
	if (d->all != NULL && (uint64_t)dir->id < d->all->n_ids)
		d->all->by_id[dir->id] = kept;
	else {
		vec_push(&w->cache, ((struct dirs_cached){ dir->id, kept }));
		table_add(&w->by_dir, table_hash((uint64_t)dir->id, 0), w->cache.n - 1);
	}
	return kept;
}

/*
 * Climb from a directory to the nearest one whose prefix is known: that becomes work->prefix.  The
 * directories below it, in that order, become the chain, and their names the names.
 */
static int
dirs_climb(struct dirs *d, int64_t dir, struct err *err)
{
	struct dirs_work *w = d->work;
	struct dirs_row at = { .id = dir };
	const struct dirs_prefix *known;

	w->chain.n = 0;
	buf_cut(&w->names, 0);
	buf_cut(&w->prefix, 0);
	while ((known = dirs_cached(d, at.id)) == NULL) {
		if (w->chain.n == DIRS_MAX_DEPTH)
			return db_corrupt(d->db, err, "dir", dir, NULL, "lies in itself");
		at.name = w->names.len;
		if (dirs_get(d, &at, &w->names, err) < 0)
			return -1;
		vec_push(&w->chain, at);
		/* A directory without parent has a path as its name. */
		if (at.parent <= 0)
			return 0;
		at.id = at.parent;
	}
	buf_add(&w->prefix, known->text, known->len);
	return 0;
}

const struct dirs_prefix *
dirs_prefix(struct dirs *d, int64_t dir, struct err *err)
{
	struct dirs_work *w = d->work;

	if (w != NULL && w->last_prefix != NULL && w->last == dir)
		return w->last_prefix;
	if (w == NULL) {
		w = d->work = mem_zalloc(1, sizeof(*w));
		if (!d->paths_only && fleeting_load(&w->fleeting, d->db, err) < 0) {
			dirs_release(d);
			return NULL;
		}
	}
	w->last_prefix = dirs_cached(d, dir);
	w->last = dir;
	if (w->last_prefix != NULL)
		return w->last_prefix;
	if (dirs_climb(d, dir, err) < 0)
		return NULL;
	w->last_prefix = w->chain.n > 0 && w->chain.v[w->chain.n - 1].parent > 0 ? dirs_cached(d, w->chain.v[w->chain.n - 1].parent) : NULL;
	while (w->chain.n > 0) {
		const struct dirs_row *at = &w->chain.v[--w->chain.n];

		buf_add(&w->prefix, w->names.data + at->name, w->names.len - at->name);
		buf_cut(&w->names, at->name);
		if (w->prefix.data[w->prefix.len - 1] != '/')
			buf_addc(&w->prefix, '/');
		w->last_prefix = dirs_keep(d, at, w->last_prefix, &w->prefix, err);
		if (w->last_prefix == NULL)
			return NULL;
	}
	return w->last_prefix;
}

int
dirs_path(struct dirs *d, int64_t dir, struct buf *path, struct err *err)
{
	const struct dirs_prefix *prefix = dirs_prefix(d, dir, err);

	if (prefix == NULL)
		return -1;
	buf_add(path, prefix->text, prefix->len > 1 ? prefix->len - 1 : prefix->len);
	return 0;
}

struct dirs_rows
dirs_rows(struct db *db, enum sql_id id, struct err *err)
{
	return (struct dirs_rows){ .st = stmt_get(db, id, err), .dirs = { .db = db, .paths_only = true } };
}

int
dirs_rows_next(struct dirs_rows *r)
{
	int ret = stmt_step(&r->st);

	buf_cut(&r->path, 0);
	if (ret == 1 && dirs_path(&r->dirs, stmt_col_int(&r->st, 0), &r->path, r->st.err) < 0)
		ret = -1;
	if (ret != 1)
		dirs_rows_end(r);
	return ret;
}

void
dirs_rows_end(struct dirs_rows *r)
{
	stmt_done(&r->st);
	dirs_release(&r->dirs);
	buf_release(&r->path);
}

void
dirs_store_name(struct buf *text, const char *name, size_t len, int64_t parent)
{
	if (name_is_utf8(name, len))
		buf_add(text, name, len);
	else if (parent != 0)
		name_store(text, name, len);
	else {
		/* A path may have slashes, but none at its end in normal form. */
		name_show(text, name, len);
		buf_addc(text, '/');
	}
}

static int
dirs_child(struct db *db, int64_t parent, const char *name, size_t len, int64_t *dir, struct err *err)
{
	struct stmt st = stmt_get(db, SQL_DIR_CHILD, err);
	struct buf text = { 0 };
	int ret;

	dirs_store_name(&text, name, len, parent);
	stmt_int(&st, ":parent", parent);
	stmt_text(&st, ":name", text.data, text.len);
	ret = stmt_step(&st);
	if (ret == 1)
		*dir = stmt_col_int(&st, 0);
	stmt_done(&st);
	buf_release(&text);
	return ret;
}

static int
dirs_cmp_inode(const void *a, const void *b)
{
	const struct dirs_inode *x = a, *y = b;

	return (x->inode > y->inode) - (x->inode < y->inode);
}

static int
dirs_load_inodes(struct dirs *d, struct err *err)
{
	struct stmt st;
	int ret;

	if (d->has_inodes)
		return 0;
	d->has_inodes = true;
	st = stmt_get(d->db, SQL_DIR_INODES, err);
	while ((ret = stmt_step(&st)) == 1)
		vec_push(&d->inodes, ((struct dirs_inode){ stmt_col_int(&st, 1), stmt_col_int(&st, 0) }));
	if (d->inodes.n > 1)
		qsort(d->inodes.v, d->inodes.n, sizeof(*d->inodes.v), dirs_cmp_inode);
	return ret;
}

int
dirs_elsewhere(struct dirs *d, const char *path, const struct fs_stat *st, struct buf *other, struct err *err)
{
	const int64_t inode = (int64_t)st->inode;
	size_t at;

	if (dirs_load_inodes(d, err) < 0)
		return -1;
	ORDER_FIRST(at, d->inodes.n, d->inodes.v[at].inode < inode);
	for (; at < d->inodes.n && d->inodes.v[at].inode == inode; at++) {
		struct fs_stat now;

		buf_cut(other, 0);
		if (dirs_path(d, d->inodes.v[at].id, other, err) < 0)
			return -1;
		if (strcmp(buf_str(other), path) != 0 && fs_stat_path(buf_str(other), &now) == 0 && now.dev == st->dev &&
		    now.inode == st->inode)
			return 1;
	}
	return 0;
}

int
dirs_find(struct db *db, const char *path, int64_t *dir, struct err *err)
{
	int ret = 0;

	/* Start points may nest: try the innermost first. */
	for (size_t len = strlen(path); ret == 0 && len > 0; len = path_up_len(path, len)) {
		const char *rest = path + len, *name;
		size_t name_len;

		ret = dirs_child(db, 0, path, len, dir, err);
		while (ret == 1 && path_next(&rest, &name, &name_len))
			ret = dirs_child(db, *dir, name, name_len, dir, err);
	}
	return ret;
}

int
dirs_next_file(struct dirs *d, const char *path, struct file_row *row, struct err *err)
{
	const char *name = path_base(path);
	const size_t len = path_parent_len(path);

	if (d->parent.len != len || memcmp(d->parent.data, path, len) != 0) {
		buf_cut(&d->parent, 0);
		buf_add(&d->parent, path, len);
		d->parent_found = dirs_find(d->db, buf_str(&d->parent), &d->parent_dir, err);
		/* Look it up again after a failure. */
		if (d->parent_found < 0)
			buf_cut(&d->parent, 0);
	}
	return d->parent_found == 1 ? file_get(d->db, d->parent_dir, name, strlen(name), row, err) : d->parent_found;
}

int
dirs_find_file(struct db *db, const char *path, struct file_row *row, struct err *err)
{
	struct dirs d = { .db = db };
	const int ret = dirs_next_file(&d, path, row, err);

	dirs_release(&d);
	return ret;
}

int
dirs_unread(struct db *db, dirs_unread_fn *fn, void *arg, struct err *err)
{
	struct dirs_rows r = dirs_rows(db, SQL_DIR_ERRORS, err);
	int ret;

	while ((ret = dirs_rows_next(&r)) == 1)
		fn(arg, buf_str(&r.path));
	return ret;
}

int
dirs_forget_digest(struct db *db, int64_t dir, struct err *err)
{
	struct stmt st = stmt_get(db, SQL_DIR_DIGEST_FORGET, err);

	stmt_int(&st, ":dir", dir);
	return stmt_run(&st);
}
