/* SPDX-License-Identifier: MIT */
/*
 * Both trees are in memory, directory by directory in the order of paths, so paths are compared by
 * walking both at once; contents, by a table of each tree.
 *
 *  1. pairs_load_sides   files with hash, head and inode, each looked at; what else is there
 *  2. pairs_resolve      links of read files that were not read themselves get the hash
 *  3. pairs_settle       sides of two indexes: what neither proves is read
 *  4. pairs_match_paths  the same path: the same, different, or unsure
 *  5. pairs_match_rest   what remains: moved, only there, or unsure
 *  6. pairs_match_moved  each moved file gets a partner, of the same name if there is one
 *
 * What tells contents apart: the hash of those that were read; the inode of others, which are
 * proven to differ from all other inodes of their size unless something could not be read
 * (tree_files_maybe).  A file that has changed, or can't be read, is unsure, and so is
 * what has its path.  All in the calling thread, but for the looks (query/stat_batch,
 * query/dir_unchanged).
 */
#include "base/base.h"

#include "trees/pairs.h"

#include "archive/packed.h"
#include "index/file.h"
#include "index/fleeting.h"
#include "index/index.h"
#include "index/names.h"
#include "query/alias_volumes.h"
#include "query/dirtree.h"
#include "query/indexes.h"
#include "query/reread.h"
#include "sys/stop.h"
#include "trees/tree_files.h"

struct pairs {
	struct index *ix;
	const struct pairs_query *q;
	struct gaps *gaps;
	struct dirtree *dirs;    /* of this index, */
	struct dirtree *left_dirs, *right_dirs;   /* of another one; or NULL */
	const char *skip;        /* what lies below is not of the side being loaded; or NULL */
	struct tree_files left, right;
	struct alias_volumes views;
	struct pairs_totals totals;
};

/* list_gap_fn */
static void
pairs_gap(void *arg, const char *path, enum gap gap, bool dir, const char *why)
{
	struct pairs *p = arg;

	if (p->skip != NULL && path_is_below(path, p->skip))
		return;
	gaps_count(p->gaps, gap, dir);
	if (p->q->gap != NULL)
		p->q->gap(p->q->arg, path, gap, dir, why);
}

/*
 * Load one side, but for what is at and below the path of the other one, and count what is there
 * and not in its index, which is this one or another.
 */
static int
pairs_load_side(struct pairs *p, struct tree_files *s, const char *path, const char *other, const struct indexes_other *of, struct err *err)
{
	const bool left = s == &p->left, same = strcmp(path, other) == 0;
	struct index *ix = of != NULL ? of->ix : p->ix;
	struct dirtree **dirs = of == NULL ? &p->dirs : left ? &p->left_dirs : &p->right_dirs;

	p->skip = !same && path_is_below(other, path) ? other : NULL;
	if (*dirs == NULL && dirtree_load(dirs, ix->db, err) < 0)
		return -1;
	for (size_t i = 0; i < p->q->n_exclude; i++)
		dirtree_exclude(*dirs, p->q->exclude[i]);
	*s = (struct tree_files){ .dirs = *dirs, .path = path, .of = of, .exclude = p->q->exclude, .n_exclude = p->q->n_exclude, .but = p->skip,
	                    .timed = alias_volumes_any(&p->views), .gap = pairs_gap, .arg = p };
	if (tree_files_load(s, ix, err) < 0)
		return -1;
	/* What lies at a path of both is told of the left one; nothing lies beside members. */
	if ((same && !left) || ix->members)
		return 0;
	return list_outside_of(ix, *dirs, path, p->q->exclude, p->q->n_exclude, pairs_gap, p, err);
}

static int
pairs_load_sides(struct pairs *p, struct err *err)
{
	const struct pairs_query *q = p->q;

	if (pairs_load_side(p, &p->left, q->left, q->right, q->left_of, err) < 0 ||
	    pairs_load_side(p, &p->right, q->right, q->left, q->right_of, err) < 0)
		return -1;
	p->skip = NULL;
	if (p->left.is_file != p->right.is_file)
		return err_set(err, ERR_USAGE, "'%s' is a file, '%s' a directory%s", p->left.is_file ? q->left : q->right,
		               p->left.is_file ? q->right : q->left, packed_hint(p->left.is_file ? q->left : q->right));
	return 0;
}

/* Give a file the hash that a link of it has somewhere in the index.  Returns 0 or -1. */
static int
pairs_resolve_one(struct tree_files *s, struct tree_files_file *f, struct err *err)
{
	struct file_row self, row;
	struct names names;
	int ret = file_get(s->view.ix->db, dirtree_id(s->dirs, f->dir), f->name, strlen(f->name), &self, err);

	if (ret != 1)
		return ret;
	names = names_linked(s->view.ix->db, f->size, err);
	while ((ret = names_next(&names, &row)) == 1 && !file_linked(&self, &row))
		;
	if (ret == 1) {
		f->has_hash = true;
		memcpy(f->hash, row.hash, HASH_SIZE);
		names_end(&names);
	}
	return ret < 0 ? -1 : 0;
}

/*
 * A link that was made after its inode was read has no hash where no other file had its size then.
 * That matters where the other side has a hash of this size.
 */
static int
pairs_resolve(struct tree_files *s, const struct tree_files *other, struct err *err)
{
	struct table sizes = { 0 };
	bool any = false;
	int ret = 0;

	for (size_t i = 0; i < s->files.n && !any; i++)
		any = s->files.v[i].linked && !s->files.v[i].has_hash;
	for (size_t i = 0; any && i < other->files.n; i++) {
		if (other->files.v[i].has_hash)
			table_add(&sizes, table_hash((uint64_t)other->files.v[i].size, 0), i);
	}
	for (size_t i = 0; ret == 0 && any && i < s->files.n; i++) {
		struct tree_files_file *f = &s->files.v[i];
		size_t step = 0;

		if (f->linked && !f->has_hash && f->size > 0 && f->presence == PRESENCE_HERE && f->error == 0 &&
		    table_next(&sizes, table_hash((uint64_t)f->size, 0), &step) != TABLE_END)
			ret = pairs_resolve_one(s, f, err);
		if (ret == 0)
			ret = stop_check(err);
	}
	table_release(&sizes);
	return ret;
}

/* Leave out of both sides what is one file. */
static void
pairs_across_leave_out(struct tree_files *left, struct tree_files *right)
{
	struct table inodes = { 0 };

	table_reserve(&inodes, left->files.n);
	for (size_t i = 0; i < left->files.n; i++) {
		if (left->files.v[i].inode.volume > 0)
			table_add(&inodes, inode_hash(left->files.v[i].inode), i);
	}
	for (size_t i = 0; i < right->files.n; i++) {
		struct tree_files_file *g = &right->files.v[i];

		TABLE_EACH(at, &inodes, inode_hash(g->inode)) {
			struct tree_files_file *f = &left->files.v[at];
			const bool offline = f->presence == PRESENCE_OFFLINE || g->presence == PRESENCE_OFFLINE;
			/*
			 * Whether both rows are one name of one inode, by two ways: it has no other
			 * name, or what is offline by one path is here by another, or both are rows
			 * of one disk in the drawer.
			 */
			const bool is_one = inode_same(f->inode, g->inode) && tree_files_holds(f) && tree_files_holds(g) &&
			                    (offline || !f->linked || !g->linked);

			if (!is_one)
				continue;
			f->presence = g->presence = PRESENCE_EXCLUDED;
			tree_files_tell(right, g, (enum gap)SKIP_TWICE, skip_name(SKIP_TWICE));
			break;
		}
	}
	table_release(&inodes);
}

/* Forget all proofs: an index has them of its own files alone. */
static void
pairs_across_doubt(struct tree_files *s)
{
	for (size_t i = 0; i < s->files.n; i++)
		s->files.v[i].unproven = true;
}

/* Take as proven those files of a side that no file of the other may be like. */
static void
pairs_across_acquit(struct tree_files *s, const struct tree_files *other)
{
	for (size_t i = 0; i < s->files.n; i++) {
		struct tree_files_file *f = &s->files.v[i];

		f->unproven = !f->has_hash && f->size > 0 && tree_files_maybe(other, f);
	}
}

/* Read a file.  Returns 1, 0 if that can't be done, or -1. */
static int
pairs_across_read_file(struct tree_files *s, struct tree_files_file *f, struct reread *r, struct err *err)
{
	struct buf path = { 0 };
	struct file_row row;
	int ret = file_get(s->view.ix->db, dirtree_id(s->dirs, f->dir), f->name, strlen(f->name), &row, err);

	if (ret == 1) {
		row.inode = f->inode;
		tree_files_absolute(s, f, &path);
		ret = reread_row(r, &s->view, buf_str(&path), &row);
	}
	if (ret == 1) {
		f->has_hash = true;
		f->unproven = false;
		memcpy(f->hash, row.hash, HASH_SIZE);
	}
	buf_release(&path);
	return ret;
}

/* Read what is still unproven, as far as it is here. */
static int
pairs_across_read(struct tree_files *s, struct reread *r, struct err *err)
{
	int ret = 0;

	for (size_t i = 0; ret >= 0 && i < s->files.n; i++) {
		struct tree_files_file *f = &s->files.v[i];

		if (!f->unproven || f->error != 0 || f->presence != PRESENCE_HERE)
			continue;
		ret = pairs_across_read_file(s, f, r, err);
		if (ret >= 0 && stop_check(err) < 0)
			ret = -1;
		if (ret == 0)
			tree_files_tell(s, f, GAP_UNREADABLE, s->view.ix->members ? packed_why_text(PACKED_NOT_READ) : "it can't be read now");
	}
	return ret < 0 ? -1 : 0;
}

/*
 * Prepare two loaded sides for a comparison, unless both are of this index.
 *
 *  - A file that both sides have is no copy of itself: it becomes PRESENCE_EXCLUDED in both, and is
 *    told as reached by another path.
 *  - Files without hash that may have the content of one of the other side are read, each inode
 *    once, for nothing proves that they differ.  What can't be read stays unproven, and is told.
 *
 * Returns 0, or -1: ERR_INTERRUPTED, ERR_BAD_INDEX, ERR_DB.
 */
static int
pairs_settle(struct tree_files *left, struct tree_files *right, struct err *err)
{
	struct reread reread = { .begun = false };
	int ret;

	if (left->of == NULL && right->of == NULL)
		return 0;
	if (left->of != right->of)
		pairs_across_leave_out(left, right);
	pairs_across_doubt(left);
	pairs_across_doubt(right);
	tree_files_index(left, true);
	tree_files_index(right, true);
	pairs_across_acquit(left, right);
	pairs_across_acquit(right, left);
	ret = pairs_across_read(left, &reread, err);
	if (ret == 0)
		ret = pairs_across_read(right, &reread, err);
	reread_release(&reread);
	return ret;
}

/* Note a class of two files that have one path, or of one that has none there. */
static void
pairs_set(struct tree_files_file *f, struct tree_files_file *g, uint32_t at_f, uint32_t at_g, enum pair_class class)
{
	f->class = g->class = (uint8_t)class;
	f->other = at_g;
	g->other = at_f;
}

/* Whether two files of one content may be one by their times, and tell it of the first. */
static bool
pairs_is_view(const struct pairs *p, const struct tree_files *s, const struct tree_files_file *f, const struct tree_files *other, const struct tree_files_file *g)
{
	if (!s->timed || inode_same(f->inode, g->inode) ||
	    !alias_volumes_one_by_time(&p->views, (struct alias_volumes_file){ f->inode, s->times.v[f - s->files.v] },
	                       (struct alias_volumes_file){ g->inode, other->times.v[g - other->files.v] }))
		return false;
	tree_files_tell(s, f, GAP_UNPROVEN, "it may be the same file as the other, seen at a second path");
	return true;
}

/* Judge two files of one path, of which neither is gone. */
static enum pair_class
pairs_judge(const struct pairs *p, const struct tree_files_file *f, const struct tree_files_file *g)
{
	if (!tree_files_holds(f) || !tree_files_holds(g))
		return PAIR_UNSURE;
	if (f->size == g->size && (f->size == 0 || tree_files_equal(f, g)))
		return f->size > 0 && pairs_is_view(p, &p->left, f, &p->right, g) ? PAIR_UNSURE : PAIR_SAME;
	return tree_files_differ(f, g) ? PAIR_DIFFERENT : PAIR_UNSURE;
}

/* Compare the files of two directories: from a to below a_end, and from b to below b_end. */
static void
pairs_match_files(struct pairs *p, uint32_t a, uint32_t a_end, uint32_t b, uint32_t b_end)
{
	while (a < a_end && b < b_end) {
		struct tree_files_file *f = &p->left.files.v[a], *g = &p->right.files.v[b];
		const int cmp = p->left.is_file ? 0 : strcmp(f->name, g->name);

		if (cmp == 0 && f->presence != PRESENCE_GONE && g->presence != PRESENCE_GONE)
			pairs_set(f, g, a, b, pairs_judge(p, f, g));
		a += cmp <= 0;
		b += cmp >= 0;
	}
}

/*
 * Walk the directories of the left side; match[i] becomes the right directory of the same path,
 * which is looked for behind the one of the directory before it: both come in the order of names.
 */
static void
pairs_match_paths(struct pairs *p)
{
	const struct tree_files *l = &p->left, *r = &p->right;
	const uint32_t n = l->end - l->top;
	uint32_t *match, *next;

	if (l->is_file) {
		pairs_match_files(p, 0, (uint32_t)l->files.n, 0, (uint32_t)r->files.n);
		return;
	}
	match = mem_alloc(n * sizeof(*match));
	next = mem_alloc(n * sizeof(*next));
	for (uint32_t i = 0; i < n; i++) {
		const uint32_t up = i > 0 ? dirtree_parent(l->dirs, l->top + i) - l->top : 0;
		uint32_t at = i > 0 ? next[up] : r->top;
		int cmp = i > 0 ? 1 : 0;

		for (; i > 0 && at != DIRTREE_NONE; at = dirtree_next(r->dirs, at)) {
			cmp = strcmp(dirtree_name(l->dirs, l->top + i), dirtree_name(r->dirs, at));
			if (cmp <= 0)
				break;
		}
		if (i > 0)
			next[up] = at;
		match[i] = at != DIRTREE_NONE && cmp == 0 ? at : DIRTREE_NONE;
		next[i] = match[i] != DIRTREE_NONE ? dirtree_first(r->dirs, match[i]) : DIRTREE_NONE;
		if (match[i] != DIRTREE_NONE)
			pairs_match_files(p, l->first[i], l->first[i + 1], r->first[match[i] - r->top], r->first[match[i] - r->top + 1]);
	}
	free(match);
	free(next);
}

/* Judge the files of a side that have no path in common with the other, and add all up. */
static void
pairs_match_rest(struct pairs *p, struct tree_files *s, const struct tree_files *other)
{
	const bool left = s == &p->left;
	struct pairs_sum *missing = left ? &p->totals.left_missing : &p->totals.right_missing;
	int64_t *empty = left ? &p->totals.left_empty : &p->totals.right_empty;

	for (size_t i = 0; i < s->files.n; i++) {
		struct tree_files_file *f = &s->files.v[i];
		const bool single = f->class == TREE_FILES_NO_CLASS, known = tree_files_is_known(f);
		const bool ask = known && f->size > 0 && (single || f->class == PAIR_DIFFERENT);
		const unsigned why = s->reasons[f->dir];
		const bool leant = f->class == PAIR_SAME && f->size > 0 && !fleeting_keeps(other->reasons[other->files.v[f->other].dir], why);
		const uint32_t at = ask || leant ? tree_files_by_content(other, f, why) : TREE_FILES_NONE;
		const bool viewed = ask && at != TREE_FILES_NONE && pairs_is_view(p, s, f, other, &other->files.v[at]);
		const bool maybe = viewed || (ask && at == TREE_FILES_NONE && tree_files_maybe(other, f));
		uint32_t fleeting;

		if (f->presence == PRESENCE_GONE)
			continue;
		p->totals.trash += (why & FLEETING_TRASH) != 0;
		fleeting = leant ? f->other : ask ? tree_files_by_content(other, f, ~0U) : TREE_FILES_NONE;
		if (at == TREE_FILES_NONE && fleeting != TREE_FILES_NONE) {
			p->totals.fleeting++;
			p->totals.fleeting_why |= other->reasons[other->files.v[fleeting].dir] & ~why;
		}
		if (single) {
			f->class = (uint8_t)(!known || maybe ? PAIR_UNSURE : at != TREE_FILES_NONE ? PAIR_MOVED : left ? PAIR_LEFT : PAIR_RIGHT);
			f->other = viewed ? TREE_FILES_NONE : at;
			*empty += f->class != PAIR_UNSURE && f->size == 0;
		}
		if ((ask || leant) && at == TREE_FILES_NONE && !maybe)
			pairs_sum_add(missing, 1, f->size);
		p->totals.unread = p->totals.unread || (f->class == PAIR_UNSURE && known && s->of == NULL && !index_is_compared(p->ix, f->size));
		pairs_sum_add(left ? &p->totals.left[f->class] : &p->totals.right[f->class], 1, f->size);
	}
}

static int
pairs_cmp_named(const struct tree_files_file *a, const struct tree_files_file *b)
{
	const int cmp = tree_files_cmp_equal(a, b);

	return cmp != 0 ? cmp : strcmp(a->name, b->name);
}

/* By content, then by name, then by path. */
static int
pairs_sort_moved(const void *a, const void *b, void *files)
{
	const struct tree_files_file *v = files;
	const uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;
	const int cmp = pairs_cmp_named(&v[x], &v[y]);

	return cmp != 0 ? cmp : (x > y) - (x < y);
}

/* Positions of files that have no partner yet. */
struct pairs_list {
	VEC(uint32_t) all;
};

/* List the moved files of a side in the order of pairs_sort_moved. */
static void
pairs_list_moved(const struct tree_files *s, struct pairs_list *list)
{
	for (size_t i = 0; i < s->files.n; i++) {
		if (s->files.v[i].class == PAIR_MOVED)
			vec_push(&list->all, (uint32_t)i);
	}
	if (list->all.n > 0)
		order_sort_by(list->all.v, list->all.n, sizeof(*list->all.v), pairs_sort_moved, s->files.v);
}

/* Pair what is equal in both lists, each file once, and take it off them. */
static void
pairs_match_lists(struct pairs *p, struct pairs_list *left, struct pairs_list *right,
                  int (*by)(const struct tree_files_file *a, const struct tree_files_file *b))
{
	uint32_t *l = left->all.v, *r = right->all.v;
	size_t i = 0, j = 0, n_l = 0, n_r = 0;

	while (i < left->all.n || j < right->all.n) {
		struct tree_files_file *f = i < left->all.n ? &p->left.files.v[l[i]] : NULL;
		struct tree_files_file *g = j < right->all.n ? &p->right.files.v[r[j]] : NULL;
		const int cmp = f == NULL ? 1 : g == NULL ? -1 : by(f, g);

		if (cmp == 0)
			pairs_set(f, g, l[i], r[j], PAIR_MOVED);
		else if (cmp < 0)
			l[n_l++] = l[i];
		else
			r[n_r++] = r[j];
		i += cmp <= 0;
		j += cmp >= 0;
	}
	left->all.n = n_l;
	right->all.n = n_r;
}

/*
 * Of one content, pair files first by name, then as they come.  The others keep as partner the
 * first file of their content.
 */
static void
pairs_match_moved(struct pairs *p)
{
	struct pairs_list left = { .all = { 0 } }, right = { .all = { 0 } };

	pairs_list_moved(&p->left, &left);
	pairs_list_moved(&p->right, &right);
	pairs_match_lists(p, &left, &right, pairs_cmp_named);
	pairs_match_lists(p, &left, &right, tree_files_cmp_equal);
	vec_release(&left.all);
	vec_release(&right.all);
}

int
pairs_load(struct pairs **result, struct index *ix, const struct pairs_query *q, struct gaps *gaps, struct err *err)
{
	struct pairs *p = mem_zalloc(1, sizeof(*p));
	bool suspects;

	assert(strcmp(q->left, q->right) != 0 || q->left_of != q->right_of);
	p->ix = ix;
	p->q = q;
	p->gaps = gaps;
	if (alias_volumes_load(&p->views, ix, NULL, err) < 0 || pairs_load_sides(p, err) < 0 || pairs_resolve(&p->left, &p->right, err) < 0 ||
	    pairs_resolve(&p->right, &p->left, err) < 0 || pairs_settle(&p->left, &p->right, err) < 0) {
		pairs_free(p);
		return -1;
	}
	suspects = tree_files_any_suspect(&p->left) || tree_files_any_suspect(&p->right);
	pairs_match_paths(p);
	tree_files_index(&p->left, suspects);
	tree_files_index(&p->right, suspects);
	pairs_match_rest(p, &p->left, &p->right);
	pairs_match_rest(p, &p->right, &p->left);
	pairs_match_moved(p);
	*result = p;
	return 0;
}

const struct pairs_totals *
pairs_totals(const struct pairs *p)
{
	return &p->totals;
}

const struct tree_files *
pairs_side(const struct pairs *p, bool right)
{
	return right ? &p->right : &p->left;
}

/* Set path to that of a file.  Returns where what lies below the side begins in it. */
static size_t
pairs_path(const struct tree_files *s, const struct tree_files_file *f, struct buf *path)
{
	const size_t len = s->is_file ? path_parent_len(s->path) : strlen(s->path);

	buf_cut(path, 0);
	tree_files_absolute(s, f, path);
	return len + (len > 1);
}

/* Deliver a pair; either may be NULL. */
static int
pairs_deliver(const struct pairs *p, enum pair_class class, const struct tree_files_file *f, const struct tree_files_file *g, struct buf *left,
              struct buf *right, pairs_fn *fn, void *arg)
{
	struct pair_answer a = { .class = class, .left_size = f != NULL ? f->size : -1, .right_size = g != NULL ? g->size : -1 };

	if (f != NULL) {
		a.left_below = pairs_path(&p->left, f, left);
		a.left = buf_str(left);
	}
	if (g != NULL) {
		a.right_below = pairs_path(&p->right, g, right);
		a.right = buf_str(right);
	}
	return fn(arg, &a);
}

int
pairs_each(const struct pairs *p, enum pair_class class, pairs_fn *fn, void *arg)
{
	const struct tree_files_file *l = p->left.files.v, *r = p->right.files.v;
	struct buf left = { 0 }, right = { 0 };
	int ret = 0;

	for (size_t i = 0; ret == 0 && i < p->left.files.n; i++) {
		if (l[i].class == class)
			ret = pairs_deliver(p, class, &l[i], l[i].other != TREE_FILES_NONE ? &r[l[i].other] : NULL, &left, &right, fn, arg);
	}
	/* On the right side only files that are nobody's partner yet. */
	for (size_t i = 0; ret == 0 && i < p->right.files.n; i++) {
		const struct tree_files_file *f = r[i].other != TREE_FILES_NONE ? &l[r[i].other] : NULL;

		if (r[i].class == class && (f == NULL || f->class != class || f->other != i))
			ret = pairs_deliver(p, class, f, &r[i], &left, &right, fn, arg);
	}
	buf_release(&left);
	buf_release(&right);
	return ret;
}

void
pairs_free(struct pairs *p)
{
	if (p == NULL)
		return;
	tree_files_release(&p->left);
	tree_files_release(&p->right);
	alias_volumes_release(&p->views);
	dirtree_free(p->dirs);
	dirtree_free(p->left_dirs);
	dirtree_free(p->right_dirs);
	free(p);
}
