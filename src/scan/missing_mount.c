/* SPDX-License-Identifier: MIT */
/*
 * Hides that a disk which is not mounted keeps its rows: only a listing of its own directories
 * proves that files are gone.  Where the index knows a volume, a scan may meet instead
 *
 *	an empty directory, or a root     rows stay: missing_mount_keeps
 *	that had many files
 *	another disk, with none of the    rows stay, and nothing is listed: missing_mount_is_covered
 *	names that the index has there    where the volume is certainly another one, else
 *	                                  missing_mount_mark_covered by the names
 *	a disk over a directory that      the same, by the names
 *	was none of its own
 *	another key, with one of those    the same disk: listed, and compared by name
 *	the bare mount point              the row is claimed only if the walk has not met the volume
 *	                                  elsewhere: missing_mount_is_bare, listing_settle
 *	no directory                      rows stay: missing_mount_point_gone
 *	another path of the mount, while  rows stay: visit_holds, visit_lose
 *	the walk is in it
 *	a network or FUSE mount that      rows of another volume stay: visit_pass_by
 *	nobody asked for
 *
 * --force-purge drops the rows of all of these.  mark_covered runs in the main thread before the
 * walk, and marks dirmap_dir.covered.
 */
#include "base/base.h"

#include "scan/missing_mount.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include "db/stmt.h"
#include "index/index.h"
#include "index/presence.h"
#include "index/rows.h"
#include "index/volumes.h"
#include "scan/dirmap.h"
#include "scan/listing.h"
#include "scan/start.h"
#include "scan/stats.h"
#include "sys/fs.h"
#include "sys/mounted.h"

/* Names of files, and directories, that are looked for at most. */
#define MISSING_MOUNT_SAMPLE 1000
/* A root with more files than this that is found empty counts as a missing mount. */
#define MISSING_MOUNT_MUCH 100

/* Names that many volumes have say nothing about which one it is. */
static const char *const missing_mount_common[] = {
	"lost+found", "System Volume Information", "$RECYCLE.BIN", "RECYCLER", "FOUND.000", NULL
};

static bool
missing_mount_is_common(const char *name)
{
	for (size_t i = 0; missing_mount_common[i] != NULL; i++) {
		if (strcmp(name, missing_mount_common[i]) == 0)
			return true;
	}
	return false;
}

/* Whether the open directory fd lacks all names of d, of which rows are the files; d has some. */
static bool
missing_mount_lacks_names(const struct dirmap *map, const struct dirmap_dir *d, const struct rows *rows, int fd)
{
	struct fs_stat st;
	size_t dirs = 0;

	for (size_t i = 0; i < rows->n && i < MISSING_MOUNT_SAMPLE; i++) {
		if (fs_stat_at(fd, rows->v[i].name, &st) == 0 && S_ISREG(st.mode) && st.size == rows->v[i].size)
			return false;
	}
	for (size_t i = 0; i < dirmap_count(map) && dirs < MISSING_MOUNT_SAMPLE; i++) {
		const struct dirmap_dir *child = dirmap_at(map, i);
		const char *name = dirmap_name(map, child);

		if (child->parent != d->id || missing_mount_is_common(name))
			continue;
		if (fs_stat_at(fd, name, &st) == 0 && S_ISDIR(st.mode))
			return false;
		dirs++;
	}
	return rows->n > 0 || dirs > 0;
}

/* Mark one directory, which is at path, if it is covered. */
static int
missing_mount_check(const struct dirmap *map, struct dirmap_dir *d, struct db *db, const char *path, struct err *err)
{
	struct fs_list list = { 0 };
	struct rows rows = { 0 };
	const int fd = fs_open_dir(AT_FDCWD, path);
	const int same = fd >= 0 ? presence_volume(db, d->id, fd, err) : 1;
	int ret = same < 0 ? -1 : 0;

	/* missing_mount_keeps judges an empty one. */
	if (same == 0 && fs_list_read(&list, fd) == 0 && list.n > 0) {
		ret = rows_load(&rows, db, d->id, err);
		d->covered |= ret == 0 && missing_mount_lacks_names(map, d, &rows, fd);
		rows_release(&rows);
	}
	if (fd >= 0)
		close(fd);
	fs_list_release(&list);
	return ret;
}

void
mount_points_find(struct mount_points *m, struct dirmap *map)
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
mount_points_recognize(const struct mount_points *m, const struct dirmap *map, struct volumes *volumes)
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
missing_mount_is_elsewhere(const struct starts *starts, int64_t dir, const char *path)
{
	for (size_t i = 0; i < starts->n; i++) {
		if (starts->v[i].id == dir)
			return strcmp(starts->v[i].path, path) != 0;
	}
	return false;
}

/* The mounts of this moment on their way. */
struct missing_mount_now {
	const struct dirmap *map;
	struct db *db;
	const struct starts *starts;
	struct err *err;
	int ret;
};

/* mounted_fn: mark a directory as covered that was no mount point when it was scanned. */
static bool
missing_mount_check_now(void *arg, const struct mounted *m)
{
	struct missing_mount_now *w = arg;
	struct buf path = { 0 };
	struct dirmap_dir *d;
	const struct dirmap_dir *parent;

	mounted_name(&path, m->point);
	d = dirmap_by_path(w->map, buf_str(&path), path.len);
	parent = d != NULL && d->root == NULL ? dirmap_by_id(w->map, d->parent) : NULL;
	/* The walk passes by remote ones, which may not answer. */
	if (!m->remote && parent != NULL && d->inode.volume != 0 && d->inode.volume == parent->inode.volume && start_lead_to(w->starts, buf_str(&path)))
		w->ret = missing_mount_check(w->map, d, w->db, buf_str(&path), w->err);
	buf_release(&path);
	return w->ret < 0;
}

int
missing_mount_mark_covered(const struct mount_points *m, const struct dirmap *map, struct db *db, const struct starts *starts,
                           struct err *err)
{
	struct buf path = { 0 };
	int ret = 0;

	for (size_t i = 0; ret == 0 && i < m->n; i++) {
		struct dirmap_dir *d = dirmap_at(map, m->v[i]);

		buf_cut(&path, 0);
		dirmap_path(map, d->id, &path);
		if (start_lead_to(starts, buf_str(&path)) && !missing_mount_is_elsewhere(starts, d->id, buf_str(&path)))
			ret = missing_mount_check(map, d, db, buf_str(&path), err);
	}
	buf_release(&path);
	if (ret == 0) {
		struct missing_mount_now now = { map, db, starts, err, 0 };

		mounted_each(missing_mount_check_now, &now);
		ret = now.ret;
	}
	return ret;
}

bool
missing_mount_is_covered(const struct dirmap_dir *d, struct volumes *volumes, int64_t volume, const uint8_t *no_files)
{
	const bool has_files = !d->has_digest || memcmp(d->digest, no_files, DIGEST_SIZE) != 0;

	return (d->has_dirs || has_files) && volumes_differ(volumes, d->inode.volume, volume);
}

bool
missing_mount_is_bare(const struct dirmap *map, const struct dirmap_dir *d, struct inode inode)
{
	const struct dirmap_dir *parent = dirmap_by_id(map, d->parent);

	return inode.volume != 0 && d->inode.volume != 0 && d->inode.volume != inode.volume &&
	       parent != NULL && parent->inode.volume != d->inode.volume;
}

/* Tell of files that stay, with what people call their disk, if it has words. */
static void
missing_mount_tell(struct stats *counts, const char *words, const char *path, const char *why)
{
	struct buf b = { 0 };

	buf_addf(&b, "%s%s%s", words != NULL ? words : "", words != NULL ? ": " : "", why);
	stats_problem(counts, &counts->kept_offline, path, buf_str(&b));
	buf_release(&b);
}

int
missing_mount_keeps(struct index *ix, const struct listing *l, struct stats *counts, struct err *err)
{
	/* Where the volume is another one, a single file that was there is enough. */
	const int64_t most = l->offline ? 0 : MISSING_MOUNT_MUCH;
	const char *words = NULL;
	bool keeps = l->offline;

	if (l->is_empty && !l->is_new && (l->offline || l->is_root)) {
		struct stmt st = stmt_get(ix->db, SQL_FILE_COUNT_BELOW, err);
		int64_t had;

		stmt_int(&st, ":dir", l->dir);
		stmt_int(&st, ":limit", most + 1);
		if (stmt_number(&st, &had) < 0)
			return -1;
		keeps = had > most;
	}
	if (keeps && drawer_words_of_dir(&ix->drawer, ix->db, l->dir, &words, err) < 0)
		return -1;
	if (keeps)
		missing_mount_tell(counts, words, l->path, l->covered ?
		                   "another volume is mounted here: the files of the former one stay in the index (--force-purge drops them)" :
		                   "empty now, as if not mounted: its files stay in the index (--force-purge drops them)");
	return keeps;
}

bool
missing_mount_point_gone(const struct dirmap *map, struct volumes *volumes, const struct drawer *drawer, const struct dirmap_dir *d,
                         const struct dirmap_dir *parent, struct stats *counts)
{
	struct buf path = { 0 };
	struct fs_stat st;
	bool gone;

	if (d->inode.volume == 0 || d->inode.volume == parent->inode.volume ||
	    !volumes_differ(volumes, d->inode.volume, parent->inode.volume))
		return false;
	/* A directory that is there was left out by new options. */
	dirmap_path(map, d->id, &path);
	gone = fs_stat_path(buf_str(&path), &st) < 0 && fs_is_absent(errno);
	if (gone)
		missing_mount_tell(counts, drawer_words(drawer, d->inode.volume), buf_str(&path),
		                   "not mounted, and its mount point is gone: its files stay in the index (--force-purge drops them)");
	buf_release(&path);
	return gone;
}
