/* SPDX-License-Identifier: MIT */
/*
 * Directories are in memory; the rows of files are asked for directory by
 * directory, in the order of the tree: a plain name costs one lookup in each,
 * a pattern one pass over its names.  So only what is below the directories of
 * the query is read, results come in order, and they come at once.
 */
#include "base/base.h"

#include "query/find.h"

#include "db/stmt.h"
#include "query/answer.h"
#include "query/dirtree.h"
#include "index/file.h"
#include "index/index.h"
#include "sys/stop.h"

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

int
find_each(struct index *ix, const struct find_query *q, find_fn *fn, void *arg, struct err *err)
{
	struct find f = { .ix = ix, .q = q, .fn = fn, .arg = arg, .err = err };
	bool only_dirs;
	int ret = find_prepare(&f, &only_dirs);

	if (ret == 0)
		ret = dirtree_load(&f.tree, ix->db, err);
	for (size_t i = 0; ret == 0 && i < q->n_exclude; i++)
		dirtree_exclude(f.tree, q->exclude[i]);
	if (ret == 0)
		ret = find_walk(&f, only_dirs || q->no_files);
	dirtree_free(f.tree);
	free(f.text);
	free(f.ends);
	free(f.paths);
	buf_release(&f.path);
	buf_release(&f.folded);
	return ret;
}
