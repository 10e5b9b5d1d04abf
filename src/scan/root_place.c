/* SPDX-License-Identifier: MIT */
/*
 * A root is known by its path, which was given to scan, and by the inode (with its volume)
 * that the directory there had.  Both can change hands between two scans.  The rule:
 * a path that leads to a directory wins; only a root whose path does
 * not is looked for by its inode.
 *
 *	its path leads to      its inode is met     then the root
 *	its inode              there                is there
 *	its inode              elsewhere, too       is there; elsewhere: mounted twice, or a copy
 *	the inode of another   there                keeps path and rows: the other lies over it
 *	directory, whose path
 *	leads to it as well
 *	another inode          anywhere             is there, replaced: rows are compared by name
 *	another volume         elsewhere            is there: its disk is mounted at another place,
 *	                                            which a scan of all roots finds by itself
 *	another volume         nowhere              is there: covered, or another disk (mounts)
 *	nothing, a file,       elsewhere            is there: moved, with its options and rows
 *	or a link on the way   at another root's    is dropped: two have become one, that path wins
 *	                       nowhere              keeps path and rows; the scan reports it
 *	no path is left of     anywhere             is there
 *	it in the index        nowhere              is dropped: left by a scan that was cut off
 *
 * "Another inode" is one of the same volume.  For other directories the inode comes first, so that
 * a moved one keeps its rows, then the place in the index.  An empty directory where another
 * volume was mounted gets its place only if the walk has not met that volume elsewhere.
 *
 * A root hangs on the directory above it if the index has that; otherwise it has no parent, and an
 * absolute path for a name.  So it stays when the directories above it vanish or are left out
 * (root_place_hang).
 */
#include "base/base.h"

#include "scan/root_place.h"

#include <fcntl.h>
#include <stdatomic.h>
#include <sys/stat.h>
#include <unistd.h>

#include "db/stmt.h"
#include "scan/dirmap.h"
#include "index/dirs.h"
#include "index/row_history.h"
#include "index/index.h"
#include "index/roots.h"
#include "index/volumes.h"
#include "sys/fs.h"

/* Where the path of a root leads; slash is an open "/", below which no component may be a link. */
static enum root_path
root_place_look_at(struct root *root, const struct dirmap_dir *d, struct volumes *volumes, int slash)
{
	struct fs_stat st;
	enum root_path leads_to = ROOT_PATH_DIR;
	int fd;

	if (d != NULL && d->parent < 0)
		return ROOT_PATH_LOST;
	fd = fs_open_dir(slash, root->path + 1);
	if (fd < 0) {
		root->error = errno == ENOENT ? ENOENT : 0;
		return fs_is_absent(errno) ? ROOT_PATH_NONE : ROOT_PATH_DIR;
	}
	if (d != NULL && d->inode.volume != 0 && fs_stat_fd(fd, &st) == 0 && (int64_t)st.inode != d->inode.number &&
	    volumes_number(volumes, fd, st.dev, NULL) != d->inode.volume)
		leads_to = ROOT_PATH_MOUNT;
	close(fd);
	return leads_to;
}

void
root_place_join(struct roots *roots, const struct dirmap *map)
{
	for (size_t i = 0; i < roots->n; i++) {
		struct dirmap_dir *d = dirmap_by_id(map, roots->v[i].dir);

		if (d != NULL)
			d->root = &roots->v[i];
	}
}

void
root_place_look(struct roots *roots, const struct dirmap *map, struct volumes *volumes)
{
	const int slash = open("/", O_RDONLY | O_DIRECTORY | O_CLOEXEC);

	for (size_t i = 0; i < roots->n; i++) {
		struct root *root = &roots->v[i];

		root->leads_to = root_place_look_at(root, dirmap_by_id(map, root->dir), volumes, slash);
	}
	if (slash >= 0)
		close(slash);
}

bool
root_place_has_moved(const struct root *root, int64_t inode)
{
	struct fs_stat st;

	switch (root->leads_to) {
	case ROOT_PATH_NONE:
	case ROOT_PATH_MOVED:
	case ROOT_PATH_LOST:
		return true;
	case ROOT_PATH_MOUNT:
		/* The same inode number on another volume: a copy of it. */
		return fs_stat_path(root->path, &st) < 0 || (int64_t)st.inode != inode;
	default:
		return false;
	}
}

/* The path of the directory. */
static void
root_place_path(const struct root_place_here *here, struct buf *path)
{
	buf_cut(path, 0);
	buf_adds(path, here->start);
	if (here->rel[0] != '\0')
		path_append(path, here->rel, strlen(here->rel));
}

bool
root_place_still_there(const struct dirmap *map, const struct dirmap_dir *d, const struct root_place_here *here)
{
	struct buf old = { 0 }, path = { 0 };
	struct fs_stat st;
	bool there;

	dirmap_path(map, d->id, &old);
	root_place_path(here, &path);
	there = strcmp(buf_str(&old), buf_str(&path)) != 0 && fs_stat_path(buf_str(&old), &st) == 0 &&
	        st.dev == here->dev && (int64_t)st.inode == here->inode.number;
	buf_release(&old);
	buf_release(&path);
	return there;
}

bool
root_place_is_elsewhere(const struct dirmap *map, const struct root_place_here *here)
{
	const struct dirmap_dir *place = here->place, *d = NULL;

	if (place != NULL && inode_same(place->inode, here->inode))
		return false;
	while ((d = dirmap_by_inode(map, here->inode, d)) != NULL) {
		if (root_place_still_there(map, d, here))
			return true;
	}
	return false;
}

/* Claim a directory with this inode: with is_root a root that has moved, else no root. */
static struct dirmap_dir *
root_place_claim_inode(const struct dirmap *map, const struct root_place_here *here, bool is_root)
{
	struct dirmap_dir *d = NULL;

	while ((d = dirmap_by_inode(map, here->inode, d)) != NULL) {
		/* Directories above the start point are not visited: they stay. */
		if ((d->root != NULL) != is_root || d->pinned || atomic_load(&d->claimed))
			continue;
		if (is_root ? !root_place_has_moved(d->root, d->inode.number) : root_place_still_there(map, d, here))
			continue;
		if (dirmap_claim(d))
			return d;
	}
	return NULL;
}

/* The directory of the root whose path this is, or NULL. */
static struct dirmap_dir *
root_place_by_path(const struct dirmap *map, const struct roots *roots, const struct root_place_here *here)
{
	struct buf path = { 0 };
	const struct root *root;

	root_place_path(here, &path);
	root = roots_at(roots, buf_str(&path));
	buf_release(&path);
	return root != NULL ? dirmap_by_id(map, root->dir) : NULL;
}

/* Whether the place is a mount point without the volume that the index has there. */
static bool
root_place_lacks_mount(const struct dirmap *map, const struct root_place_here *here)
{
	const struct dirmap_dir *place = here->place, *parent = dirmap_by_id(map, place->parent);

	return here->rel[0] != '\0' && here->inode.volume != 0 && place->inode.volume != 0 && place->inode.volume != here->inode.volume &&
	       parent != NULL && parent->inode.volume != place->inode.volume;
}

struct dirmap_dir *
root_place_claim(const struct dirmap *map, const struct roots *roots, const struct root_place_here *here, bool *unclaimed)
{
	struct dirmap_dir *place = here->place, *d = NULL;

	*unclaimed = false;
	/* For a root that was named start.c has decided. */
	if (here->rel[0] == '\0' && place != NULL && place->root != NULL)
		d = place;
	else if (here->look || (place != NULL && place->root != NULL))
		d = root_place_by_path(map, roots, here);
	if (d != NULL && dirmap_claim(d))
		return d;
	/* A root is known by path and inode alone: its place may have moved with its parent. */
	if (place != NULL && place->root != NULL)
		place = NULL;
	if (here->inode.volume != 0) {
		d = root_place_claim_inode(map, here, true);
		if (d == NULL && (place == NULL || !inode_same(place->inode, here->inode)))
			d = root_place_claim_inode(map, here, false);
		else if (d == NULL && dirmap_claim(place))
			d = place;
		if (d != NULL)
			return d;
	}
	if (place != NULL && root_place_lacks_mount(map, here) && !atomic_load(&place->claimed)) {
		*unclaimed = true;
		return place;
	}
	return place != NULL && dirmap_claim(place) ? place : NULL;
}

/* Whether another directory that was met has this inode. */
static bool
root_place_met_inode(const struct dirmap *map, const struct dirmap_dir *dir)
{
	const struct dirmap_dir *d = NULL;

	while ((d = dirmap_by_inode(map, dir->inode, d)) != NULL) {
		if (d != dir && atomic_load(&d->claimed))
			return true;
	}
	return false;
}

enum root_place_end
root_place_end(const struct dirmap *map, const struct root *root)
{
	const struct dirmap_dir *d = dirmap_by_id(map, root->dir);

	if (d == NULL || root->leads_to == ROOT_PATH_LOST)
		return d != NULL && atomic_load(&d->claimed) ? ROOT_PLACE_MET : ROOT_PLACE_ELSEWHERE;
	if (atomic_load(&d->claimed))
		return ROOT_PLACE_MET;
	return root->leads_to == ROOT_PATH_NONE && root_place_met_inode(map, d) ? ROOT_PLACE_ELSEWHERE : ROOT_PLACE_KEPT;
}

int
root_place_hang_at(struct dirmap *map, struct index *ix, struct dirmap_dir *d, int64_t parent, const char *name, size_t len,
              struct err *err)
{
	struct buf text = { 0 };
	struct stmt st;
	int ret;

	if (dirmap_is_at(map, d, parent, name, len))
		return 0;
	if (row_history_dir(ix, d->id, err) < 0)
		return -1;
	dirs_store_name(&text, name, len, parent);
	st = stmt_get(ix->db, SQL_DIR_HANG, err);
	stmt_int(&st, ":dir", d->id);
	stmt_int(&st, ":parent", parent);
	stmt_text(&st, ":name", text.data, text.len);
	if (!name_is_utf8(name, len))
		stmt_blob(&st, ":raw", name, len);
	ret = stmt_run(&st);
	buf_release(&text);
	dirmap_hang(map, d, parent, name, len);
	return ret;
}

int
root_place_hang(struct dirmap *map, struct index *ix, struct dirmap_dir *d, const char *path, struct err *err)
{
	const size_t up = path_up_len(path, strlen(path));
	const struct dirmap_dir *above = up > 0 ? dirmap_by_path(map, path, up) : NULL;
	const int64_t parent = above != NULL && !above->dropped ? above->id : 0;
	const char *name = parent != 0 ? path_base(path) : path;

	return root_place_hang_at(map, ix, d, parent, name, strlen(name), err);
}
