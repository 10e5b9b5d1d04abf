/* SPDX-License-Identifier: MIT */
/*
 * Hides how a root and its options are stored in three tables: root, root_exclude (patterns, and at
 * positions below 0 names of options that have no column) and dir, which has its path.
 * roots_above finds the innermost root by a table of paths, because roots may nest.  Threads of a
 * walk may read roots; only the thread that claimed a root sets its now.
 */
#include "base/base.h"

#include "index/roots.h"

#include "db/db.h"
#include "db/stmt.h"
#include "index/dirs.h"
#include "index/meta.h"

/* Options among the patterns, at positions below 0. */
#define ROOT_HASH_ALL "!hash-all/"
#define ROOT_NETWORK "!network/"
#define ROOT_ARCHIVES "!archives/"
#define ROOT_NESTED "!nested-archives/"

/*
 * The position of either of the last two: those from ROOT_OPTION_LAST on were taken when they came,
 * and what lies below may be a backup's.
 */
enum { ROOT_ARCHIVES_AT = -1000000 };

static int
roots_load_patterns(struct roots *roots, struct db *db, struct err *err)
{
	struct stmt st = stmt_get(db, SQL_ROOT_EXCLUDE_ALL, err);
	size_t i = 0;
	int ret;

	/* Both are in the order of the roots' ids. */
	while ((ret = stmt_step(&st)) == 1) {
		const int64_t id = stmt_col_int(&st, 0);
		size_t len;
		const char *pattern = stmt_col_text(&st, 1, &len);

		while (i < roots->n && roots->v[i].id < id)
			i++;
		if (i >= roots->n || roots->v[i].id != id)
			continue;
		if (stmt_col_int(&st, 2) >= 0) {
			rules_exclude(&roots->v[i].rules, pattern);
			continue;
		}
		roots->v[i].rules.hash_all |= strcmp(pattern, ROOT_HASH_ALL) == 0;
		roots->v[i].rules.network |= strcmp(pattern, ROOT_NETWORK) == 0;
		roots->v[i].rules.nested |= strcmp(pattern, ROOT_NESTED) == 0;
		roots->v[i].rules.archives |= roots->v[i].rules.nested || strcmp(pattern, ROOT_ARCHIVES) == 0;
	}
	return ret;
}

int
roots_load(struct roots *roots, struct db *db, struct err *err)
{
	struct stmt st = stmt_get(db, SQL_ROOT_ALL, err);
	struct dirs dirs = { .db = db, .paths_only = true };
	struct buf path = { 0 };
	int ret;

	while ((ret = stmt_step(&st)) == 1) {
		struct root *r = vec_add(roots);

		memset(r, 0, sizeof(*r));
		rules_init(&r->rules);
		r->id = stmt_col_int(&st, 0);
		r->dir = stmt_col_int(&st, 1);
		r->rules.hidden = stmt_col_int(&st, 2) != 0;
		r->rules.one_fs = stmt_col_int(&st, 3) != 0;
		r->rules.trust_mtime = stmt_col_int(&st, 4) != 0;
		r->rules.min_size = stmt_col_int(&st, 5);
		r->rules.max_size = stmt_col_int(&st, 6);
		r->scan = stmt_col_int(&st, 7);
	}
	for (size_t i = 0; ret == 0 && i < roots->n; i++) {
		buf_cut(&path, 0);
		ret = dirs_path(&dirs, roots->v[i].dir, &path, err);
		roots->v[i].path = mem_str(buf_str(&path));
		pathset_add(&roots->paths, roots->v[i].path, i);
	}
	if (ret == 0) {
		pathset_sort(&roots->paths);
		ret = roots_load_patterns(roots, db, err);
	}
	dirs_release(&dirs);
	buf_release(&path);
	if (ret < 0)
		roots_release(roots);
	return ret;
}

void
roots_release(struct roots *roots)
{
	for (size_t i = 0; i < roots->n; i++) {
		free(roots->v[i].path);
		free(roots->v[i].now);
		rules_release(&roots->v[i].rules);
	}
	vec_release(roots);
	pathset_release(&roots->paths);
}

struct root *
roots_at(const struct roots *roots, const char *path)
{
	size_t i;

	return pathset_find(&roots->paths, path, strlen(path), &i) ? &roots->v[i] : NULL;
}

const struct root *
roots_above(const struct roots *roots, const char *path)
{
	size_t len = strlen(path), i;

	return pathset_above(&roots->paths, path, &len, &i) ? &roots->v[i] : NULL;
}

const struct root *
roots_of_file(const struct roots *roots, const char *path)
{
	size_t len = path_parent_len(path), i;

	return pathset_above(&roots->paths, path, &len, &i) ? &roots->v[i] : NULL;
}

static int
roots_put_pattern(struct db *db, int64_t root, int64_t position, const char *pattern, struct err *err)
{
	struct stmt st = stmt_get(db, SQL_ROOT_EXCLUDE_PUT, err);

	stmt_int(&st, ":root", root);
	stmt_int(&st, ":position", position);
	stmt_blob(&st, ":pattern", pattern, strlen(pattern));
	return stmt_run(&st);
}

int
root_put_option(struct db *db, int64_t root, int64_t position, const char *text, struct err *err)
{
	assert(position < ROOT_OPTION_LAST);
	return roots_put_pattern(db, root, position, text, err);
}

int
root_drop_option(struct db *db, int64_t root, int64_t position, struct err *err)
{
	struct stmt st = stmt_get(db, SQL_ROOT_OPTION_DROP, err);

	assert(position < ROOT_OPTION_LAST);
	stmt_int(&st, ":root", root);
	stmt_int(&st, ":position", position);
	return stmt_run(&st);
}

static int
roots_put_patterns(struct db *db, int64_t root, const struct rules *rules, struct err *err)
{
	struct stmt st = stmt_get(db, SQL_ROOT_EXCLUDE_CLEAR, err);
	bool had;

	stmt_int(&st, ":root", root);
	stmt_int(&st, ":last", ROOT_OPTION_LAST);
	if (stmt_run(&st) < 0 || root_drop_option(db, root, ROOT_ARCHIVES_AT, err) < 0)
		return -1;
	had = db_changes(db) > 0;
	for (size_t i = 0; i < rules->n_patterns; i++) {
		if (roots_put_pattern(db, root, (int64_t)i, rules->patterns[i], err) < 0)
			return -1;
	}
	if (rules->hash_all && roots_put_pattern(db, root, -1, ROOT_HASH_ALL, err) < 0)
		return -1;
	if (rules->archives && root_put_option(db, root, ROOT_ARCHIVES_AT, rules->nested ? ROOT_NESTED : ROOT_ARCHIVES, err) < 0)
		return -1;
	if ((had || rules->archives) && meta_put_int(db, META_ARCHIVES_RUN, 0, err) < 0)
		return -1;
	return rules->network ? roots_put_pattern(db, root, ROOT_OPTION_LAST, ROOT_NETWORK, err) : 0;
}

int
root_put(struct db *db, int64_t dir, const struct rules *rules, struct err *err)
{
	struct stmt st = stmt_get(db, SQL_ROOT_PUT, err);
	int64_t id;

	stmt_int(&st, ":dir", dir);
	stmt_int(&st, ":hidden", rules->hidden);
	stmt_int(&st, ":one_fs", rules->one_fs);
	stmt_int(&st, ":trust_mtime", rules->trust_mtime);
	stmt_int(&st, ":min_size", rules->min_size);
	stmt_int(&st, ":max_size", rules->max_size);
	if (stmt_run(&st) < 0)
		return -1;
	st = stmt_get(db, SQL_ROOT_OF_DIR, err);
	stmt_int(&st, ":dir", dir);
	return stmt_number(&st, &id) < 0 ? -1 : roots_put_patterns(db, id, rules, err);
}

int
root_scanned(struct db *db, int64_t root, int64_t scan, struct err *err)
{
	struct stmt st = stmt_get(db, SQL_ROOT_SCANNED, err);

	stmt_int(&st, ":root", root);
	stmt_int(&st, ":scan", scan);
	return stmt_run(&st);
}

int
root_drop(struct db *db, int64_t dir, struct err *err)
{
	struct stmt st = stmt_get(db, SQL_ROOT_DELETE, err);

	stmt_int(&st, ":dir", dir);
	if (stmt_run(&st) < 0)
		return -1;
	st = stmt_get(db, SQL_ROOT_EXCLUDE_ORPHANS, err);
	return stmt_run(&st);
}
