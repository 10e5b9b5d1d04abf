/* SPDX-License-Identifier: MIT */
#include <config.h>

#include "query/list.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/err.h"
#include "base/mem.h"
#include "base/num.h"
#include "base/order.h"
#include "base/path.h"
#include "db/stmt.h"
#include "index/presence.h"
#include "query/dirtree.h"
#include "index/index.h"
#include "query/intact.h"
#include "index/rows.h"
#include "sys/stop.h"

/* No file system goes deeper; an index that does is damaged. */
#define LIST_MAX_DEPTH 10000

/* A subdirectory: what the index calls it (0: it only leads to a top), and its name. */
struct list_sub {
	int64_t id;
	char *name;        /* owned */
};

struct list_subs {
	struct list_sub *v;
	size_t n, cap;
};

struct list {
	struct index *ix;
	const struct list_query *q;
	const char *const *paths;    /* all that are asked for */
	size_t n_paths;
	struct presence_view check;
	struct state copies;
	struct index_own own;
	list_fn *fn;
	void *arg;
	struct list_totals *totals;
	struct list_subs tops;  /* below the path that is asked for, in the order of their paths */
	enum skip outer;             /* the rule that leaves out all of a path that the index does not have */
	bool met;                    /* something of the path that is asked for was answered, or counted as not judged */
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
list_gap(struct list *b, enum gap gap, const char *path, bool dir, const char *why)
{
	b->met = true;
	if (gap == GAP_NONE ||
	    (b->q->gaps_only && path_is_below_any(path, b->q->copies.exclude, b->q->copies.n_exclude)))
		return;
	if (dir)
		b->totals->gaps.dirs[gap]++;
	else
		b->totals->gaps.files[gap]++;
	if (b->q->gap != NULL)
		b->q->gap(b->arg, path, gap, dir, why);
}

/* The gap that an indexed file leaves whatever its copies are. */
static void
list_row_gap(struct list *b, const struct file_row *row, enum presence kind, const char *path)
{
	if (kind == PRESENCE_UNREADABLE)
		list_gap(b, GAP_UNREADABLE, path, false, strerror(b->check.error));
	else if (kind == PRESENCE_OFFLINE)
		list_gap(b, GAP_OFFLINE, path, false, "offline");
	else if (kind == PRESENCE_CHANGED)
		list_gap(b, GAP_CHANGED, path, false, state_name(STATE_CHANGED));
	else if (kind == PRESENCE_HERE && row->error != 0)
		list_gap(b, GAP_UNREADABLE, path, false, file_error_text(row->error));
}

/* The gap that the answer for an indexed file leaves. */
static enum gap
list_gap_of(const struct file_answer *a, enum presence kind)
{
	switch (a->state) {
	case STATE_UNREADABLE:
		return GAP_UNREADABLE;
	case STATE_CHANGED:
		return GAP_CHANGED;
	case STATE_UNKNOWN:
		return kind == PRESENCE_OFFLINE ? GAP_OFFLINE : GAP_UNPROVEN;
	default:
		return kind == PRESENCE_OFFLINE ? GAP_OFFLINE : GAP_NONE;
	}
}

static int
list_deliver(struct list *b, const struct file_answer *a)
{
	b->totals->n[a->state]++;
	b->totals->unread += a->unread;
	if (a->size > 0)
		b->totals->bytes[a->state] = num_add(b->totals->bytes[a->state], a->size);
	return b->fn(b->arg, a);
}

static int
list_row(struct list *b, const struct file_row *row, enum presence kind, const char *path, struct err *err)
{
	struct file_answer a;

	b->met = true;
	if (b->q->gaps_only) {
		list_row_gap(b, row, kind, path);
		return 0;
	}
	if (state_of_row(&b->copies, row, kind, path, &a, err) < 0)
		return -1;
	list_gap(b, list_gap_of(&a, kind), path, false, a.why != NULL ? a.why : state_name(a.state));
	return list_deliver(b, &a);
}

/*
 * Whether the index has a directory by another path that leads there, too.  *gap becomes what is open of it: nothing where
 * the answer is about that path as well.
 */
static bool
list_is_elsewhere(struct list *b, const char *path, const struct fs_stat *st, enum gap *gap)
{
	const struct state_query *x = &b->q->copies;
	struct buf other = { 0 };
	struct err ignored = { 0 };
	const bool found = dirs_elsewhere(&b->check.dirs, path, st, &other, &ignored) == 1;

	if (found)
		*gap = path_is_below_any(buf_str(&other), b->paths, b->n_paths) &&
		       !(b->q->gaps_only && path_is_below_any(buf_str(&other), x->exclude, x->n_exclude)) ?
		       GAP_NONE : (enum gap)SKIP_TWICE;
	buf_release(&other);
	return found;
}

/* The rule by which a scan leaves out an entry. */
static enum skip
list_rule(struct list *b, const struct root *root, const char *path, const struct fs_stat *st)
{
	const char *below = root != NULL ? path_below(path, root->path) : NULL;
	enum skip skip = SKIP_NO;

	/* Whatever their names are, they hold no content. */
	if (S_ISLNK(st->mode))
		return SKIP_LINK;
	if (!S_ISREG(st->mode) && !S_ISDIR(st->mode))
		return SKIP_SPECIAL;
	if (below != NULL && *below != '\0')
		skip = rules_check_path(&root->rules, below, S_ISDIR(st->mode));
	if (skip == SKIP_NO && root != NULL && S_ISREG(st->mode))
		skip = rules_check_size(&root->rules, st->size);
	if (skip == SKIP_NO && root != NULL && S_ISDIR(st->mode))
		skip = presence_mounted(root, path, st);
	if (skip == SKIP_NO)
		skip = b->outer;
	if (skip == SKIP_NO && index_is_own(&b->own, st->dev, st->inode))
		skip = SKIP_OWN;
	return skip;
}

/* Count and deliver what the index does not have, or a directory that can't be listed. */
static int
list_strange(struct list *b, const struct file_answer *a, enum gap gap, bool dir)
{
	list_gap(b, gap, a->path, dir, a->why);
	if (b->q->strangers && (!dir || b->q->dir == NULL))
		return list_deliver(b, a);
	b->totals->n[a->state]++;
	return b->q->strangers ? b->q->dir(b->arg, a->path, a->state == STATE_SKIPPED ? DIR_SKIPPED : DIR_UNKNOWN) : 0;
}

/* An entry that the index does not have, with the rule that says so. */
static int
list_stranger(struct list *b, const char *path, const struct fs_stat *st)
{
	const struct root *root = S_ISDIR(st->mode) ? roots_above(&b->check.roots, path) : roots_of_file(&b->check.roots, path);
	struct file_answer a = { .path = path, .state = STATE_UNKNOWN, .size = -1, .allocated = -1 };
	enum gap gap = (enum gap)list_rule(b, root, path, st);

	if (S_ISREG(st->mode)) {
		a.size = st->size;
		a.allocated = st->blocks * 512;
		a.mtime = st->mtime;
		a.inode = (int64_t)st->inode;
		a.nlink = (int64_t)st->nlink;
	}
	if (gap != GAP_NONE) {
		a.state = STATE_SKIPPED;
		a.why = skip_name((enum skip)gap);
	} else if (S_ISDIR(st->mode) && list_is_elsewhere(b, path, st, &gap)) {
		a.state = STATE_SKIPPED;
		a.why = skip_name(SKIP_TWICE);
	} else {
		gap = root == NULL ? GAP_NEVER : GAP_NEW;
		a.why = root == NULL ? "never scanned" : "not in the index: scan again";
	}
	return list_strange(b, &a, gap, S_ISDIR(st->mode));
}

/* An entry that the index does not have or a directory, which can't be looked at for this errno. */
static int
list_unreadable(struct list *b, const char *path, bool dir, int error)
{
	const struct file_answer a = { .path = path, .state = STATE_UNREADABLE, .why = strerror(error), .size = -1,
	                               .allocated = -1 };

	return list_strange(b, &a, GAP_UNREADABLE, dir);
}

/* The files of a directory: rows and listing, both in order of names. */
static int
list_files(struct list *b, struct list_dir *d, struct err *err)
{
	struct rows rows = { 0 };
	struct buf path = { 0 };
	size_t i = 0, j = 0;
	int ret = d->id != 0 ? rows_load(&rows, b->ix->db, d->id, err) : 0;

	while (ret == 0 && (i < d->list.n || j < rows.n)) {
		const struct fs_entry *e = i < d->list.n ? &d->list.v[i] : NULL;
		const struct file_row *row = j < rows.n ? &rows.v[j] : NULL;
		const int cmp = e == NULL ? 1 : row == NULL ? -1 : strcmp(fs_list_name(&d->list, e), row->name);
		const char *name = cmp <= 0 ? fs_list_name(&d->list, e) : row->name;
		struct fs_stat st;
		int error;

		i += cmp <= 0;
		j += cmp >= 0;
		buf_cut(&path, 0);
		buf_adds(&path, d->path);
		path_append(&path, name, strlen(name));
		if (cmp >= 0 && d->fd < 0) {
			enum presence kind;

			ret = presence_row(&b->check, row, &kind, NULL, err);
			if (ret == 0)
				ret = list_row(b, row, kind, buf_str(&path), err);
			continue;
		}
		if (cmp == 0 && b->q->gaps_only && e->type == FS_FILE) {
			list_row_gap(b, row, PRESENCE_HERE, buf_str(&path));
			continue;
		}
		error = cmp > 0 ? ENOENT : fs_stat_at(d->fd, name, &st) < 0 ? errno : 0;
		if (cmp >= 0)
			ret = list_row(b, row, presence_stat(&b->check, row, buf_str(&path), error,
			                                    error == 0 && S_ISREG(st.mode) ? &st : NULL), buf_str(&path), err);
		/* Directories come later, if the index has them. */
		else if (error == 0 ? !S_ISDIR(st.mode) : e->type != FS_DIR && !fs_is_absent(error))
			ret = error == 0 ? list_stranger(b, buf_str(&path), &st) : list_unreadable(b, buf_str(&path), false, error);
		if (ret == 0)
			ret = stop_check(err);
	}
	rows_release(&rows);
	buf_release(&path);
	return ret;
}

static void
list_subs_release(struct list_subs *subs)
{
	for (size_t i = 0; i < subs->n; i++)
		free(subs->v[i].name);
	vec_release(subs);
}

static int
list_cmp_sub(const void *a, const void *b)
{
	return strcmp(((const struct list_sub *)a)->name, ((const struct list_sub *)b)->name);
}

/* By name, and of one name that which the index has before that which leads to it. */
static int
list_cmp_named(const void *a, const void *b)
{
	const struct list_sub *x = a, *y = b;
	const int cmp = strcmp(x->name, y->name);

	return cmp != 0 ? cmp : (x->id == 0) - (y->id == 0);
}

/* Sort, each name once. */
static void
list_sort_subs(struct list_subs *subs)
{
	size_t n = 0;

	if (subs->n > 1)
		qsort(subs->v, subs->n, sizeof(*subs->v), list_cmp_named);
	for (size_t i = 0; i < subs->n; i++) {
		if (n > 0 && strcmp(subs->v[n - 1].name, subs->v[i].name) == 0)
			free(subs->v[i].name);
		else
			subs->v[n++] = subs->v[i];
	}
	subs->n = n;
}

/* The position of the first top that may lie below the directory at path: it, and all that follow as long as they begin with path. */
static size_t
list_first_top(const struct list *b, const char *path)
{
	size_t at;

	ORDER_FIRST(at, b->tops.n, strcmp(b->tops.v[at].name, path) <= 0);
	return at;
}

/* Tops below the directory at path do not hang on it: add what of it leads to them, or is one. */
static void
list_add_tops(const struct list *b, const char *path, struct list_subs *subs)
{
	for (size_t i = list_first_top(b, path); i < b->tops.n && strncmp(b->tops.v[i].name, path, strlen(path)) == 0; i++) {
		const char *rest = path_below(b->tops.v[i].name, path), *name;
		size_t len;

		if (rest != NULL && path_next(&rest, &name, &len))
			vec_push(subs, ((struct list_sub){ *rest == '\0' ? b->tops.v[i].id : 0, mem_dup(name, len) }));
	}
}

static int
list_load_subs(struct list *b, int64_t dir, struct list_subs *subs, struct err *err)
{
	struct stmt st = stmt_get(b->ix->db, SQL_DIR_CHILDREN, err);
	int ret;

	stmt_int(&st, ":parent", dir);
	while ((ret = stmt_step(&st)) == 1) {
		size_t len;
		const char *name = dirs_read_name(&st, 1, stmt_col_int(&st, 0), dir, &len, err);

		if (name == NULL) {
			stmt_done(&st);
			return -1;
		}
		vec_push(subs, ((struct list_sub){ stmt_col_int(&st, 0), mem_dup(name, len) }));
	}
	return ret;
}

/* Directories that are there and not in the index: one line each. */
static int
list_strange_dirs(struct list *b, struct list_dir *d, const struct list_subs *subs)
{
	struct buf path = { 0 };
	int ret = 0;

	for (size_t i = 0; ret == 0 && i < d->list.n; i++) {
		const struct fs_entry *e = &d->list.v[i];
		struct list_sub key = { 0, d->list.names + e->name };
		struct fs_stat st;
		int error;

		if ((e->type != FS_DIR && e->type != FS_UNKNOWN) ||
		    (subs->n > 0 && bsearch(&key, subs->v, subs->n, sizeof(*subs->v), list_cmp_sub) != NULL))
			continue;
		error = fs_stat_at(d->fd, key.name, &st) < 0 ? errno : 0;
		if (error == 0 ? !S_ISDIR(st.mode) : e->type != FS_DIR || fs_is_absent(error))
			continue;
		buf_cut(&path, 0);
		buf_adds(&path, d->path);
		path_append(&path, key.name, strlen(key.name));
		ret = error == 0 ? list_stranger(b, buf_str(&path), &st) : list_unreadable(b, buf_str(&path), true, error);
	}
	buf_release(&path);
	return ret;
}

/* Deliver a directory of the index that is not gone into. */
static int
list_subdir(struct list *b, int64_t id, const char *path, struct err *err)
{
	enum dir_state state = DIR_INDEXED;
	struct fs_stat st;

	if (fs_stat_path(path, &st) == 0)
		state = S_ISDIR(st.mode) ? DIR_INDEXED : DIR_GONE;
	else if (!fs_is_absent(errno))
		state = DIR_UNKNOWN;
	else if (presence_missing(&b->check, id, -1, path) == PRESENCE_GONE)
		state = DIR_GONE;
	b->met = true;
	if (stop_check(err) < 0)
		return -1;
	return b->q->dir(b->arg, path, state);
}

/* Deliver a directory that is not gone into: one that only leads to tops as these. */
static int
list_subdir_or_tops(struct list *b, int64_t id, const char *path, struct err *err)
{
	int ret = 0;

	if (id != 0)
		return list_subdir(b, id, path, err);
	for (size_t i = list_first_top(b, path); ret == 0 && i < b->tops.n && strncmp(b->tops.v[i].name, path, strlen(path)) == 0; i++) {
		if (path_is_below(b->tops.v[i].name, path))
			ret = list_subdir(b, b->tops.v[i].id, b->tops.v[i].name, err);
	}
	return ret;
}

static int list_tree(struct list *b, int64_t id, const char *path, int64_t level, struct err *err);

static int
list_subdirs(struct list *b, struct list_dir *d, int64_t level, struct err *err)
{
	const bool deeper = !b->q->gaps_only && (b->q->depth == 0 || level < b->q->depth);
	struct list_subs subs = { 0 };
	struct buf path = { 0 };
	int ret = d->id != 0 ? list_load_subs(b, d->id, &subs, err) : 0;

	list_add_tops(b, d->path, &subs);
	list_sort_subs(&subs);
	if (ret == 0 && d->fd >= 0)
		ret = list_strange_dirs(b, d, &subs);
	/* The descriptor and the listing are not needed further down, where there may be many levels. */
	if (d->fd >= 0)
		close(d->fd);
	d->fd = -1;
	fs_list_release(&d->list);
	for (size_t i = 0; ret == 0 && i < subs.n && (deeper || b->q->dir != NULL); i++) {
		buf_cut(&path, 0);
		buf_adds(&path, d->path);
		path_append(&path, subs.v[i].name, strlen(subs.v[i].name));
		ret = deeper ? list_tree(b, subs.v[i].id, buf_str(&path), level + 1, err) : list_subdir_or_tops(b, subs.v[i].id, buf_str(&path), err);
	}
	list_subs_release(&subs);
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

static int
list_tree(struct list *b, int64_t id, const char *path, int64_t level, struct err *err)
{
	struct list_dir d = { .id = id, .path = path };
	int error = 0, ret = 0;

	if (level > LIST_MAX_DEPTH)
		return err_set(err, ERR_BAD_INDEX, "index '%s' is damaged: a directory lies in itself", b->ix->path);
	d.fd = list_open(path, &d.list, &error);
	/* There may be more in it than the index knows. */
	if (error != 0 && !fs_is_absent(error))
		ret = list_unreadable(b, path, true, error);
	if (ret == 0)
		ret = list_files(b, &d, err);
	if (ret == 0)
		ret = list_subdirs(b, &d, level, err);
	if (d.fd >= 0)
		close(d.fd);
	fs_list_release(&d.list);
	return ret;
}

/*
 * Count what could not be judged at and below a directory.  Most directories hold just what the
 * index has, and need no closer look.
 */
static int
list_gaps(struct list *b, const char *path, struct err *err)
{
	const struct dirtree *t = b->q->dirs;
	const uint32_t top = dirtree_find(t, path);
	struct intact_others others = { 0 };
	struct buf at = { 0 };
	int ret = top != DIRTREE_NONE ? intact_compare(b->ix->db, t, top, &others, err) : 0;

	for (size_t i = 0; ret == 0 && i < others.n; i++) {
		buf_cut(&at, 0);
		dirtree_path(t, others.v[i], &at);
		ret = list_tree(b, dirtree_id(t, others.v[i]), buf_str(&at), 1, err);
	}
	vec_release(&others);
	buf_release(&at);
	return ret;
}

/* Get the row of the file at path.  Returns as file_get. */
static int
list_find_file(struct index *ix, const char *path, struct file_row *row, struct err *err)
{
	char *parent = mem_dup(path, path_parent_len(path));
	const char *name = path_base(path);
	int64_t dir;
	int ret = dirs_find(ix->db, parent, &dir, err);

	free(parent);
	return ret == 1 ? file_get(ix->db, dir, name, strlen(name), row, err) : ret;
}

/* The rule that leaves out all that lies at or below a path that the index does not have. */
static enum skip
list_outer(struct list *b, const char *path, const struct fs_stat *st)
{
	const struct root *root = roots_above(&b->check.roots, path);
	struct fs_stat top;
	enum gap gap;

	if (root != NULL && root->rules.one_fs && fs_stat_path(root->path, &top) == 0 && top.dev != st->dev)
		return SKIP_OTHER_FS;
	return S_ISDIR(st->mode) && list_is_elsewhere(b, path, st, &gap) ? SKIP_TWICE : SKIP_NO;
}

/* A path that neither the index nor the file system has. */
static int
list_missing(struct list *b, const char *path, struct err *err)
{
	if (b->q->missing == NULL)
		return err_set(err, ERR_NO_PATH, "'%s' does not exist", path);
	b->q->missing(b->arg, path);
	return 0;
}

/* A path that is no directory of the index: a file of it, or a stranger. */
static int
list_single(struct list *b, const char *path, struct err *err)
{
	enum presence kind;
	struct file_answer a;
	struct file_row row;
	struct fs_stat st;
	int ret = list_find_file(b->ix, path, &row, err);

	if (ret < 0)
		return -1;
	if (ret == 1) {
		if (presence_row(&b->check, &row, &kind, NULL, err) < 0)
			return -1;
		return list_row(b, &row, kind, path, err);
	}
	if (fs_stat_path(path, &st) < 0) {
		const int error = errno;

		return fs_is_absent(error) ? list_missing(b, path, err) : list_unreadable(b, path, false, error);
	}
	b->outer = list_outer(b, path, &st);
	if (S_ISDIR(st.mode))
		return list_tree(b, 0, path, 1, err);
	if (!b->q->look_up_stranger)
		return list_stranger(b, path, &st);
	if (state_of_stranger(&b->copies, path, &a, err) < 0)
		return -1;
	list_gap(b, list_gap_of(&a, PRESENCE_HERE), path, false, a.why != NULL ? a.why : state_name(a.state));
	return list_deliver(b, &a);
}

/* Tops that lie below path without hanging on it: a root that was scanned by itself. */
static int
list_tops(struct index *ix, const char *path, int64_t known, struct list_subs *tops, struct err *err)
{
	struct stmt st = stmt_get(ix->db, SQL_DIR_TOPS, err);
	int ret;

	while ((ret = stmt_step(&st)) == 1) {
		size_t len;
		const char *name = dirs_read_name(&st, 1, stmt_col_int(&st, 0), 0, &len, err);

		if (name == NULL) {
			stmt_done(&st);
			return -1;
		}
		if (stmt_col_int(&st, 0) != known && path_is_below(name, path))
			vec_push(tops, ((struct list_sub){ stmt_col_int(&st, 0), mem_dup(name, len) }));
	}
	list_sort_subs(tops);
	return ret;
}

/* A directory of the index, or one that leads to tops, of which nothing was met: it is empty, offline, or not there. */
static int
list_nothing(struct list *b, int64_t id, const char *path, struct err *err)
{
	const struct file_answer a = { .path = path, .state = STATE_UNKNOWN, .why = "offline: as of the last scan",
	                               .size = -1, .allocated = -1 };
	struct fs_stat st;
	bool offline;

	if (fs_stat_path(path, &st) == 0 || !fs_is_absent(errno))
		return 0;
	offline = id != 0 && presence_missing(&b->check, id, -1, path) == PRESENCE_OFFLINE;
	for (size_t i = 0; i < b->tops.n; i++)
		offline |= presence_missing(&b->check, b->tops.v[i].id, -1, b->tops.v[i].name) == PRESENCE_OFFLINE;
	return offline ? list_strange(b, &a, GAP_OFFLINE, true) : list_missing(b, path, err);
}

static int
list_path(struct list *b, const char *path, struct err *err)
{
	struct fs_stat st;
	int64_t dir = 0;
	const int found = dirs_find(b->ix->db, path, &dir, err);
	/* A path that only leads to tops has none, whatever the search came to. */
	const int64_t id = found == 1 ? dir : 0;
	int ret = found < 0 ? -1 : list_tops(b->ix, path, id, &b->tops, err);
	const bool is_tree = found == 1 || b->tops.n > 0;
	struct file_row row;
	bool single;

	b->outer = SKIP_NO;
	b->met = false;
	/* A directory of the index may be a file now, or may have been one at a scan since. */
	single = !is_tree || (fs_stat_path(path, &st) == 0 && !S_ISDIR(st.mode));
	if (ret == 0 && !single) {
		ret = list_find_file(b->ix, path, &row, err);
		single = ret == 1;
	}
	if (ret >= 0 && single)
		ret = list_single(b, path, err);
	if (ret == 0 && is_tree)
		ret = b->q->gaps_only ? list_gaps(b, path, err) : list_tree(b, id, path, 1, err);
	if (ret == 0 && is_tree && !b->met && !b->q->gaps_only)
		ret = list_nothing(b, id, path, err);
	list_subs_release(&b->tops);
	return ret;
}

int
list_each(struct index *ix, const char *const *paths, size_t n_paths, const struct list_query *q, list_fn *fn,
            void *arg, struct list_totals *totals, struct err *err)
{
	struct list b = { .ix = ix, .q = q, .paths = paths, .n_paths = n_paths, .fn = fn, .arg = arg, .totals = totals };
	int ret;

	b.copies.check = &b.check;
	b.copies.q = &q->copies;
	index_own_files(ix, &b.own);
	ret = presence_open(&b.check, ix, err);
	for (size_t i = 0; ret == 0 && i < n_paths; i++)
		ret = list_path(&b, paths[i], err);
	state_release(&b.copies);
	presence_release(&b.check);
	return ret;
}

int
list_knows(struct index *ix, const char *path, struct err *err)
{
	struct list_subs tops = { 0 };
	struct file_row row;
	int64_t dir = 0;
	int ret = dirs_find(ix->db, path, &dir, err);

	if (ret == 0)
		ret = list_find_file(ix, path, &row, err);
	if (ret == 0 && list_tops(ix, path, 0, &tops, err) == 0)
		ret = tops.n > 0;
	list_subs_release(&tops);
	return ret;
}
