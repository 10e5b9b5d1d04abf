/* SPDX-License-Identifier: MIT */
/*
 * Hides how a scan tells a volume that came back under another key from another volume at the same
 * place: by the names that the index has directly in the mount point.  Runs in the main thread,
 * before the walk.  It marks dirmap_dir.covered and has_dirs, and reads rows.
 */
#include "base/base.h"

#include "scan/mounts.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include "db/stmt.h"
#include "index/presence.h"
#include "scan/dirmap.h"
#include "index/dirs.h"
#include "index/file.h"
#include "scan/start.h"
#include "index/volumes.h"
#include "sys/fs.h"

/* Names of files, and of directories, that are looked for at most. */
#define MOUNTS_SAMPLE 1000

/* Names that many volumes have say nothing about which one it is. */
static const char *const mounts_common[] = {
	"lost+found", "System Volume Information", "$RECYCLE.BIN", "RECYCLER", "FOUND.000", NULL
};

static bool
mounts_is_common(const char *name)
{
	for (size_t i = 0; mounts_common[i] != NULL; i++) {
		if (strcmp(name, mounts_common[i]) == 0)
			return true;
	}
	return false;
}

/* Look in the open directory fd for files that the index has in dir.  *had: it has any. */
static int
mounts_find_files(struct db *db, int64_t dir, int fd, bool *had, bool *found, struct err *err)
{
	struct stmt st = stmt_get(db, SQL_FILE_IN_DIR, err);
	struct file_row row;
	struct fs_stat fs;
	int ret = 0, n = 0;

	stmt_int(&st, ":dir", dir);
	while (!*found && n++ < MOUNTS_SAMPLE && (ret = stmt_step(&st)) == 1) {
		ret = file_read(&st, &row, err);
		if (ret < 0)
			break;
		*had = true;
		*found = fs_stat_at(fd, row.name, &fs) == 0 && S_ISREG(fs.mode) && fs.size == row.size;
	}
	stmt_done(&st);
	return ret < 0 ? -1 : 0;
}

/* The same for its directories, by name. */
static int
mounts_find_dirs(struct db *db, int64_t dir, int fd, bool *had, bool *found, struct err *err)
{
	struct stmt st = stmt_get(db, SQL_DIR_CHILDREN, err);
	struct fs_stat fs;
	int ret = 0, n = 0;

	stmt_int(&st, ":parent", dir);
	while (!*found && n++ < MOUNTS_SAMPLE && (ret = stmt_step(&st)) == 1) {
		size_t len;
		const char *name = dirs_read_name(&st, 1, stmt_col_int(&st, 0), dir, &len, err);

		if (name == NULL) {
			ret = -1;
			break;
		}
		if (mounts_is_common(name))
			continue;
		*had = true;
		*found = fs_stat_at(fd, name, &fs) == 0 && S_ISDIR(fs.mode);
	}
	stmt_done(&st);
	return ret < 0 ? -1 : 0;
}

/* Mark one directory, which is at path, if it is covered. */
static int
mounts_check(struct dirmap_dir *d, struct db *db, const char *path, struct err *err)
{
	struct fs_list list = { 0 };
	const int fd = fs_open_dir(AT_FDCWD, path);
	bool had = false, found = false;
	const int same = fd >= 0 ? presence_volume(db, d->id, fd, err) : 1;
	int ret = same < 0 ? -1 : 0;

	/* An empty one is judged by the walk itself. */
	if (same == 0 && fs_list_read(&list, fd) == 0 && list.n > 0) {
		ret = mounts_find_files(db, d->id, fd, &had, &found, err);
		if (ret == 0 && !found)
			ret = mounts_find_dirs(db, d->id, fd, &had, &found, err);
		d->covered |= had && !found;
	}
	if (fd >= 0)
		close(fd);
	fs_list_release(&list);
	return ret;
}

void
mounts_find(struct mounts *m, struct dirmap *map)
{
	struct dirmap_dir *parent = NULL;

	for (size_t i = 0; i < dirmap_count(map); i++) {
		struct dirmap_dir *d = dirmap_at(map, i);
		bool begins = false;

		if (d->parent > 0) {
			/* Neighbours often have the same. */
			if (parent == NULL || parent->id != d->parent)
				parent = dirmap_by_id(map, d->parent);
			if (parent != NULL)
				parent->has_dirs = true;
			begins = parent != NULL && parent->inode.volume != d->inode.volume;
		}
		if (d->inode.volume != 0 && (begins || d->root != NULL))
			vec_push(m, i);
	}
}

void
mounts_release(struct mounts *m)
{
	vec_release(m);
}

void
mounts_recognize(const struct mounts *m, const struct dirmap *map, struct volumes *volumes)
{
	struct buf path = { 0 };

	for (size_t i = 0; i < m->n; i++) {
		const struct dirmap_dir *d = dirmap_at(map, m->v[i]);

		buf_cut(&path, 0);
		dirmap_path(map, d->id, &path);
		volumes_recognize(volumes, d->inode.volume, buf_str(&path), d->inode.number);
	}
	buf_release(&path);
}

/* Whether a start point begins with the directory of the index elsewhere than at path. */
static bool
mounts_is_elsewhere(const struct starts *starts, int64_t dir, const char *path)
{
	for (size_t i = 0; i < starts->n; i++) {
		if (starts->v[i].id == dir)
			return strcmp(starts->v[i].path, path) != 0;
	}
	return false;
}

int
mounts_mark_covered(const struct mounts *m, const struct dirmap *map, struct db *db, const struct starts *starts,
                    struct err *err)
{
	struct buf path = { 0 };
	int ret = 0;

	for (size_t i = 0; ret == 0 && i < m->n; i++) {
		struct dirmap_dir *d = dirmap_at(map, m->v[i]);

		buf_cut(&path, 0);
		dirmap_path(map, d->id, &path);
		if (start_lead_to(starts, buf_str(&path)) && !mounts_is_elsewhere(starts, d->id, buf_str(&path)))
			ret = mounts_check(d, db, buf_str(&path), err);
	}
	buf_release(&path);
	return ret;
}
