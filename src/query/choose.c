/* SPDX-License-Identifier: MIT */
/*
 * Files are added, sorted by content, and each content's names are loaded: all contents by one
 * pass over the rows where they are many, else one content after the other.
 *
 * struct choose_file  a file that was added
 * struct choose_range the files of one content
 * struct choose_pass  the names of all contents, from one pass
 * struct choose_name  a name of the content in hand
 *
 * All in the calling thread, but for the looks at the files of a pass (stat_batch).
 */
#include "base/base.h"

#include "query/choose.h"

#include <fcntl.h>
#include <time.h>

#include "db/filter.h"
#include "db/stmt.h"
#include "index/index.h"
#include "index/journal.h"
#include "index/marks.h"
#include "index/names.h"
#include "query/stat_batch.h"
#include "sys/content.h"
#include "sys/stop.h"

/* Rows whose contents are read in the time that finding the copies of one file takes. */
#define CHOOSE_ROWS 32

/* The files of one content, n from the first on. */
struct choose_range {
	struct choose_file *first;
	size_t n;
};

/* filter_fn */
static bool
choose_pass_wants(void *arg, int64_t size, const void *hash, size_t len)
{
	const struct choose_pass *p = arg;

	return len == HASH_SIZE && sets_groups_find(&p->contents, size, hash) != NULL;
}

/* stat_batch_fn: look again at what differs from its row, which its root's options may allow. */
static int
choose_pass_differs(void *arg, size_t n, const struct file_row *row, struct err *err)
{
	struct choose_pass *p = arg;

	(void)row;
	return presence_row(p->view, &p->v.v[n].row, &p->v.v[n].presence, NULL, err);
}

/* Take a row, and have its file looked at. */
static int
choose_pass_row(struct choose_pass *p, const struct stmt *st, struct stat_batch *looks, struct err *err)
{
	struct choose_passed *name = vec_add(&p->v);
	const struct dirs_prefix *dir;
	struct sets_group *g;

	*name = (struct choose_passed){ .presence = PRESENCE_HERE };
	if (file_read(st, &name->row, err) < 0)
		return -1;
	name->row.name = arena_str(&p->names, name->row.name);
	g = sets_groups_find(&p->contents, name->row.size, name->row.hash);
	name->content = (uint32_t)(g - p->contents.v);
	g->n++;
	dir = dirs_prefix(&p->view->dirs, name->row.dir, err);
	if (dir == NULL || stat_batch_add(looks, p->v.n - 1, &name->row, dir, err) < 0)
		return -1;
	return stop_check(err);
}

static int
choose_pass_rows(struct choose_pass *p, struct stat_batch *looks, struct err *err)
{
	struct db *db = p->view->ix->db;
	struct stmt st = stmt_get(db, SQL_FILE_WANTED_WHOLE, err);
	int ret;

	filter_set(db, choose_pass_wants, p);
	while ((ret = stmt_step(&st)) == 1) {
		if (choose_pass_row(p, &st, looks, err) < 0) {
			ret = -1;
			break;
		}
	}
	stmt_done(&st);
	filter_set(db, NULL, NULL);
	return ret;
}

/*
 * Load the names of all contents, if that costs less than to look each of them up; view looks at
 * those of which it is not plain that they have their signatures.  Returns 1, 0: there are too few,
 * nothing was loaded; or -1.
 */
static int
choose_pass_load(struct choose_pass *p, struct presence_view *view, struct err *err)
{
	struct stat_batch *looks;
	int ret;

	assert(p->v.n == 0);
	if (!sets_groups_pass_pays((int64_t)p->contents.n, journal_files(view->ix)))
		return 0;
	p->view = view;
	sets_groups_index(&p->contents);
	if (dirs_load(&view->dirs, err) < 0)
		return -1;
	looks = stat_batch_new(choose_pass_differs, p);
	ret = choose_pass_rows(p, looks, err);
	if (ret == 0)
		ret = stat_batch_finish(looks, err);
	stat_batch_free(looks);
	if (ret < 0)
		return -1;
	/* Put the names of each content together. */
	sets_groups_place(&p->contents);
	for (size_t i = 0; i < p->v.n; i++)
		vec_push(&p->order, 0);
	for (size_t i = 0; i < p->v.n; i++) {
		struct sets_group *g = &p->contents.v[p->v.v[i].content];

		p->order.v[g->first + g->n++] = (uint32_t)i;
	}
	return 1;
}

int
choose_open(struct choose *k, const char *const *paths, size_t n, struct err *err)
{
	for (size_t i = 0; i < n; i++)
		pathset_add(&k->named, paths[i], i);
	pathset_sort(&k->named);
	k->marks.ix = k->ix;
	if (presence_open(&k->view, k->ix, err) < 0)
		return -1;
	return k->marking || k->untried ? alias_volumes_load(&k->views, k->ix, NULL, err) : 0;
}

void
choose_release(struct choose *k)
{
	pathset_release(&k->named);
	vec_release(&k->entries);
	vec_release(&k->order);
	presence_release(&k->view);
	sets_groups_release(&k->pass.contents);
	vec_release(&k->pass.v);
	vec_release(&k->pass.order);
	arena_release(&k->pass.names);
	marks_release(&k->marks);
	alias_volumes_release(&k->views);
	sets_groups_release(&k->several);
	vec_release(&k->files);
	arena_release(&k->paths);
	arena_release(&k->memory);
}

/* A call of choose_list. */
struct choose_listing {
	struct choose *k;
	list_fn *fn;
	void *arg;
	struct err *err;
};

bool
choose_are_many(struct choose *k, int64_t n)
{
	if (k->n_indexed == 0)
		k->n_indexed = journal_files(k->ix);
	return n >= k->n_indexed / CHOOSE_ROWS;
}

/* state_query.several */
static bool
choose_has_several(void *arg, int64_t size, const uint8_t *hash)
{
	const struct choose *k = arg;

	return k->many && sets_groups_find(&k->several, size, hash) != NULL;
}

/* list_fn: once the files are many, load all contents with several names. */
static int
choose_listed(void *arg, const struct file_answer *a)
{
	const struct choose_listing *l = arg;
	struct choose *k = l->k;

	k->n_met++;
	if (!k->many && choose_are_many(k, k->n_met)) {
		if (sets_groups_load(&k->several, k->ix->db, 1, l->err) < 0)
			return -1;
		sets_groups_index(&k->several);
		k->many = true;
	}
	return l->fn(l->arg, a);
}

int
choose_list(struct choose *k, const char *const *paths, size_t n, list_fn *fn, list_gap_fn *gap, void *arg,
            struct list_totals *totals, struct err *err)
{
	struct choose_listing listing = { k, fn, arg, err };
	const struct list_query q = { .copies = { .in = k->keep->in, .n_in = k->keep->n_in, .any_copy = true,
	                                          .several = k->keep->n_in == 0 ? choose_has_several : NULL, .several_arg = k },
	                              .gap = gap, .gap_arg = arg };

	return list_each(k->ix, paths, n, &q, choose_listed, &listing, totals, err);
}

bool
choose_may_go(const struct file_answer *a)
{
	return a->hash != NULL && a->why == NULL && (a->state == STATE_DUP || a->state == STATE_UNKNOWN);
}

void
choose_add(struct choose *k, const struct choose_item *item)
{
	struct choose_file *f = vec_add(&k->files);

	assert(item->decision == MARK_KEEP || item->hash != NULL);
	*f = (struct choose_file){ .m = { .path = arena_str(&k->memory, item->path), .decision = item->decision, .size = item->size,
	                                  .mtime_ns = fs_time_key(item->mtime), .has_hash = item->hash != NULL,
	                                  .made = (int64_t)time(NULL) } };
	if (item->hash != NULL)
		memcpy(f->m.hash, item->hash, HASH_SIZE);
}

/* Read a racy file again: whether it still has its content, unchanged behind equal times. */
static bool
choose_still(struct choose *k, const struct file_row *row, const char *path)
{
	struct content_result res;
	struct fs_stat st;

	content_read(k->reader, AT_FDCWD, path, CONTENT_FULL, &st, &res);
	return res.error == 0 && memcmp(res.hash, row->hash, HASH_SIZE) == 0 && presence_same(&k->view, row, path, &st);
}

/* The decision about a name. */
static int
choose_decision(const struct choose *k, const struct file_row *row, const char *path, enum mark_decision *decision, struct err *err)
{
	struct mark m;
	const int ret = marks_get(&k->marks, row->hash, path, &m, err);

	*decision = ret == 1 && mark_fits(&m, row->size, fs_time_key(row->mtime), row->hash) ? m.decision : MARK_NONE;
	return ret < 0 ? -1 : 0;
}

/* Add a name of the content, whose presence is known, if it is there with its signature. */
static int
choose_add_name(struct choose *k, const struct file_row *row, enum presence presence, struct err *err)
{
	const struct dirs_prefix *prefix;
	const struct root *root;
	enum mark_decision decision;
	struct choose_name *e;
	const char *path;

	if (presence_path(&k->view, row, &path, err) < 0)
		return -1;
	if (presence == PRESENCE_OFFLINE || presence == PRESENCE_UNREADABLE) {
		if (choose_decision(k, row, path, &decision, err) < 0)
			return -1;
		k->unseen = true;
		k->n_kept_unseen += decision == MARK_KEEP;
		return 0;
	}
	if (presence != PRESENCE_HERE)
		return 0;
	path = arena_str(&k->paths, path);
	if (row->racy && k->reader != NULL && !choose_still(k, row, path))
		return 0;
	root = roots_of_file(&k->view.roots, path);
	prefix = dirs_prefix(&k->view.dirs, row->dir, err);
	if (prefix == NULL)
		return -1;
	e = vec_add(&k->entries);
	*e = (struct choose_name){ .row = *row, .trust_mtime = root != NULL && root->rules.trust_mtime };
	e->row.name = path_base(path);
	e->name.inode = row->inode;
	e->name.fleeting = prefix->fleeting;
	e->name.facts = (struct keep_facts){ .path = path, .mtime = row->mtime, .nlink = row->nlink };
	if (choose_decision(k, &e->row, path, &e->name.mark, err) < 0)
		return -1;
	if (e->name.mark == MARK_DROP && k->marking)
		e->name.standing = KEEP_IGNORED;
	if (e->name.mark == MARK_KEEP && !k->force)
		e->name.wish = KEEP_PINNED;
	keep_place(k->keep, &k->named, &k->ix->backups, root, &e->name);
	return 0;
}

static int
choose_cmp(const void *a, const void *b)
{
	return strcmp(((const struct choose_name *)a)->name.facts.path, ((const struct choose_name *)b)->name.facts.path);
}

/* Load the names of a content one by one, and look at each. */
static int
choose_look_up(struct choose *k, int64_t size, const uint8_t *hash, struct err *err)
{
	struct names names = names_of_content(k->ix->db, size, hash, err);
	enum presence presence;
	struct file_row row;
	int ret;

	while ((ret = names_next(&names, &row)) == 1) {
		if (presence_row(&k->view, &row, &presence, NULL, err) < 0 || choose_add_name(k, &row, presence, err) < 0 ||
		    stop_check(err) < 0) {
			names_end(&names);
			return -1;
		}
	}
	return ret;
}

/* Load the names of a content; none is to go.  Returns 0 or -1. */
static int
choose_load(struct choose *k, int64_t size, const uint8_t *hash, struct err *err)
{
	const struct sets_group *g = k->pass.view != NULL ? sets_groups_find(&k->pass.contents, size, hash) : NULL;
	int ret = 0;

	k->entries.n = k->order.n = 0;
	k->n_stay = k->n_kept_unseen = 0;
	k->unseen = false;
	arena_clear(&k->paths);
	if (g == NULL)
		ret = choose_look_up(k, size, hash, err);
	for (uint32_t i = 0; g != NULL && ret == 0 && i < g->n; i++) {
		const struct choose_passed *name = &k->pass.v.v[k->pass.order.v[g->first + i]];

		ret = choose_add_name(k, &name->row, name->presence, err);
	}
	if (k->entries.n > 1)
		qsort(k->entries.v, k->entries.n, sizeof(*k->entries.v), choose_cmp);
	return ret;
}

static int
choose_cmp_content(const struct mark *a, const struct mark *b)
{
	ORDER_CMP(a->size, b->size);
	return memcmp(a->hash, b->hash, HASH_SIZE);
}

/* By content, those to keep first, then by path. */
static int
choose_cmp_file(const void *a, const void *b)
{
	const struct mark *x = &((const struct choose_file *)a)->m, *y = &((const struct choose_file *)b)->m;
	const int cmp = choose_cmp_content(x, y);

	if (cmp != 0)
		return cmp;
	ORDER_CMP(x->decision != MARK_KEEP, y->decision != MARK_KEEP);
	return strcmp(x->path, y->path);
}

static int
choose_cmp_range(const void *a, const void *b)
{
	return strcmp(((const struct choose_range *)a)->first->m.path, ((const struct choose_range *)b)->first->m.path);
}

int
choose_each(struct choose *k, choose_fn *fn, void *arg, struct err *err)
{
	VEC(struct choose_range) ranges = { 0 };
	const bool loaded = k->pass.view != NULL;
	size_t n = 0;
	int ret = 0;

	if (!loaded)
		k->pass.contents.n = 0;
	if (k->files.n > 1)
		qsort(k->files.v, k->files.n, sizeof(*k->files.v), choose_cmp_file);
	for (size_t i = 0; i < k->files.n; i++) {
		struct choose_file *f = &k->files.v[n];

		/* An item may be the copy of several that are kept: it counts once. */
		if (n > 0 && choose_cmp_file(f - 1, &k->files.v[i]) == 0)
			continue;
		*f = k->files.v[i];
		if (n == 0 || choose_cmp_content(&f[-1].m, &f->m) != 0) {
			struct sets_group g = { .size = f->m.size };

			memcpy(g.hash, f->m.hash, HASH_SIZE);
			if (!loaded)
				vec_push(&k->pass.contents, g);
			vec_push(&ranges, ((struct choose_range){ .first = f }));
		}
		ranges.v[ranges.n - 1].n++;
		n++;
	}
	k->files.n = n;
	if (!loaded)
		ret = choose_pass_load(&k->pass, &k->view, err);
	if (ret == 1)
		ret = marks_load(&k->marks, err);
	/* Neighbours then lie in the same directories. */
	if (ranges.n > 1)
		qsort(ranges.v, ranges.n, sizeof(*ranges.v), choose_cmp_range);
	for (size_t i = 0; ret == 0 && i < ranges.n; i++) {
		ret = choose_load(k, ranges.v[i].first->m.size, ranges.v[i].first->m.hash, err);
		if (ret == 0)
			ret = fn(arg, ranges.v[i].first, ranges.v[i].n, err);
	}
	vec_release(&ranges);
	return ret;
}

bool
choose_are_one(const struct choose *k)
{
	for (size_t i = 1; i < k->entries.n; i++) {
		if (!inode_same(k->entries.v[i].row.inode, k->entries.v[0].row.inode))
			return false;
	}
	return true;
}

struct choose_name *
choose_find(const struct choose *k, const char *path)
{
	size_t at;

	ORDER_FIRST(at, k->entries.n, strcmp(k->entries.v[at].name.facts.path, path) < 0);
	return at < k->entries.n && strcmp(k->entries.v[at].name.facts.path, path) == 0 ? &k->entries.v[at] : NULL;
}

void
choose_ask(struct choose_name *e)
{
	if (!keep_may_ask(&e->name))
		return;
	e->name.wish = KEEP_ASKED;
	e->asked = true;
}

void
choose_kept(const struct choose *k, struct choose_name *e)
{
	e->name.mark = MARK_KEEP;
	e->name.standing = KEEP_COUNTS;
	e->name.wish = k->force ? KEEP_NOT_ASKED : KEEP_PINNED;
	keep_place(k->keep, &k->named, &k->ix->backups, roots_of_file(&k->view.roots, e->name.facts.path), &e->name);
}

int64_t
choose_promised(const struct choose *k, int64_t size, const uint8_t *hash)
{
	VEC(struct keep_name *) kept = { 0 };
	const struct mark *m;
	size_t step = 0;
	int64_t n = -k->n_kept_unseen;

	while ((m = marks_next(&k->marks, size, hash, &step)) != NULL)
		n += m->decision == MARK_KEEP && choose_find(k, m->path) == NULL;
	for (size_t i = 0; i < k->entries.n; i++) {
		if (k->entries.v[i].name.mark == MARK_KEEP)
			vec_push(&kept, &k->entries.v[i].name);
	}
	n += keep_count_inodes(kept.v, kept.n);
	vec_release(&kept);
	return n;
}

/* Names that may be another's file, by another inode: they count for nothing, and stay. */
static void
choose_judge_views(struct choose *k)
{
	VEC(struct alias_volumes_file) files = { 0 };
	bool *viewed = mem_alloc(k->entries.n * sizeof(*viewed) + 1);

	for (size_t i = 0; i < k->entries.n; i++)
		vec_push(&files, ((struct alias_volumes_file){ k->entries.v[i].row.inode, k->entries.v[i].row.mtime }));
	alias_volumes_judge(&k->views, files.v, files.n, viewed);
	for (size_t i = 0; i < k->entries.n; i++) {
		struct keep_name *n = &k->entries.v[i].name;

		if (!viewed[i])
			continue;
		n->standing = KEEP_ALIAS;
		if (n->wish == KEEP_ASKED)
			n->wish = KEEP_NOT_ASKED;
	}
	free(viewed);
	vec_release(&files);
}

void
choose_fates(struct choose *k)
{
	if (alias_volumes_any(&k->views))
		choose_judge_views(k);
	k->order.n = 0;
	for (size_t i = 0; i < k->entries.n; i++)
		vec_push(&k->order, &k->entries.v[i].name);
	keep_choose(k->keep, k->order.v, k->order.n);
	k->n_stay = keep_count(k->order.v, k->order.n);
}
