/* SPDX-License-Identifier: MIT */
/*
 * Hides how what a file system knows of changes becomes marks on directories (scan/dirty).
 *
 * The walk comes to heads: roots, directories on another volume than what they lie in, and mount
 * points, of now and of the last scan.  Of each it is asked whether it is still the directory of
 * the index, and what changed on its volume since the last scan of its root.  No answer: all below
 * is looked at, up to heads that have one.  With an answer, these directories are listed again:
 *
 *	changed                      by inode, wherever the index has it
 *	with a changed file          by the names that the file system or the index has of it
 *	without a digest             some row of it is to be looked at again
 *
 * A picture is taken before the walk looks at the first directory of its volume, so that a change
 * during the scan is one for the next.  It is kept in meta, by the scan, together with the rows; a
 * root whose last scan has none is looked at as a whole.  Main thread only, before and after the
 * walk.
 */
#include "base/base.h"

#include "scan/changed.h"

#include <fcntl.h>
#include <stdatomic.h>
#include <unistd.h>

#include "db/stmt.h"
#include "index/index.h"
#include "index/roots.h"
#include "index/volumes.h"
#include "scan/dirty.h"
#include "scan/missing_mount.h"
#include "scan/start.h"
#include "sys/changes.h"
#include "sys/mounted.h"
#include "sys/stop.h"

/* In the place of a volume: the mount points below the start points. */
#define CHANGED_MOUNTS 0

void
changed_release(struct changed *c)
{
	for (size_t i = 0; i < c->pictures.n; i++)
		buf_release(&c->pictures.v[i].picture);
	vec_release(&c->pictures);
	vec_release(&c->since);
	buf_release(&c->mounts);
	free(c->seen);
	c->seen = NULL;
}

/* Append the picture of a volume that was kept with a scan, if one was.  Returns 0 or -1. */
static int
changed_get(struct changed *c, int64_t scan, int64_t volume, struct buf *value, struct err *err)
{
	struct stmt st = stmt_get(c->ix->db, SQL_CHANGES_GET, err);
	const void *blob;
	size_t len;
	int ret;

	stmt_int(&st, ":scan", scan);
	stmt_int(&st, ":volume", volume);
	ret = stmt_step(&st);
	blob = ret == 1 ? stmt_col_blob(&st, 0, &len) : NULL;
	if (blob != NULL)
		buf_add(value, blob, len);
	stmt_done(&st);
	return ret < 0 ? -1 : 0;
}

static int
changed_put(struct changed *c, int64_t scan, int64_t volume, const struct buf *value, struct err *err)
{
	struct stmt st = stmt_get(c->ix->db, SQL_CHANGES_PUT, err);

	stmt_int(&st, ":scan", scan);
	stmt_int(&st, ":volume", volume);
	stmt_blob(&st, ":value", buf_str(value), value->len);
	return stmt_run(&st);
}

/* Mark the directories that have a name of a changed file.  Returns 0 or -1. */
static int
changed_mark_files(struct changed *c, int64_t volume, const struct changes *changes, struct err *err)
{
	struct stmt st = stmt_get(c->ix->db, SQL_FILE_INODES, err);
	int64_t last = 0;
	int ret;

	stmt_int(&st, ":volume", volume);
	while ((ret = stmt_step(&st)) == 1) {
		const int64_t dir = stmt_col_int(&st, 0);
		const uint64_t inode = (uint64_t)stmt_col_int(&st, 1);
		struct dirmap_dir *d;

		if (dir == last || bsearch(&inode, changes->files.v, changes->files.n, sizeof(inode), order_cmp_uint64) == NULL)
			continue;
		last = dir;
		d = dirmap_by_id(c->map, dir);
		if (d != NULL)
			dirty_dir(c->dirty, c->map, d, LOOK_LIST);
	}
	return ret;
}

static int
changed_mark_all(struct changed *c, int64_t volume, const struct changes *changes, struct err *err)
{
	for (size_t i = 0; i < changes->dirs.n; i++) {
		const struct inode inode = { volume, (int64_t)changes->dirs.v[i] };
		struct dirmap_dir *d = NULL;

		while ((d = dirmap_by_inode(c->map, inode, d)) != NULL)
			dirty_dir(c->dirty, c->map, d, LOOK_LIST);
	}
	return changes->files.n > 0 ? changed_mark_files(c, volume, changes, err) : 0;
}

/*
 * Take a picture of the volume of the open directory fd, unless it has one, and mark what changed
 * on it since a scan (0: look at all of it).  Returns 1: that is all; 0: it is not known; -1.
 */
static int
changed_on_volume(struct changed *c, int64_t scan, int64_t volume, const char *type, int fd, struct err *err)
{
	struct buf old = { 0 }, picture = { 0 };
	struct changes changes = { .dirs = { 0 } };
	bool has = false;
	int ret;

	for (size_t i = 0; i < c->since.n; i++) {
		if (c->since.v[i].scan == scan && c->since.v[i].volume == volume)
			return c->since.v[i].all;
	}
	if (scan != 0 && c->use && changed_get(c, scan, volume, &old, err) < 0)
		return -1;
	ret = changes_look(fd, type, c->ix->secret, c->window, old.data, old.len, &picture, &changes);
	if (ret == 1 && changed_mark_all(c, volume, &changes, err) < 0)
		ret = -1;
	else if (ret < 0)
		stop_check(err);
	/* The first one is from before anything was looked at. */
	for (size_t i = 0; i < c->pictures.n; i++)
		has |= c->pictures.v[i].volume == volume;
	if (ret >= 0 && picture.len > 0 && !has)
		vec_push(&c->pictures, ((struct changed_picture){ volume, picture }));
	else
		buf_release(&picture);
	buf_release(&old);
	changes_release(&changes);
	if (ret >= 0)
		vec_push(&c->since, ((struct changed_since){ scan, volume, ret == 1 }));
	return ret;
}

/*
 * Judge a head: whether the directory of the index, which has this path, is still there, and all
 * that changed on its volume is known.  Returns 1, 0 or -1.
 */
static int
changed_knows(struct changed *c, const struct dirmap_dir *d, const char *path, struct err *err)
{
	const struct root *root = roots_above(c->roots, path);
	/* Files that --hash-all wants are found while their directories are visited. */
	const bool whole = root == NULL || root->leads_to != ROOT_PATH_DIR || root->rules.hash_all || d->error != 0 || d->covered;
	struct volume_facts facts;
	struct fs_stat st;
	const int fd = fs_open_dir(AT_FDCWD, path);
	int ret = 0;

	if (fd >= 0 && fs_stat_fd(fd, &st) == 0) {
		const int64_t volume = volumes_number(c->volumes, fd, st.dev, &facts);
		const bool same = volume == d->inode.volume && (int64_t)st.inode == d->inode.number;

		if (volume > 0)
			ret = changed_on_volume(c, whole || !same ? 0 : root->scan, volume, facts.type, fd, err);
	}
	if (fd >= 0)
		close(fd);
	return ret;
}

/* Look at a head, once.  Returns 0 or -1. */
static int
changed_head(struct changed *c, size_t position, struct err *err)
{
	struct dirmap_dir *d = dirmap_at(c->map, position);
	struct buf path = { 0 };
	int ret = 0;

	if (bits_has(c->seen, position))
		return 0;
	bits_set(c->seen, position, true);
	dirmap_path(c->map, d->id, &path);
	if (buf_str(&path)[0] == '/' && start_lead_to(c->starts, buf_str(&path))) {
		ret = changed_knows(c, d, buf_str(&path), err);
		d->known = ret == 1;
		dirty_dir(c->dirty, c->map, d, ret == 1 ? LOOK_NONE : LOOK_WHOLE);
	}
	buf_release(&path);
	return ret < 0 ? -1 : 0;
}

/* Look at a mount point of now, or of an earlier scan.  Returns 0 or -1. */
static int
changed_mount(struct changed *c, const char *point, struct err *err)
{
	struct dirmap_dir *d;

	if (!start_lead_to(c->starts, point))
		return 0;
	d = dirmap_by_path(c->map, point, strlen(point));
	if (d != NULL)
		return changed_head(c, (size_t)(d - dirmap_at(c->map, 0)), err);
	/* A file, or a directory that the index does not have. */
	d = dirmap_by_path(c->map, point, path_parent_len(point));
	if (d != NULL)
		dirty_dir(c->dirty, c->map, d, LOOK_LIST);
	return 0;
}

/* mounted_fn: note a mount point. */
static bool
changed_note_mount(void *arg, const struct mounted *m)
{
	struct changed *c = arg;
	struct buf point = { 0 };

	mounted_name(&point, m->point);
	if (start_lead_to(c->starts, buf_str(&point)))
		buf_add(&c->mounts, buf_str(&point), point.len + 1);
	buf_release(&point);
	return false;
}

/* Look at each mount point of a list. */
static int
changed_each_mount(struct changed *c, const struct buf *mounts, struct err *err)
{
	int ret = 0;

	for (size_t at = 0; ret == 0 && at < mounts->len; at += strlen(mounts->data + at) + 1)
		ret = changed_mount(c, mounts->data + at, err);
	return ret;
}

/* Look at the mount points of now, and of the last scan of each root. */
static int
changed_mounts(struct changed *c, struct err *err)
{
	int ret = changed_each_mount(c, &c->mounts, err);

	for (size_t i = 0; ret == 0 && i < c->roots->n; i++) {
		struct buf then = { 0 };
		size_t before = 0;

		while (before < i && c->roots->v[before].scan != c->roots->v[i].scan)
			before++;
		if (before == i)
			ret = changed_get(c, c->roots->v[i].scan, CHANGED_MOUNTS, &then, err);
		if (ret == 0)
			ret = changed_each_mount(c, &then, err);
		buf_release(&then);
	}
	return ret;
}

/* Take a picture of the volume of a start point that is not where the index has it, or is new. */
static int
changed_new_start(struct changed *c, const char *path, struct err *err)
{
	const int fd = fs_open_dir(AT_FDCWD, path);
	struct volume_facts facts;
	struct fs_stat st;
	int64_t volume = 0;
	int ret = 0;

	if (fd >= 0 && fs_stat_fd(fd, &st) == 0)
		volume = volumes_number(c->volumes, fd, st.dev, &facts);
	if (volume > 0)
		ret = changed_on_volume(c, 0, volume, facts.type, fd, err);
	if (fd >= 0)
		close(fd);
	return ret < 0 ? -1 : 0;
}

/* Look at each start point.  Returns 0 or -1. */
static int
changed_starts(struct changed *c, struct err *err)
{
	int ret = 0;

	for (size_t i = 0; ret == 0 && i < c->starts->n; i++) {
		struct dirmap_dir *d = dirmap_by_id(c->map, c->starts->v[i].id);
		struct buf path = { 0 };

		if (d != NULL)
			dirmap_path(c->map, d->id, &path);
		if (d != NULL && strcmp(buf_str(&path), c->starts->v[i].path) == 0)
			ret = changed_head(c, (size_t)(d - dirmap_at(c->map, 0)), err);
		else
			ret = changed_new_start(c, c->starts->v[i].path, err);
		if (d != NULL && !d->known)
			dirty_dir(c->dirty, c->map, d, LOOK_WHOLE);
		buf_release(&path);
	}
	return ret;
}

int
changed_mark(struct changed *c, struct err *err)
{
	bool any = false;

	c->seen = bits_new(dirmap_count(c->map));
	mounted_each(changed_note_mount, c);
	for (size_t i = 0; i < c->points->n; i++) {
		if (changed_head(c, c->points->v[i], err) < 0)
			return -1;
	}
	if (changed_starts(c, err) < 0 || changed_mounts(c, err) < 0)
		return -1;
	for (size_t i = 0; i < c->since.n; i++)
		any |= c->since.v[i].all;
	if (!any)
		return 0;
	for (size_t i = 0; i < dirmap_count(c->map); i++) {
		struct dirmap_dir *d = dirmap_at(c->map, i);

		if (!d->has_digest || d->error != 0)
			dirty_dir(c->dirty, c->map, d, LOOK_LIST);
	}
	dirty_seal(c->dirty);
	return 1;
}

int
changed_keep(struct changed *c, int64_t scan, bool whole, struct err *err)
{
	const size_t n = whole ? c->pictures.n : 0;
	struct stmt st;

	for (size_t i = 0; i < n; i++) {
		if (changed_put(c, scan, c->pictures.v[i].volume, &c->pictures.v[i].picture, err) < 0)
			return -1;
	}
	if (n > 0 && changed_put(c, scan, CHANGED_MOUNTS, &c->mounts, err) < 0)
		return -1;
	st = stmt_get(c->ix->db, SQL_CHANGES_DROP_OLD, err);
	return stmt_run(&st);
}

int
changed_forget(struct index *ix, struct err *err)
{
	struct stmt st = stmt_get(ix->db, SQL_CHANGES_DROP, err);

	return stmt_run(&st);
}
