/* SPDX-License-Identifier: MIT */
/*
 * Hides how paths become start points: each path finds its directory in the index (a root, or one
 * that has moved or is mounted twice: root_place), the options that govern it, and the start point
 * that already reaches it, if one does: no tree is walked twice.  Runs in the main thread, before
 * the walk; it may add directories to the map (struct start_way).
 */
#include "base/base.h"

#include "scan/start.h"

#include <fcntl.h>
#include <stdatomic.h>
#include <sys/stat.h>
#include <unistd.h>

#include "scan/mounted_twice.h"
#include "scan/root_place.h"
#include "index/volumes.h"
#include "sys/volume.h"

void
start_release(struct starts *t)
{
	for (size_t i = 0; i < t->n; i++)
		free(t->v[i].path);
	vec_release(t);
	for (size_t i = 0; i < t->ways.n; i++)
		free(t->ways.v[i].name);
	vec_release(&t->ways);
	pathset_release(&t->paths);
	for (size_t i = 0; i < t->inner.n; i++)
		free(t->inner.v[i]);
	vec_release(&t->inner);
	pathset_release(&t->inner.paths);
	if (t->fresh != NULL)
		rules_release(t->fresh);
	free(t->fresh);
	t->fresh = NULL;
}

int
start_check(const char *path, struct err *err)
{
	struct fs_stat st;

	if (fs_stat_path(path, &st) < 0)
		return fs_is_absent(errno) ?
		       err_set(err, ERR_NO_PATH, "'%s' does not exist", path) : err_sys(err, "'%s'", path);
	if (!S_ISDIR(st.mode))
		return err_set(err, ERR_NO_PATH, "'%s' is not a directory", path);
	return 0;
}

/* The volume number and stat of the directory at path; false when it can't be opened. */
static bool
start_look(const char *path, struct volumes *volumes, int64_t *volume, struct fs_stat *st)
{
	const int fd = fs_open_dir(AT_FDCWD, path);
	const bool ok = fd >= 0 && fs_stat_fd(fd, st) == 0;

	if (ok)
		*volume = volumes_number(volumes, fd, st->dev, NULL);
	if (fd >= 0)
		close(fd);
	return ok;
}

/*
 * The root that has moved to path, or NULL; known (or NULL) is what the index has at path.  *twice
 * becomes the directory of the index that is mounted twice, at path and at its own; or NULL.
 */
static struct root *
start_other_root(const struct dirmap *map, struct volumes *volumes, const char *path, const struct dirmap_dir *known,
                const struct dirmap_dir **twice)
{
	struct dir_here here = { .start = path, .rel = "" };
	struct dirmap_dir *d = NULL;
	struct fs_stat st;

	*twice = NULL;
	if (!start_look(path, volumes, &here.inode.volume, &st))
		return NULL;
	here.dev = st.dev;
	here.inode.number = (int64_t)st.inode;
	if (known != NULL && inode_same(known->inode, here.inode))
		return NULL;
	while ((d = dirmap_by_inode(map, here.inode, d)) != NULL) {
		if (d->root != NULL && root_place_has_moved(d->root, d->inode.number))
			return d->root;
		if (mounted_twice_at_both(map, d, &here)) {
			*twice = d;
			return NULL;
		}
	}
	return NULL;
}

/* Make a start point of a root that the index has. */
static void
start_be_root(struct start *start, struct root *root, const struct rules *rules)
{
	start->id = root->dir;
	if (rules != NULL && !root->new_rules) {
		rules_release(&root->rules);
		rules_copy(&root->rules, rules);
		root->new_rules = true;
	}
	start->governing = (struct governing){ &root->rules, start->path };
}

/*
 * Whether the walk of a start point reaches path by its options; no other start point lies
 * between.  A named mount is entered, but mounts on the way to it are not.
 */
static bool
start_lets(const struct governing *g, const char *from, const char *path, bool is_named)
{
	const char *below = path_below(path, g->root_path);
	struct fs_stat sa, sb;
	char *last;
	bool lets;

	if (rules_check_path(g->rules, below != NULL ? below : path_below(path, from), true) != SKIP_NO)
		return false;
	if (fs_stat_path(from, &sa) < 0 || fs_stat_path(path, &sb) < 0)
		return !g->rules->one_fs;
	if (sa.dev == sb.dev || g->rules->one_fs || g->rules->network)
		return sa.dev == sb.dev || !g->rules->one_fs;
	last = mem_dup(path, is_named ? path_parent_len(path) : strlen(path));
	lets = !volume_is_served_from(from, last);
	free(last);
	return lets;
}

/*
 * Make a start point a part of the root above it, if that does not leave it out; else a new root.
 */
static void
start_be_new(struct starts *t, struct start *start, const struct roots *roots, const struct rules *rules)
{
	const struct root *above = rules == NULL ? roots_above(roots, start->path) : NULL;

	start->is_part = above != NULL && start_lets(&(struct governing){ &above->rules, above->path }, above->path, start->path, false);
	start->make_root = !start->is_part;
	if (start->is_part)
		start->governing = (struct governing){ &above->rules, above->path };
	else
		start->governing = (struct governing){ rules != NULL ? rules : t->fresh, start->path };
}

static void
start_add(struct starts *t, const struct roots *roots, const struct dirmap *map, struct volumes *volumes,
         const char *path, const struct rules *rules)
{
	const struct dirmap_dir *d = dirmap_by_path(map, path, strlen(path)), *twice;
	struct root *root = roots_at(roots, path), *moved = start_other_root(map, volumes, path, d, &twice);
	struct start *start = vec_add(t);
	struct buf other = { 0 };
	size_t up;

	if (root == NULL || (moved != NULL && root->leads_to == ROOT_PATH_MOVED))
		root = moved;
	/* Mounted twice: scan it where the index has it. */
	if (twice != NULL) {
		dirmap_path(map, twice->id, &other);
		path = buf_str(&other);
		d = twice;
		root = twice->root;
	}
	*start = (struct start){ .path = mem_str(path), .id = d != NULL ? d->id : 0 };
	if (root != NULL)
		start_be_root(start, root, rules);
	else
		start_be_new(t, start, roots, rules);
	/* A directory without a parent gets one only after the walk. */
	up = path_up_len(path, strlen(path));
	if (d == NULL)
		d = up > 0 ? dirmap_by_path(map, path, up) : NULL;
	else if (d->parent > 0)
		d = dirmap_by_id(map, d->parent);
	else
		d = NULL;
	start->parent = d != NULL ? d->id : 0;
	buf_release(&other);
}

/* Whether the walk of another start point reaches this one by the options on the way. */
static bool
start_is_reached(const struct starts *t, const struct roots *roots, const struct start *start)
{
	char *path = mem_str(start->path), *from = mem_str(start->path);
	size_t len = strlen(path), at;
	bool reached = false, lets = true;

	while (lets && !reached && (len = path_up_len(path, len)) > 0) {
		struct governing g = { NULL, NULL };

		from[len] = '\0';
		if (pathset_find(&t->paths, path, len, &at)) {
			g = t->v[at].governing;
			reached = true;
			lets = !t->v[at].covered;
		} else if (pathset_find(&roots->paths, path, len, &at) && roots->v[at].leads_to != ROOT_PATH_NONE &&
		           roots->v[at].leads_to != ROOT_PATH_MOVED)
			g = (struct governing){ &roots->v[at].rules, roots->v[at].path };
		if (g.rules == NULL || !lets)
			continue;
		lets = start_lets(&g, from, path, true);
		path[len] = '\0';
	}
	free(path);
	free(from);
	return lets && reached;
}

static void
start_index(struct starts *t)
{
	pathset_release(&t->paths);
	for (size_t i = 0; i < t->n; i++)
		pathset_add(&t->paths, t->v[i].path, i);
	pathset_sort(&t->paths);
}

/*
 * A moved root may now lie between a part of a root and that root: then the part belongs to the
 * moved one or, where its options leave the part out, becomes a root of its own.
 */
static void
start_find_moved(struct starts *t, struct start *start)
{
	size_t len = path_up_len(start->path, strlen(start->path)), at;
	const struct start *above;

	if (!start->is_part || !pathset_above(&t->paths, start->path, &len, &at) || len <= strlen(start->governing.root_path))
		return;
	above = &t->v[at];
	if (above->is_part || above->make_root)
		return;
	start->governing = above->governing;
	if (rules_check_path(above->governing.rules, path_below(start->path, above->path), true) == SKIP_NO)
		return;
	start->is_part = false;
	start->make_root = true;
	start->governing = (struct governing){ t->fresh, start->path };
}

/* Drop every start point that another one reaches; of equal ones the first stays. */
static void
start_prune(struct starts *t, const struct roots *roots)
{
	enum { STAYS, IS_REACHED, IS_AGAIN } *fates = mem_zalloc(t->n + 1, sizeof(*fates));
	size_t n = 0, first;

	start_index(t);
	for (size_t i = 0; i < t->n; i++)
		start_find_moved(t, &t->v[i]);
	for (size_t i = 0; i < t->n; i++) {
		const char *path = t->v[i].path;

		if (pathset_find(&t->paths, path, strlen(path), &first) && first != i)
			fates[i] = IS_AGAIN;
		else if (start_is_reached(t, roots, &t->v[i]))
			fates[i] = IS_REACHED;
	}
	for (size_t i = 0; i < t->n; i++) {
		struct start *start = &t->v[i];

		if (fates[i] == STAYS)
			t->v[n++] = *start;
		else if (fates[i] == IS_REACHED && start->make_root && start->governing.rules != t->fresh) {
			/* It becomes a root on the way. */
			t->inner.rules = start->governing.rules;
			vec_push(&t->inner, start->path);
		} else
			free(start->path);
	}
	t->n = n;
	free(fates);
	start_index(t);
	for (size_t i = 0; i < t->inner.n; i++)
		pathset_add(&t->inner.paths, t->inner.v[i], i);
	pathset_sort(&t->inner.paths);
}

/* Put the directories between a root and its part into the map; they are not read. */
static void
start_make_way(struct starts *t, struct start *start, struct dirmap *map, struct volumes *volumes)
{
	const char *base = path_base(start->path), *name;
	size_t len = strlen(start->governing.root_path);
	const struct dirmap_dir *d = dirmap_by_path(map, start->path, len);
	const char *rest = start->path + len;

	start->parent = d != NULL ? d->id : 0;
	while (start->parent != 0 && path_next(&rest, &name, &len) && name < base) {
		struct start_way *way;
		struct fs_stat st = { .inode = 0 };
		char *path;

		d = dirmap_by_place(map, start->parent, name, len);
		if (d != NULL) {
			start->parent = d->id;
			continue;
		}
		way = vec_add(&t->ways);
		*way = (struct start_way){ .id = dirmap_new_id(map), .parent = start->parent, .name = mem_dup(name, len) };
		path = mem_dup(start->path, (size_t)(name - start->path) + len);
		if (start_look(path, volumes, &way->inode.volume, &st))
			way->inode.number = (int64_t)st.inode;
		free(path);
		dirmap_put(map, way->id, way->parent, name, len, way->inode);
		/* The walk of another start point may meet it. */
		atomic_store(&dirmap_by_id(map, way->id)->claimed, false);
		start->parent = way->id;
	}
}

/* Whether the directory at path is the one that the index has as d. */
static bool
start_is(const char *path, const struct dirmap_dir *d, struct volumes *volumes)
{
	struct fs_stat st;

	return fs_stat_path(path, &st) == 0 && S_ISDIR(st.mode) && (int64_t)st.inode == d->inode.number &&
	       volumes_known(volumes, st.dev) == d->inode.volume;
}

/*
 * Find where a root lies whose disk is mounted elsewhere now: try the mount point with the last
 * name of its path, the last two, and so on.  Returns the path, owned, or NULL.
 */
static char *
start_follow(const struct root *root, const struct dirmap_dir *d, struct volumes *volumes)
{
	const char *rest = root->path + strlen(root->path), *point;
	struct buf path = { 0 };

	if (start_is(root->path, d, volumes) ||
	    !volumes_where(volumes, d->inode.volume, &point) || point == NULL || path_is_below(root->path, point))
		return NULL;
	for (;;) {
		buf_cut(&path, 0);
		buf_adds(&path, point);
		if (*rest == '/')
			path_append(&path, rest + 1, strlen(rest + 1));
		if (start_is(buf_str(&path), d, volumes))
			return buf_take(&path);
		if (rest <= root->path)
			break;
		do
			rest--;
		while (rest > root->path && *rest != '/');
	}
	buf_release(&path);
	return NULL;
}

/* Whether another disk of the index is mounted where it has the directory d. */
static bool
start_is_covered(const char *path, const struct dirmap_dir *d, struct volumes *volumes)
{
	struct fs_stat st;
	int64_t volume;

	if (fs_stat_path(path, &st) < 0)
		return false;
	volume = volumes_known(volumes, st.dev);
	return volume != 0 && volumes_differ(volumes, volume, d->inode.volume);
}

/*
 * Find the roots that are not at their paths.  Returns an owned array of owned paths, NULL for
 * roots that were not found elsewhere.
 */
static char **
start_follow_roots(const struct starts *t, struct roots *roots, const struct dirmap *map, struct volumes *volumes)
{
	char **now = mem_zalloc(roots->n + 1, sizeof(*now));
	bool looked = false;

	for (size_t i = 0; i < roots->n; i++) {
		struct dirmap_dir *d = dirmap_by_id(map, roots->v[i].dir);
		struct root *root = &roots->v[i];

		if (root->leads_to == ROOT_PATH_LOST || d == NULL || d->inode.volume == 0 || start_is(root->path, d, volumes))
			continue;
		if (!looked)
			volumes_look(volumes);
		looked = true;
		now[i] = start_follow(root, d, volumes);
		if (now[i] != NULL)
			root->leads_to = ROOT_PATH_MOVED;
		else if (!t->force_purge)
			d->covered |= start_is_covered(root->path, d, volumes);
	}
	return now;
}

/* Start at all roots, wherever their disks are mounted now. */
static void
start_add_roots(struct starts *t, struct roots *roots, struct dirmap *map, struct volumes *volumes, const struct rules *rules)
{
	char **now = start_follow_roots(t, roots, map, volumes);

	for (size_t i = 0; i < roots->n; i++) {
		const struct dirmap_dir *d = dirmap_by_id(map, roots->v[i].dir);
		const struct root *root = &roots->v[i];

		if (now[i] != NULL || (root->leads_to != ROOT_PATH_NONE && root->leads_to != ROOT_PATH_LOST)) {
			start_add(t, roots, map, volumes, now[i] != NULL ? now[i] : root->path, rules);
			t->v[t->n - 1].covered = now[i] == NULL && d != NULL && d->covered;
		}
		free(now[i]);
	}
	free(now);
}

int
start_choose(struct starts *t, struct roots *roots, struct dirmap *map, struct volumes *volumes,
            const char *const *paths, size_t n_paths, const struct rules *rules, const struct rules *fresh, struct err *err)
{
	t->fresh = mem_alloc(sizeof(*t->fresh));
	if (fresh != NULL)
		rules_copy(t->fresh, fresh);
	else
		rules_init(t->fresh);
	if (n_paths == 0 && roots->n == 0)
		return err_set(err, ERR_USAGE, "nothing was scanned yet: name a directory to scan");
	for (size_t i = 0; i < n_paths; i++) {
		if (start_check(paths[i], err) < 0)
			return -1;
		start_add(t, roots, map, volumes, paths[i], rules);
	}
	if (n_paths == 0)
		start_add_roots(t, roots, map, volumes, rules);
	start_prune(t, roots);
	for (size_t i = 0; i < t->n; i++) {
		const struct dirmap_dir *d = dirmap_by_id(map, t->v[i].id);

		/* A root that was named at its new path is there, and nowhere else. */
		if (d != NULL && d->root != NULL && d->root->leads_to != ROOT_PATH_MOVED && strcmp(d->root->path, t->v[i].path) != 0)
			d->root->leads_to = ROOT_PATH_DIR;
		if (t->v[i].is_part && t->v[i].id == 0 && t->v[i].parent == 0)
			start_make_way(t, &t->v[i], map, volumes);
	}
	for (size_t i = 0; i < roots->n; i++) {
		const char *path = roots->v[i].path;
		size_t at;

		for (size_t len = path_up_len(path, strlen(path)); pathset_above(&t->paths, path, &len, &at); len = path_up_len(path, len))
			t->v[at].roots_below = true;
	}
	return 0;
}

void
start_keep_dirty(struct starts *t, const struct dirmap *map)
{
	size_t n = 0;

	for (size_t i = 0; i < t->n; i++) {
		const struct dirmap_dir *d = dirmap_by_id(map, t->v[i].id);

		if (d != NULL && d->look != LOOK_NONE)
			t->v[n++] = t->v[i];
		else
			free(t->v[i].path);
	}
	t->n = n;
	start_index(t);
}

bool
start_lead_to(const struct starts *t, const char *path)
{
	size_t len = strlen(path), at;

	return pathset_above(&t->paths, path, &len, &at);
}
