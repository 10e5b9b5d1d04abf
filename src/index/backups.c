/* SPDX-License-Identifier: MIT */
/*
 * A declaration is kept among the patterns of a root, at a position below 0: "!backup/" and the
 * path below the root.  So it moves with the root, and goes with it.
 */
#include "base/base.h"

#include "index/backups.h"

#include "db/stmt.h"
#include "index/roots.h"
#include "sys/mounted.h"

#define BACKUPS_PREFIX "!backup/"

static void
backups_add(struct backups *b, const char *path)
{
	for (size_t i = 0; i < b->n; i++) {
		if (strcmp(b->v[i], path) == 0)
			return;
	}
	vec_push(b, mem_str(path));
}

static void
backups_index(struct backups *b)
{
	pathset_release(&b->paths);
	for (size_t i = 0; i < b->n; i++)
		pathset_add(&b->paths, b->v[i], i);
	pathset_sort(&b->paths);
}

void
backups_copy(struct backups *to, const struct backups *from)
{
	assert(to->n == 0);
	for (size_t i = 0; i < from->n; i++)
		vec_push(to, mem_str(from->v[i]));
	backups_index(to);
}

void
backups_release(struct backups *b)
{
	for (size_t i = 0; i < b->n; i++)
		free(b->v[i]);
	vec_release(b);
	pathset_release(&b->paths);
}

/* Append the path that the pattern of a root declares.  Returns whether it declares one. */
static bool
backups_path(const struct root *root, const char *pattern, size_t len, struct buf *path)
{
	const size_t prefix = strlen(BACKUPS_PREFIX);

	if (len < prefix || memcmp(pattern, BACKUPS_PREFIX, prefix) != 0)
		return false;
	buf_adds(path, root->path);
	if (len > prefix)
		path_append(path, pattern + prefix, len - prefix);
	return true;
}

/* Declare what the index keeps with its roots. */
static int
backups_load(struct backups *b, struct db *db, const struct roots *roots, struct err *err)
{
	struct stmt st = stmt_get(db, SQL_ROOT_OPTIONS, err);
	struct buf path = { 0 };
	int ret;

	while ((ret = stmt_step(&st)) == 1) {
		const int64_t id = stmt_col_int(&st, 0);
		size_t len, i = 0;
		const char *pattern = stmt_col_text(&st, 1, &len);

		while (i < roots->n && roots->v[i].id != id)
			i++;
		buf_cut(&path, 0);
		if (i < roots->n && backups_path(&roots->v[i], pattern, len, &path))
			backups_add(b, buf_str(&path));
	}
	buf_release(&path);
	return ret;
}

/* mounted_path_fn: declare a path at which a backup is seen as well. */
static void
backups_add_view(void *arg, const char *path)
{
	backups_add(arg, path);
}

int
backups_declare(struct backups *b, struct db *db, const char *const *dirs, size_t n, struct err *err)
{
	struct roots roots = { 0 };
	int ret = roots_load(&roots, db, err);

	backups_release(b);
	if (ret == 0)
		ret = backups_load(b, db, &roots, err);
	for (size_t i = 0; i < n; i++)
		backups_add(b, dirs[i]);
	/* All paths at which they are mounted: the index may have their files by any of them. */
	for (size_t i = 0, all = b->n; i < all; i++) {
		char *dir = mem_str(b->v[i]);

		mounted_also(dir, backups_add_view, b);
		free(dir);
	}
	backups_index(b);
	roots_release(&roots);
	return ret;
}

bool
backups_has(const struct backups *b, const char *path)
{
	size_t len, number;

	if (b->n == 0)
		return false;
	len = strlen(path);
	return pathset_above(&b->paths, path, &len, &number);
}

bool
backups_names(const struct backups *b, const char *const *dirs, size_t n, const char *path)
{
	for (size_t i = 0; i < n; i++) {
		if (path_is_below(path, dirs[i]) && backups_has(b, dirs[i]))
			return true;
	}
	return false;
}

/* Find where a root keeps a pattern, and the first position below those of its other options. */
static int
backups_find(struct db *db, int64_t root, const struct buf *pattern, int64_t *at, int64_t *free_at, struct err *err)
{
	struct stmt st = stmt_get(db, SQL_ROOT_OPTIONS, err);
	int ret;

	*at = 0;
	*free_at = ROOT_OPTION_LAST - 1;
	while ((ret = stmt_step(&st)) == 1) {
		size_t len;
		const char *text = stmt_col_text(&st, 1, &len);
		const int64_t position = stmt_col_int(&st, 2);

		if (stmt_col_int(&st, 0) != root)
			continue;
		if (position <= *free_at)
			*free_at = position - 1;
		if (len == pattern->len && memcmp(text, pattern->data, len) == 0)
			*at = position;
	}
	return ret;
}

int
backups_keep(struct db *db, const char *dir, bool is, struct err *err)
{
	struct roots roots = { 0 };
	struct buf pattern = { 0 };
	const struct root *root;
	int64_t at, free_at;
	int ret = roots_load(&roots, db, err);

	root = ret == 0 ? roots_above(&roots, dir) : NULL;
	if (root == NULL) {
		roots_release(&roots);
		return ret;
	}
	buf_adds(&pattern, BACKUPS_PREFIX);
	buf_adds(&pattern, path_below(dir, root->path));
	ret = backups_find(db, root->id, &pattern, &at, &free_at, err);
	if (ret == 0 && is && at == 0)
		ret = root_put_option(db, root->id, free_at, buf_str(&pattern), err) < 0 ? -1 : 1;
	else if (ret == 0 && !is && at != 0)
		ret = root_drop_option(db, root->id, at, err) < 0 ? -1 : 1;
	buf_release(&pattern);
	roots_release(&roots);
	return ret;
}
