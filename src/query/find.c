/* SPDX-License-Identifier: MIT */
/*
 * Two ways, which give the same answers.
 *
 * By names: index/name_index tells where names that match may be.  Each of these candidates is
 * looked up, because its row may have gone.  Few of them get their paths one by one, and are
 * sorted by these; for more the tree of all directories is read, whose numbers are their order.
 *
 * By directories, where the index has no order of its names, or much of it matches: they are in
 * memory, and the rows of files are asked for directory by directory, in the order of the tree.  A
 * plain name costs one lookup in each, a pattern one pass over its names.
 */
#include "base/base.h"

#include "query/find.h"

#include "db/stmt.h"
#include "query/answer.h"
#include "query/dirtree.h"
#include "query/subdirs.h"
#include "index/dirs.h"
#include "index/file.h"
#include "index/index.h"
#include "index/meta.h"
#include "index/name_index.h"
#include "sys/stop.h"

/* Most candidates that get their paths one by one. */
#define FIND_FEW 256
/* More than these, or than this part of all names, are found faster by directories. */
#define FIND_MANY 4096
#define FIND_SHARE 16

/* A name that matches, and where it may be. */
struct find_candidate {
	const char *name;        /* in find_candidates.memory */
	size_t len;
	int64_t dir;             /* the directory, or the one with the file */
	int64_t size;
	uint32_t number;         /* of dir in the tree; 0 where they are few */
	const char *key;         /* of few: the path of dir, "\0" for each slash; else NULL */
	size_t key_len;
	bool is_dir;
};

struct find_candidates {
	VEC(struct find_candidate) v;
	struct arena memory;
	int64_t most;
	bool no_files;
};

struct find {
	struct index *ix;
	const struct find_query *q;
	find_fn *fn;
	void *arg;
	struct err *err;
	struct dirtree *tree;
	char *text;              /* owned; the name to find, in lower case if case is ignored */
	const char *last;        /* its last component */
	char *ends;              /* owned; if text has a slash, the path or its end; else NULL */
	char *paths;             /* owned; the pattern for such a path; or NULL */
	bool pattern;            /* it has wildcards */
	bool any_last;           /* any last component may match */
	bool whole;              /* it begins with a slash */
	struct buf path;         /* of the directory, then of what is in it */
	struct buf folded;
	struct find_candidates candidates;
};

/* Take the name apart.  Returns 0, or -1 when nothing is left of it. */
static int
find_prepare(struct find *f, bool *only_dirs)
{
	struct buf text = { 0 };
	size_t len = strlen(f->q->name);

	while (len > 0 && f->q->name[len - 1] == '/')
		len--;
	*only_dirs = f->q->name[len] != '\0';
	if (len == 0)
		return err_set(f->err, ERR_USAGE, "'%s' is not a file name", f->q->name);
	if (f->q->ignore_case)
		name_fold(&text, f->q->name, len);
	else
		buf_add(&text, f->q->name, len);
	f->text = buf_take(&text);
	f->last = path_base(f->text);
	f->pattern = glob_is_pattern(f->text);
	f->any_last = strcmp(f->last, "**") == 0;
	f->whole = f->text[0] == '/';
	if (f->last == f->text)
		return 0;
	buf_adds(&text, f->whole ? "" : "/");
	buf_adds(&text, f->text);
	f->ends = buf_take(&text);
	if (f->pattern) {
		buf_adds(&text, f->whole ? "" : "**/");
		buf_adds(&text, f->text);
		f->paths = buf_take(&text);
	}
	return 0;
}

/* The name as it is compared; len is changed with it. */
static const char *
find_folded(struct find *f, const char *name, size_t len)
{
	if (!f->q->ignore_case)
		return name;
	buf_cut(&f->folded, 0);
	name_fold(&f->folded, name, len);
	return buf_str(&f->folded);
}

/* Whether a name matches the last component of what is looked for. */
static bool
find_name_matches(struct find *f, const char *name, size_t len)
{
	if (f->any_last)
		return true;
	name = find_folded(f, name, len);
	return f->pattern ? glob_is_one_of(&f->last, 1, name) : strcmp(f->last, name) == 0;
}

/* Deliver what lies at f->path, if its whole path matches, too. */
static int
find_deliver(struct find *f, bool is_dir, int64_t size)
{
	const struct found_answer found = { buf_str(&f->path), is_dir, size };

	if (f->ends != NULL) {
		const char *path = find_folded(f, buf_str(&f->path), f->path.len);
		const size_t len = strlen(path), end = strlen(f->ends);
		const bool ends = f->whole ? strcmp(path, f->ends) == 0 : len >= end && strcmp(path + len - end, f->ends) == 0;

		if (!ends && (!f->pattern || !glob_excludes(f->paths, path + 1, is_dir)))
			return 0;
	}
	return f->fn(f->arg, &found);
}

/* Make f->path that of a directory, or of a file in it. */
static void
find_set_path(struct find *f, uint32_t dir, const char *name, size_t len)
{
	buf_cut(&f->path, 0);
	dirtree_path(f->tree, dir, &f->path);
	if (name != NULL)
		path_append(&f->path, name, len);
}

static int
find_files(struct find *f, uint32_t dir)
{
	struct stmt st = stmt_get(f->ix->db, SQL_FILE_NAMES, f->err);
	int ret;

	stmt_int(&st, ":dir", dirtree_id(f->tree, dir));
	while ((ret = stmt_step(&st)) == 1) {
		size_t len;
		const char *name = stmt_col_name(&st, 0, &len);

		ret = stop_check(f->err);
		if (ret == 0 && find_name_matches(f, name, len)) {
			find_set_path(f, dir, name, len);
			ret = find_deliver(f, false, stmt_col_int(&st, 2));
		}
		if (ret != 0)
			break;
	}
	stmt_done(&st);
	return ret;
}

/* Look at a directory itself and at the files in it. */
static int
find_dir(struct find *f, uint32_t dir, bool no_files)
{
	const char *name = dirtree_name(f->tree, dir);
	struct file_row row;
	int ret = stop_check(f->err);

	/* Directories above tops are not in the index. */
	if (dirtree_id(f->tree, dir) == 0 || dirtree_excluded(f->tree, dir))
		return ret;
	if (ret == 0 && !f->q->no_dirs && find_name_matches(f, name, strlen(name))) {
		find_set_path(f, dir, NULL, 0);
		ret = find_deliver(f, true, -1);
	}
	if (ret != 0 || no_files)
		return ret;
	if (f->pattern || f->q->ignore_case)
		return find_files(f, dir);
	ret = file_get(f->ix->db, dirtree_id(f->tree, dir), f->last, strlen(f->last), &row, f->err);
	if (ret != 1)
		return ret;
	find_set_path(f, dir, f->last, strlen(f->last));
	return find_deliver(f, false, row.size);
}

/* Look at the subtrees of the query, at what is in several of them once. */
static int
find_walk(struct find *f, bool no_files)
{
	VEC(uint32_t) tops = { 0 };
	uint32_t next = 0;
	int ret = 0;

	for (size_t i = 0; ret == 0 && i < f->q->n_dirs; i++) {
		const uint32_t dir = dirtree_find(f->tree, f->q->dirs[i]);

		if (dir == DIRTREE_NONE)
			ret = err_set(f->err, ERR_NO_PATH, "'%s' is no directory of the index", f->q->dirs[i]);
		vec_push(&tops, dir);
	}
	if (f->q->n_dirs == 0)
		vec_push(&tops, dirtree_find(f->tree, "/"));
	qsort(tops.v, tops.n, sizeof(*tops.v), order_cmp_uint32);
	for (size_t i = 0; ret == 0 && i < tops.n; i++) {
		if (next < tops.v[i])
			next = tops.v[i];
		for (; ret == 0 && next < dirtree_end(f->tree, tops.v[i]); next++)
			ret = find_dir(f, next, no_files);
	}
	vec_release(&tops);
	return ret;
}

/* Append the longest part of a pattern that a name must contain as it is. */
static void
find_part(const struct find *f, struct buf *part)
{
	struct buf run = { 0 };

	if (!f->pattern) {
		buf_adds(part, f->last);
		return;
	}
	/* What follows a [ is left alone: it may be a part of it. */
	for (const char *c = f->last; *c != '\0' && *c != '['; c++) {
		if (*c == '*' || *c == '?') {
			buf_cut(&run, 0);
			continue;
		}
		if (*c == '\\' && *++c == '\0')
			break;
		buf_addc(&run, *c);
		if (run.len > part->len) {
			buf_cut(part, 0);
			buf_add(part, run.data, run.len);
		}
	}
	buf_release(&run);
}

/* name_index_query's matches */
static bool
find_matches(void *arg, const char *name, size_t len)
{
	return find_name_matches(arg, name, len);
}

/* name_index_fn: keep a candidate.  Returns 1 when there are too many. */
static int
find_keep(void *arg, const char *name, size_t len, int64_t dir, bool is_dir)
{
	struct find *f = arg;
	struct find_candidates *c = &f->candidates;
	const struct find_candidate *last = c->v.n > 0 ? &c->v.v[c->v.n - 1] : NULL;
	const bool again = last != NULL && last->len == len && memcmp(last->name, name, len) == 0;
	const char *kept = again ? last->name : NULL;

	if (is_dir ? f->q->no_dirs : c->no_files)
		return 0;
	if ((int64_t)c->v.n >= c->most)
		return 1;
	vec_push(&c->v, ((struct find_candidate){
		.name = kept != NULL ? kept : arena_dup(&c->memory, name, len), .len = len, .dir = dir, .is_dir = is_dir }));
	return 0;
}

/* Ask the names for candidates.  Returns 1 when they are too many, 0 or -1. */
static int
find_ask_names(struct find *f)
{
	const bool plain = !f->pattern && !f->q->ignore_case;
	struct buf part = { 0 };
	int64_t names;
	int ret = meta_int(f->ix->db, "names", &names, f->err);

	if (ret < 0)
		return -1;
	find_part(f, &part);
	f->candidates.most = FIND_MANY + names / FIND_SHARE;
	ret = name_index_each(f->ix->db, &(struct name_index_query){
		.name = plain ? f->last : NULL, .part = buf_str(&part), .fold = f->q->ignore_case, .matches = find_matches },
		find_keep, f, f->err);
	buf_release(&part);
	return ret;
}

/* The file's row: sets the size.  Returns 1, 0 without a row, -1. */
static int
find_look_up_file(struct find *f, struct find_candidate *c)
{
	struct stmt st = stmt_get(f->ix->db, SQL_FILE_SIZE_AT, f->err);
	struct buf stored = { 0 };
	int ret;

	name_store(&stored, c->name, c->len);
	stmt_int(&st, ":dir", c->dir);
	stmt_text(&st, ":name", buf_str(&stored), stored.len);
	ret = stmt_step(&st);
	if (ret == 1)
		c->size = stmt_col_int(&st, 0);
	stmt_done(&st);
	buf_release(&stored);
	return ret;
}

/* Whether a directory has the name.  Returns 1, 0 or -1. */
static int
find_look_up_dir(struct find *f, const struct find_candidate *c)
{
	struct stmt st = stmt_get(f->ix->db, SQL_DIR_GET, f->err);
	int ret;

	stmt_int(&st, ":dir", c->dir);
	ret = stmt_step(&st);
	if (ret == 1) {
		size_t len;
		const int64_t parent = stmt_col_int(&st, 0);
		const char *name = dirs_read_name(&st, 1, c->dir, parent, &len, f->err);

		if (name == NULL)
			ret = -1;
		else
			ret = parent >= 0 && strcmp(parent == 0 ? path_base(name) : name, c->name) == 0;
	}
	stmt_done(&st);
	return ret;
}

/* Give a candidate its path, if it has a row and the query is about it.  Returns 1, 0 or -1. */
static int
find_place(struct find *f, struct find_candidate *c, struct dirs *dirs)
{
	const int ret = c->is_dir ? find_look_up_dir(f, c) : find_look_up_file(f, c);
	char *key;

	if (ret != 1)
		return ret;
	buf_cut(&f->path, 0);
	if (dirs_path(dirs, c->dir, &f->path, f->err) < 0)
		return -1;
	if ((f->q->n_dirs > 0 && !path_is_below_any(buf_str(&f->path), f->q->dirs, f->q->n_dirs)) ||
	    path_is_below_any(buf_str(&f->path), f->q->exclude, f->q->n_exclude))
		return 0;
	/* With a slash at the end, but for the root. */
	path_append(&f->path, "", 0);
	c->key_len = f->path.len;
	c->key = key = arena_dup(&f->candidates.memory, f->path.data, f->path.len);
	for (size_t i = 0; i < c->key_len; i++)
		key[i] = key[i] == '/' ? '\0' : key[i];
	return 1;
}

/* The same of many: its number in the tree. */
static int
find_place_in_tree(struct find *f, struct find_candidate *c, const bool *asked)
{
	c->number = dirtree_by_id(f->tree, c->dir);
	if (c->number == DIRTREE_NONE || (asked != NULL && !asked[c->number]) || dirtree_excluded(f->tree, c->number))
		return 0;
	return c->is_dir ? strcmp(dirtree_name(f->tree, c->number), c->name) == 0 : find_look_up_file(f, c);
}

/* As directories come in a walk, each before its files, and these in the order of their rows. */
static int
find_cmp_candidate(const void *a, const void *b)
{
	const struct find_candidate *x = a, *y = b;
	int cmp = 0;

	ORDER_CMP(x->number, y->number);
	if (x->key != NULL)
		cmp = memcmp(x->key, y->key, x->key_len < y->key_len ? x->key_len : y->key_len);
	if (cmp != 0)
		return cmp;
	ORDER_CMP(x->key_len, y->key_len);
	ORDER_CMP(y->is_dir, x->is_dir);
	if (name_is_utf8(x->name, x->len) && name_is_utf8(y->name, y->len))
		return strcmp(x->name, y->name);
	else {
		struct buf s = { 0 }, t = { 0 };

		name_store(&s, x->name, x->len);
		name_store(&t, y->name, y->len);
		cmp = strcmp(buf_str(&s), buf_str(&t));
		buf_release(&s);
		buf_release(&t);
		return cmp;
	}
}

/* Refuse a directory of the query that neither the index has nor leads to one that it has. */
static int
find_check_dirs(const struct find *f)
{
	int ret = 1;

	for (size_t i = 0; ret > 0 && i < f->q->n_dirs; i++) {
		struct subdirs tops = { 0 };
		const char *path = f->q->dirs[i];
		int64_t dir;

		if (strcmp(path, "/") == 0)
			continue;
		ret = dirs_find(f->ix->db, path, &dir, f->err);
		if (ret == 0) {
			ret = subdirs_load_tops(&tops, f->ix->db, path, 0, f->err);
			if (ret == 0)
				ret = tops.n > 0 ? 1 : err_set(f->err, ERR_NO_PATH, "'%s' is no directory of the index", path);
			subdirs_release(&tops);
		}
	}
	return ret < 0 ? -1 : 0;
}

/* Which directories of the tree are at or below those of the query; NULL: all.  Owned. */
static int
find_asked(const struct find *f, bool **asked)
{
	*asked = NULL;
	if (f->q->n_dirs > 0)
		*asked = mem_zalloc(dirtree_count(f->tree), sizeof(**asked));
	for (size_t i = 0; i < f->q->n_dirs; i++) {
		const uint32_t dir = dirtree_find(f->tree, f->q->dirs[i]);

		if (dir == DIRTREE_NONE)
			return err_set(f->err, ERR_NO_PATH, "'%s' is no directory of the index", f->q->dirs[i]);
		memset(*asked + dir, true, dirtree_end(f->tree, dir) - dir);
	}
	return 0;
}

/* Keep the candidates that are still there, with what they are sorted by. */
static int
find_place_all(struct find *f)
{
	struct find_candidates *c = &f->candidates;
	struct dirs dirs = { .db = f->ix->db, .paths_only = true };
	bool *asked = NULL;
	size_t n = 0;
	int ret = f->tree != NULL ? find_asked(f, &asked) : find_check_dirs(f);

	for (size_t i = 0; ret >= 0 && i < c->v.n; i++) {
		ret = stop_check(f->err);
		if (ret == 0)
			ret = f->tree != NULL ? find_place_in_tree(f, &c->v.v[i], asked) : find_place(f, &c->v.v[i], &dirs);
		if (ret == 1)
			c->v.v[n++] = c->v.v[i];
	}
	c->v.n = n;
	free(asked);
	dirs_release(&dirs);
	return ret < 0 ? -1 : 0;
}

/* Deliver the candidates in their order, each once. */
static int
find_deliver_all(struct find *f)
{
	const struct find_candidates *c = &f->candidates;
	int ret = 0;

	if (c->v.n > 1)
		qsort(c->v.v, c->v.n, sizeof(*c->v.v), find_cmp_candidate);
	for (size_t i = 0; ret == 0 && i < c->v.n; i++) {
		const struct find_candidate *at = &c->v.v[i];

		if (i > 0 && find_cmp_candidate(at - 1, at) == 0)
			continue;
		if (f->tree != NULL)
			find_set_path(f, at->number, at->is_dir ? NULL : at->name, at->len);
		else {
			buf_cut(&f->path, 0);
			for (size_t j = 0; j + 1 < at->key_len; j++)
				buf_addc(&f->path, at->key[j] == '\0' ? '/' : at->key[j]);
			if (at->key_len == 1)
				buf_addc(&f->path, '/');
			if (!at->is_dir)
				path_append(&f->path, at->name, at->len);
		}
		ret = find_deliver(f, at->is_dir, at->is_dir ? -1 : at->size);
	}
	return ret;
}

/* Find by names, unless it must be by directories: *found says so.  Returns as find_each. */
static int
find_by_names(struct find *f, bool no_files, bool *found)
{
	int ret;

	*found = f->ix->names && !f->any_last;
	if (!*found)
		return 0;
	f->candidates.no_files = no_files;
	ret = find_ask_names(f);
	*found = ret <= 0;
	if (ret != 0)
		return ret < 0 ? -1 : 0;
	/* A scan that was stopped may have moved directories aside: the tree leaves these out. */
	if ((f->candidates.v.n > FIND_FEW || f->ix->pending == INDEX_UNMET) && dirtree_load(&f->tree, f->ix->db, f->err) < 0)
		return -1;
	for (size_t i = 0; f->tree != NULL && i < f->q->n_exclude; i++)
		dirtree_exclude(f->tree, f->q->exclude[i]);
	ret = find_place_all(f);
	return ret < 0 ? -1 : find_deliver_all(f);
}

int
find_each(struct index *ix, const struct find_query *q, find_fn *fn, void *arg, struct err *err)
{
	struct find f = { .ix = ix, .q = q, .fn = fn, .arg = arg, .err = err };
	bool only_dirs, found = false;
	int ret = find_prepare(&f, &only_dirs);

	if (ret == 0)
		ret = find_by_names(&f, only_dirs || q->no_files, &found);
	if (ret == 0 && !found) {
		ret = dirtree_load(&f.tree, ix->db, err);
		for (size_t i = 0; ret == 0 && i < q->n_exclude; i++)
			dirtree_exclude(f.tree, q->exclude[i]);
		if (ret == 0)
			ret = find_walk(&f, only_dirs || q->no_files);
	}
	dirtree_free(f.tree);
	free(f.text);
	free(f.ends);
	free(f.paths);
	buf_release(&f.path);
	buf_release(&f.folded);
	vec_release(&f.candidates.v);
	arena_release(&f.candidates.memory);
	return ret;
}
