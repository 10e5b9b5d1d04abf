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
 *	another volume         nowhere              is there: covered, or missing (missing_mount)
 *	nothing, a file,       elsewhere            is there: moved, with its options and rows
 *	or a link on the way   at another root's    is dropped: two have become one, that path wins
 *	                       nowhere              keeps path and rows; the scan reports it
 *	no path is left of     anywhere             is there
 *	it in the index        nowhere              is dropped: left by a scan that was cut off
 *
 * "Another inode" is one of the same volume.  For other directories see moved_dir, for a disk that
 * is missing missing_mount, for directories at two paths mounted_twice.
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
#include "index/name_added.h"
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

enum root_place_end
root_place_end(const struct dirmap *map, const struct root *root)
{
	const struct dirmap_dir *d = dirmap_by_id(map, root->dir), *other = NULL;

	if (d == NULL || root->leads_to == ROOT_PATH_LOST)
		return d != NULL && atomic_load(&d->claimed) ? ROOT_PLACE_MET : ROOT_PLACE_ELSEWHERE;
	if (atomic_load(&d->claimed))
		return ROOT_PLACE_MET;
	/* Two have become one if another directory that was met has its inode. */
	while (root->leads_to == ROOT_PATH_NONE && (other = dirmap_by_inode(map, d->inode, other)) != NULL) {
		if (other != d && atomic_load(&other->claimed))
			return ROOT_PLACE_ELSEWHERE;
	}
	return ROOT_PLACE_KEPT;
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
	if (ret == 0)
		ret = name_added_put_dir(ix, d->id, parent, name, len, err);
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
