/* SPDX-License-Identifier: MIT */
/*
 * One pass over the rows in the order of directories finds those of wanted contents, and threads
 * (query/stat_batch) look at their files meanwhile.  Another, of query/list, lists the
 * directories.
 *
 * A row is told from the names of its content by its directory, and by its inode if that has
 * several links.  Other names of one content in one directory are the same to every question, so
 * the rows take their places one after another: the places taken are the first of a range.
 *
 * Files without bytes in the directories are looked at as well: they may have some by now.
 *
 * Both passes may meet the same file that can't be looked at: gaps are told apart by their paths.
 */
#include "base/base.h"

#include "trees/stat_results.h"

#include "db/filter.h"
#include "db/stmt.h"
#include "index/file.h"
#include "index/index.h"
#include "index/presence.h"
#include "query/dirtree.h"
#include "query/list.h"
#include "query/stat_batch.h"
#include "sys/stop.h"
#include "trees/contents_map.h"

/* No content, or no name. */
#define STAT_RESULTS_NONE UINT32_MAX
/* In place of a name for stat_batch: a file without bytes. */
#define STAT_RESULTS_EMPTY SIZE_MAX

struct stat_results_load {
	struct stat_results *l;
	struct contents_map *m;
	struct index *ix;
	struct table by_hash;        /* of wanted contents; by inode, if they were not read */
	int64_t links;               /* wanted contents not read have these, or more; 0: all were */
	stat_results_note_fn *note;
	void *arg;
	uint8_t *taken;              /* a bit by name: a row has this place */
	bool *inside;                /* by directory: it lies in one of tops */
	struct presence_view check;
	struct stat_batch *looks;
	int64_t id;                  /* of the directory of the row before, and its number */
	uint32_t dir;
	struct buf parent;           /* of the gap before, and its number */
	uint32_t parent_dir;
	struct err *err;
};

/* The wanted content that was read and is this, or STAT_RESULTS_NONE. */
static uint32_t
stat_results_content(const struct stat_results_load *w, int64_t size, const uint8_t *hash)
{
	TABLE_EACH(i, &w->by_hash, content_key(hash)) {
		if (w->m->v[i].has_hash && w->m->v[i].size == size && memcmp(w->m->v[i].hash, hash, HASH_SIZE) == 0)
			return (uint32_t)i;
	}
	return STAT_RESULTS_NONE;
}

/* The same of one that was not read, and has no other links. */
static uint32_t
stat_results_unread(const struct stat_results_load *w, const struct file_row *row)
{
	TABLE_EACH(i, &w->by_hash, inode_hash(row->inode)) {
		const struct contents_map_content *c = &w->m->v[i];

		if (!c->has_hash && c->size == row->size && c->volume == (uint32_t)row->inode.volume &&
		    memcmp(c->hash, &row->inode.number, sizeof(row->inode.number)) == 0)
			return (uint32_t)i;
	}
	return STAT_RESULTS_NONE;
}

/* filter_fn */
static bool
stat_results_wants(void *arg, int64_t size, const void *hash, size_t len)
{
	return len == HASH_SIZE && stat_results_content(arg, size, hash) != STAT_RESULTS_NONE;
}

/* Compare a name with those in dir of the inode of a link, or of inodes that are not linked. */
static int
stat_results_cmp_name(const struct contents_map_name *n, uint32_t dir, const struct content_walk_link *link)
{
	ORDER_CMP(n->dir, dir);
	ORDER_CMP(n->linked, link != NULL);
	if (link != NULL)
		ORDER_CMP(n->copy, link->copy);
	return 0;
}

/*
 * Take the place of a row among the names of its content.  Returns its position, or
 * STAT_RESULTS_NONE.
 */
static uint32_t
stat_results_take(struct stat_results_load *w, const struct contents_map_content *c, const struct content_walk_link *link)
{
	const struct contents_map_name *names = w->m->names + c->first;
	uint32_t first, at;

	ORDER_FIRST(first, c->n, stat_results_cmp_name(&names[first], w->dir, link) < 0);
	/* Of those behind it: the first that belongs to others, or is free. */
	ORDER_FIRST(at, c->n - first, stat_results_cmp_name(&names[first + at], w->dir, link) == 0 && bits_has(w->taken, c->first + first + at));
	at += first;
	if (at == c->n || stat_results_cmp_name(&names[at], w->dir, link) != 0)
		return STAT_RESULTS_NONE;
	bits_set(w->taken, c->first + at, true);
	return c->first + at;
}

/* A gap, with texts of its own. */
static struct stat_results_gap
stat_results_make_gap(struct stat_results_load *w, uint32_t dir, enum gap gap, bool is_dir, const char *path, const char *why)
{
	struct arena *texts = &w->l->texts;

	return (struct stat_results_gap){ dir, gap, is_dir, arena_dup(texts, path, strlen(path)), arena_dup(texts, why, strlen(why)) };
}

/* stat_batch_fn: judge a name that is not there as its row says. */
static int
stat_results_differs(void *arg, size_t n, const struct file_row *row, struct err *err)
{
	static const enum gap gaps[PRESENCE_COUNT] = {
		[PRESENCE_CHANGED] = GAP_CHANGED, [PRESENCE_OFFLINE] = GAP_OFFLINE, [PRESENCE_UNREADABLE] = GAP_UNREADABLE,
	};
	struct stat_results_load *w = arg;
	struct stat_results_gap gap;
	uint32_t dir;
	enum presence presence;
	const char *path;

	if (presence_row(&w->check, row, &presence, &path, err) < 0)
		return -1;
	if (n != STAT_RESULTS_EMPTY) {
		bits_set(w->l->here, n, presence == PRESENCE_HERE);
		bits_set(w->l->unseen, n, gaps[presence] != GAP_NONE);
		bits_set(w->l->offline, n, presence == PRESENCE_OFFLINE);
		/* Another ctime than the row's, if its root allows that: perhaps other links. */
		w->m->names[n].outside = 0;
	}
	dir = n != STAT_RESULTS_EMPTY ? w->m->names[n].dir : dirtree_by_id(w->m->dirs, row->dir);
	if (gaps[presence] == GAP_NONE)
		return 0;
	gap = stat_results_make_gap(w, dir, gaps[presence], false, path, presence == PRESENCE_CHANGED ? state_name(STATE_CHANGED) :
	                     presence == PRESENCE_OFFLINE ? drawer_say(&w->check.ix->drawer, row->inode.volume, DRAWER_OFFLINE) : strerror(w->check.error));
	if (w->inside[dir])
		vec_push(&w->l->gaps, gap);
	else
		vec_push(&w->l->copies, ((struct stat_results_copy){ n, false, gap }));
	return 0;
}

/* The number of the directory that a row is in. */
static uint32_t
stat_results_dir(struct stat_results_load *w, const struct file_row *row)
{
	if (row->dir != w->id || w->dir == DIRTREE_NONE) {
		w->id = row->dir;
		w->dir = dirtree_by_id(w->m->dirs, row->dir);
	}
	return w->dir;
}

/* Have the file of a row looked at. */
static int
stat_results_add(struct stat_results_load *w, size_t name, const struct file_row *row)
{
	const struct dirs_prefix *prefix = dirs_prefix(&w->check.dirs, row->dir, w->err);

	return prefix == NULL || presence_rely(&w->check, row, w->err) < 0 ? -1 : stat_batch_add(w->looks, name, row, prefix, w->err);
}

/* The same, if it is a name of a wanted content. */
static int
stat_results_row(struct stat_results_load *w, const struct file_row *row)
{
	/* Of rows of different scans one may know no other link. */
	const struct content_walk_link *link = row->nlink > 1 || w->m->overtaken ? content_walk_links_find(&w->m->links, row->inode, row->size) : NULL;
	const uint32_t content = row->has_hash ? stat_results_content(w, row->size, row->hash) :
	                         link != NULL ? link->content : stat_results_unread(w, row);
	const char *path;
	uint32_t name;

	if (content == STAT_RESULTS_NONE || stat_results_dir(w, row) == DIRTREE_NONE)
		return 0;
	name = w->l->wanted[content] ? stat_results_take(w, &w->m->v[content], link) : STAT_RESULTS_NONE;
	if (name == STAT_RESULTS_NONE) {
		/* It has no place in the map, or another content: nobody knows what it holds. */
		if (!w->inside[w->dir] || dirtree_excluded(w->m->dirs, w->dir) || row->size < w->l->min_size)
			return 0;
		if (presence_path(&w->check, row, &path, w->err) < 0)
			return -1;
		vec_push(&w->l->gaps, stat_results_make_gap(w, w->dir, GAP_UNPROVEN, false, path, "its parts are from different scans: scan all of it"));
		return 0;
	}
	bits_set(w->l->here, name, true);
	if (w->note != NULL)
		w->note(w->arg, content, name, row);
	return stat_results_add(w, name, row);
}

/* Have the files of all rows of a statement looked at. */
static int
stat_results_rows(struct stat_results_load *w, enum sql_id id)
{
	struct stmt st = stmt_get(w->ix->db, id, w->err);
	int ret;

	if (id == SQL_FILE_UNREAD)
		stmt_int(&st, ":links", w->links);
	while ((ret = stmt_step(&st)) == 1) {
		struct file_row row;

		ret = file_read_stat(&st, &row, w->err);
		row.has_hash = id == SQL_FILE_WANTED;
		if (ret == 0 && row.has_hash)
			ret = file_read_hash(&st, COL_FILE_STAT_COUNT, row.hash, w->err);
		if (ret == 0 && row.size > 0)
			ret = stat_results_row(w, &row);
		else if (ret == 0 && stat_results_dir(w, &row) != DIRTREE_NONE && w->inside[w->dir])
			ret = stat_results_add(w, STAT_RESULTS_EMPTY, &row);
		if (ret == 0)
			ret = stop_check(w->err);
		if (ret < 0)
			break;
	}
	stmt_done(&st);
	return ret;
}

/* Look at the names of all wanted contents. */
static int
stat_results_names(struct stat_results_load *w)
{
	int ret = dirs_load(&w->check.dirs, w->err);

	w->looks = stat_batch_new(stat_results_differs, w);
	filter_set(w->ix->db, stat_results_wants, w);
	if (ret == 0)
		ret = stat_results_rows(w, SQL_FILE_WANTED);
	filter_set(w->ix->db, NULL, NULL);
	if (ret == 0 && w->links > 0)
		ret = stat_results_rows(w, SQL_FILE_UNREAD);
	if (ret == 0)
		ret = stat_results_rows(w, SQL_FILE_EMPTY);
	if (ret == 0)
		ret = stat_batch_finish(w->looks, w->err);
	stat_batch_free(w->looks);
	return ret;
}

/* list_gap_fn: a directory that can't be listed counts as lying in itself. */
static void
stat_results_gap(void *arg, const char *path, enum gap gap, bool dir, const char *why)
{
	struct stat_results_load *w = arg;
	const size_t len = path_parent_len(path);
	uint32_t at;

	if (dir)
		at = dirtree_nearest(w->m->dirs, path);
	else {
		if (w->parent_dir == DIRTREE_NONE || len != w->parent.len || memcmp(path, w->parent.data, len) != 0) {
			buf_cut(&w->parent, 0);
			buf_add(&w->parent, path, len);
			w->parent_dir = dirtree_nearest(w->m->dirs, buf_str(&w->parent));
		}
		at = w->parent_dir;
	}
	vec_push(&w->l->gaps, stat_results_make_gap(w, at, gap, dir, path, why));
}

static int
stat_results_cmp_gap(const void *a, const void *b)
{
	const struct stat_results_gap *x = a, *y = b;
	int cmp;

	ORDER_CMP(x->dir, y->dir);
	cmp = strcmp(x->path, y->path);
	return cmp != 0 ? cmp : (x->gap > y->gap) - (x->gap < y->gap);
}

static int
stat_results_cmp_copy(const void *a, const void *b)
{
	const struct stat_results_copy *x = a, *y = b;

	ORDER_CMP(x->name, y->name);
	return 0;
}

/* Sort the copies and the gaps; of gaps of one path keep the first. */
static void
stat_results_sort(struct stat_results *l)
{
	size_t n = 0;

	if (l->copies.n > 1)
		qsort(l->copies.v, l->copies.n, sizeof(*l->copies.v), stat_results_cmp_copy);
	if (l->gaps.n > 1)
		qsort(l->gaps.v, l->gaps.n, sizeof(*l->gaps.v), stat_results_cmp_gap);
	for (size_t i = 0; i < l->gaps.n; i++) {
		const struct stat_results_gap *g = &l->gaps.v[i], *before = &l->gaps.v[n > 0 ? n - 1 : 0];

		if (n == 0 || g->dir != before->dir || strcmp(g->path, before->path) != 0)
			l->gaps.v[n++] = *g;
	}
	l->gaps.n = n;
}

/* Index a wanted content by what its rows have. */
static void
stat_results_index(struct stat_results_load *w, size_t i)
{
	const struct contents_map_content *c = &w->m->v[i];
	struct inode inode = { c->volume, 0 };

	/* Rows of different scans may know one link only. */
	if (c->late || (!c->has_hash && w->m->names[c->first].linked))
		w->links = w->links == 1 || w->m->overtaken ? 1 : 2;
	if (c->has_hash) {
		table_add(&w->by_hash, content_key(c->hash), i);
	} else if (!w->m->names[c->first].linked) {
		memcpy(&inode.number, c->hash, sizeof(inode.number));
		table_add(&w->by_hash, inode_hash(inode), i);
		w->links = 1;
	}
}

/* Make gaps of what lies beside the tops in the directories above them. */
static int
stat_results_above(struct stat_results_load *w, const uint32_t *tops, size_t n)
{
	VEC(const char *) paths = { 0 };
	struct buf path = { 0 };
	int ret = 0;

	for (size_t i = 0; w->l->n_above > 0 && i < n; i++) {
		buf_cut(&path, 0);
		dirtree_path(w->m->dirs, tops[i], &path);
		vec_push(&paths, arena_dup(&w->l->texts, path.data, path.len));
	}
	for (size_t i = 0; ret == 0 && i < w->l->n_above; i++)
		ret = list_outside_of(w->ix, w->m->dirs, w->l->above[i], paths.v, paths.n, stat_results_gap, w, w->err);
	vec_release(&paths);
	buf_release(&path);
	return ret;
}

int64_t
stat_results_want(struct stat_results *l, const struct contents_map *m, const bool *inside, int64_t min_size)
{
	int64_t n = 0;

	l->min_size = min_size;
	l->wanted = mem_zalloc(m->n + 1, sizeof(*l->wanted));
	for (size_t i = 0; i < m->n; i++) {
		const struct contents_map_content *c = &m->v[i];

		for (uint32_t at = c->first; c->size >= min_size && at < c->first + c->n && !l->wanted[i]; at++)
			l->wanted[i] = inside[m->names[at].dir];
		n += l->wanted[i] ? c->n : 0;
	}
	return n;
}

int
stat_results_load(struct stat_results *l, struct contents_map *m, struct index *ix, const uint32_t *tops, size_t n,
                  stat_results_note_fn *note, void *arg, struct err *err)
{
	struct stat_results_load w = { .l = l, .m = m, .ix = ix, .dir = DIRTREE_NONE, .parent_dir = DIRTREE_NONE,
	                               .note = note, .arg = arg, .err = err };
	int ret;

	l->here = bits_new(m->n_names);
	l->unseen = bits_new(m->n_names);
	l->offline = bits_new(m->n_names);
	w.taken = bits_new(m->n_names);
	w.inside = mem_zalloc(dirtree_count(m->dirs), sizeof(*w.inside));
	for (size_t i = 0; i < n; i++)
		memset(w.inside + tops[i], true, dirtree_end(m->dirs, tops[i]) - tops[i]);
	for (size_t i = 0; i < m->n; i++) {
		if (l->wanted[i])
			stat_results_index(&w, i);
	}
	ret = presence_open(&w.check, ix, err);
	if (ret == 0)
		ret = stat_results_names(&w);
	if (ret == 0)
		ret = list_gaps_of_dirs(ix, m->dirs, tops, n, LIST_ROWS_BY_NAME, stat_results_gap, &w, err);
	if (ret == 0)
		ret = stat_results_above(&w, tops, n);
	stat_results_sort(l);
	presence_release(&w.check);
	table_release(&w.by_hash);
	buf_release(&w.parent);
	free(w.taken);
	free(w.inside);
	return ret;
}

void
stat_results_tell_copy(struct stat_results *l, size_t name, stat_results_gap_fn *fn, void *arg, struct gaps *gaps)
{
	size_t at;

	ORDER_FIRST(at, l->copies.n, l->copies.v[at].name < name);
	if (at == l->copies.n || l->copies.v[at].name != name || l->copies.v[at].told)
		return;
	l->copies.v[at].told = true;
	gaps_count(gaps, l->copies.v[at].gap.gap, false);
	fn(arg, &l->copies.v[at].gap);
}

size_t
stat_results_gap_at(const struct stat_results *l, uint32_t dir)
{
	size_t at;

	ORDER_FIRST(at, l->gaps.n, l->gaps.v[at].dir < dir);
	return at;
}

void
stat_results_release(struct stat_results *l)
{
	free(l->wanted);
	free(l->here);
	free(l->unseen);
	free(l->offline);
	vec_release(&l->gaps);
	vec_release(&l->copies);
	arena_release(&l->texts);
}
