/* SPDX-License-Identifier: MIT */
#include <config.h>

#include "index/tops.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/buf.h"
#include "base/err.h"
#include "base/mem.h"
#include "base/path.h"
#include "base/vec.h"
#include "index/dirs.h"
#include "index/index.h"
#include "index/volumes.h"

void
tops_release(struct tops *t)
{
	for (size_t i = 0; i < t->n; i++)
		free(t->v[i].path);
	vec_release(t);
	vec_release(&t->missing);
	if (t->fresh != NULL)
		rules_release(t->fresh);
	free(t->fresh);
	t->fresh = NULL;
}

int
tops_check(const char *path, struct err *err)
{
	struct fs_stat st;

	if (fs_stat_path(path, &st) < 0)
		return errno == ENOENT || errno == ENOTDIR ?
		       err_set(err, ERR_NO_PATH, "'%s' does not exist", path) : err_sys(err, "'%s'", path);
	if (!S_ISDIR(st.mode))
		return err_set(err, ERR_NO_PATH, "'%s' is not a directory", path);
	return 0;
}

/* The index's number for path, or 0. */
static int
tops_known(struct index *ix, const char *path, int64_t *id, struct err *err)
{
	int ret = dirs_find(ix->db, path, id, err);

	if (ret == 0)
		*id = 0;
	return ret < 0 ? -1 : 0;
}

/* The parent of path in the index, or 0. */
static int
tops_parent(struct index *ix, const char *path, int64_t *id, struct err *err)
{
	char *parent = mem_dup(path, path_parent_len(path));
	int ret = 0;

	*id = 0;
	if (strcmp(parent, path) != 0)
		ret = tops_known(ix, parent, id, err);
	free(parent);
	return ret;
}

/* A part of a root that the index has not met: start at its first ancestor that has a place in the index. */
static int
tops_climb(struct index *ix, const struct root *above, struct top *top, struct err *err)
{
	while (top->id == 0 && top->parent == 0 && strcmp(top->path, above->path) != 0) {
		top->path[path_parent_len(top->path)] = '\0';
		if (tops_known(ix, top->path, &top->id, err) < 0 || tops_parent(ix, top->path, &top->parent, err) < 0)
			return -1;
	}
	return 0;
}

/* The root whose directory is at path, although the index knows it at another place; *both tells that it is there as well. */
static const struct root *
tops_moved(const struct roots *roots, const struct dirmap *map, struct volumes *volumes, const char *path, bool *both)
{
	const struct dirmap_dir *d = NULL;
	const struct root *root;
	struct fs_stat st, old;
	int fd = fs_open_dir(AT_FDCWD, path);

	if (fd >= 0 && fs_stat_fd(fd, &st) == 0)
		d = dirmap_by_inode(map, volumes_number(volumes, fd, st.dev, NULL), (int64_t)st.inode);
	if (fd >= 0)
		close(fd);
	root = d != NULL ? roots_at_dir(roots, d->id) : NULL;
	*both = root != NULL && fs_stat_path(root->path, &old) == 0 && old.dev == st.dev && old.inode == st.inode;
	return root;
}

static int
tops_add(struct tops *t, struct index *ix, const struct roots *roots, const struct dirmap *map,
         struct volumes *volumes, const char *path, const struct rules *rules, struct err *err)
{
	const struct root *above = roots_above(roots, path);
	const bool is_root = above != NULL && strcmp(above->path, path) == 0;
	const struct root *moved;
	struct top *top;
	const char *below;
	bool both = false;

	if (tops_check(path, err) < 0)
		return -1;
	top = vec_add(t);
	memset(top, 0, sizeof(*top));
	top->path = mem_str(path);
	if (tops_known(ix, path, &top->id, err) < 0 || tops_parent(ix, path, &top->parent, err) < 0)
		return -1;
	/* A top of the index stays one until the walk of what is above meets it. */
	if (top->id != 0 && dirmap_by_id(map, top->id) != NULL)
		top->parent = dirmap_by_id(map, top->id)->parent;
	moved = top->id == 0 ? tops_moved(roots, map, volumes, path, &both) : NULL;
	if (moved != NULL && both) {
		/* Mounted twice: it is scanned where the index knows it. */
		free(top->path);
		t->n--;
		return tops_add(t, ix, roots, map, volumes, moved->path, rules, err);
	}
	if (moved != NULL)
		top->id = moved->dir;
	if (rules != NULL) {
		top->governing = (struct governing){ rules, top->path };
		top->make_root = true;
	} else if (moved != NULL)
		top->governing = (struct governing){ &moved->rules, top->path };
	else if (is_root)
		top->governing = (struct governing){ &above->rules, above->path };
	else if (above != NULL && (below = path_below(path, above->path)) != NULL &&
	         rules_check_path(&above->rules, below, true) == SKIP_NO) {
		top->governing = (struct governing){ &above->rules, above->path };
		return tops_climb(ix, above, top, err);
	} else {
		top->governing = (struct governing){ t->fresh, top->path };
		top->make_root = true;
	}
	return 0;
}

/* Whether the walk from a gets to b by itself. */
static bool
tops_reaches(const struct top *a, const struct top *b)
{
	const char *below = path_below(b->path, a->path), *rel;
	struct fs_stat sa, sb;

	if (below == NULL)
		return false;
	if (*below == '\0')
		return true;
	rel = path_below(b->path, a->governing.root_path);
	if (rules_check_path(a->governing.rules, rel != NULL ? rel : below, true) != SKIP_NO)
		return false;
	if (!a->governing.rules->one_fs)
		return true;
	return fs_stat_path(a->path, &sa) == 0 && fs_stat_path(b->path, &sb) == 0 && sa.dev == sb.dev;
}

/* Drop every top that another one reaches; of equal ones the first stays. */
static void
tops_prune(struct tops *t)
{
	for (size_t i = 0; i < t->n;) {
		bool drop = false;

		for (size_t j = 0; j < t->n && !drop; j++) {
			if (j == i || !tops_reaches(&t->v[j], &t->v[i]))
				continue;
			/* A known root gets its new options even when it is walked from above. */
			drop = strcmp(t->v[i].path, t->v[j].path) != 0 || j < i;
		}
		if (drop) {
			free(t->v[i].path);
			memmove(&t->v[i], &t->v[i + 1], (t->n - i - 1) * sizeof(*t->v));
			t->n--;
		} else
			i++;
	}
}

int
tops_choose(struct tops *t, struct index *ix, const struct roots *roots, const struct dirmap *map,
            struct volumes *volumes, const char *const *paths, size_t n_paths, const struct rules *rules,
            struct err *err)
{
	struct fs_stat st;

	t->fresh = mem_alloc(sizeof(*t->fresh));
	rules_init(t->fresh);
	if (n_paths == 0 && roots->n == 0)
		return err_set(err, ERR_USAGE, "nothing was scanned yet: name a directory to scan");
	for (size_t i = 0; i < n_paths; i++) {
		if (tops_add(t, ix, roots, map, volumes, paths[i], rules, err) < 0)
			return -1;
	}
	for (size_t i = 0; n_paths == 0 && i < roots->n; i++) {
		if (fs_stat_path(roots->v[i].path, &st) < 0)
			vec_push(&t->missing, roots->v[i].path);
		else if (tops_add(t, ix, roots, map, volumes, roots->v[i].path, rules, err) < 0)
			return -1;
	}
	tops_prune(t);
	return 0;
}
