/* SPDX-License-Identifier: MIT */
/*
 * Hides how to tell that a file is gone: ENOENT alone does not prove it, because its disk may be
 * unmounted, or another one mounted in its place.  The deepest existing directory above the file
 * decides (presence_missing): if it lies on the volume that the index has there, the file is gone,
 * else offline.  The result is kept for the next file of its directory.
 *
 * struct presence_view keeps some open directories and one volume key, because rows come directory
 * by directory, or content by content from a few directories in turn.  One thread.
 */
#include "base/base.h"

#include "index/presence.h"

#include <fcntl.h>
#include <unistd.h>

#include "db/stmt.h"
#include "index/file.h"
#include "index/fleeting.h"
#include "index/index.h"
#include "sys/volume.h"

int
presence_open(struct presence_view *c, struct index *ix, struct err *err)
{
	memset(c, 0, sizeof(*c));
	c->ix = ix;
	c->dirs.db = c->remounted.db = ix->db;
	c->root_fd = -1;
	return timeless_load(&c->timeless, ix->db, err) < 0 ? -1 : roots_load(&c->roots, ix->db, err);
}

static void
presence_leave_dir(struct presence_dir *d)
{
	if (d->dir != 0 && d->fd >= 0)
		close(d->fd);
	*d = (struct presence_dir){ .dir = 0 };
}

void
presence_release(struct presence_view *c)
{
	for (size_t i = 0; i < PRESENCE_DIRS; i++)
		presence_leave_dir(&c->kept[i]);
	if (c->ix != NULL && c->root_fd >= 0)
		close(c->root_fd);
	dirs_release(&c->dirs);
	remounted_release(&c->remounted);
	timeless_release(&c->timeless);
	roots_release(&c->roots);
	buf_release(&c->path);
	buf_release(&c->place);
	buf_release(&c->key);
}

/* Whether key is that of the volume on which the index has a directory.  Returns 1, 0 or -1. */
static int
presence_key(struct db *db, int64_t dir, const char *key, struct err *err)
{
	struct stmt st = stmt_get(db, SQL_DIR_VOLUME_KEY, err);
	size_t len;
	int ret;

	stmt_int(&st, ":dir", dir);
	ret = stmt_step(&st);
	if (ret == 1)
		ret = volume_key_fits(stmt_col_text(&st, 0, &len), key);
	stmt_done(&st);
	return ret;
}

int
presence_volume(struct db *db, int64_t dir, int fd, struct err *err)
{
	struct volume_facts facts;
	struct buf key = { 0 };
	struct fs_stat st;
	int ret = 0;

	if (fs_stat_fd(fd, &st) == 0 && volume_describe(fd, st.dev, &facts, &key) == 0)
		ret = presence_key(db, dir, buf_str(&key), err);
	buf_release(&key);
	return ret;
}

/* As presence_volume, with the key of the last device kept. */
static int
presence_is_on_volume(struct presence_view *c, int64_t dir, int fd, struct err *err)
{
	struct volume_facts facts;
	struct fs_stat st;

	if (fs_stat_fd(fd, &st) < 0)
		return 0;
	if (c->key.len == 0 || c->key_dev != st.dev) {
		buf_cut(&c->key, 0);
		c->key_dev = st.dev;
		if (volume_describe(fd, st.dev, &facts, &c->key) < 0)
			return 0;
	}
	return presence_key(c->ix->db, dir, buf_str(&c->key), err);
}

enum skip
presence_mounted(const struct root *root, const char *path, const struct fs_stat *st)
{
	char *parent = mem_dup(path, path_parent_len(path));
	struct volume_facts facts = { .pseudo = false };
	struct buf key = { 0 };
	struct fs_stat above;
	enum skip skip = SKIP_NO;
	int fd;

	if (fs_stat_path(parent, &above) == 0 && above.dev != st->dev) {
		fd = fs_open_dir(AT_FDCWD, path);
		if (fd >= 0 && volume_describe(fd, st->dev, &facts, &key) == 0 && facts.pseudo)
			skip = SKIP_PSEUDO;
		else if (root->rules.one_fs)
			skip = SKIP_OTHER_FS;
		else if (facts.served && !root->rules.network && strcmp(path, root->path) != 0 && volume_is_served_from(parent, path))
			skip = SKIP_NETWORK;
		if (fd >= 0)
			close(fd);
	}
	buf_release(&key);
	free(parent);
	return skip;
}

/*
 * Open the deepest existing directory from root to path; c->place becomes its path.  Returns a
 * descriptor, or -1.
 */
static int
presence_open_place(struct presence_view *c, const char *root, const char *path)
{
	int fd;

	buf_cut(&c->place, 0);
	buf_adds(&c->place, path);
	while ((fd = fs_open_dir(AT_FDCWD, buf_str(&c->place))) < 0 && fs_is_absent(errno) &&
	       strcmp(buf_str(&c->place), root) != 0)
		buf_cut(&c->place, path_parent_len(buf_str(&c->place)));
	return fd;
}

int
presence_missing(struct presence_view *c, int64_t dir, int fd, const char *path, enum presence *kind, struct err *err)
{
	const struct root *root = roots_above(&c->roots, path);
	int place, same;

	*kind = PRESENCE_GONE;
	if (root == NULL)
		return 0;
	if (fd >= 0) {
		buf_cut(&c->place, 0);
		buf_adds(&c->place, path);
		c->place_dir = 0;
		same = presence_is_on_volume(c, dir, fd, err);
		*kind = same == 1 ? PRESENCE_GONE : PRESENCE_OFFLINE;
		return same < 0 ? -1 : 0;
	}
	if (c->place_dir != dir) {
		place = presence_open_place(c, root->path, path);
		c->place_error = place < 0 && !fs_is_absent(errno) ? errno : 0;
		same = place >= 0 ? presence_is_on_volume(c, dir, place, err) : 0;
		if (place >= 0)
			close(place);
		c->place_dir = same < 0 ? 0 : dir;
		if (same < 0)
			return -1;
		c->place_kind = c->place_error != 0 ? PRESENCE_UNREADABLE : same == 1 ? PRESENCE_GONE : PRESENCE_OFFLINE;
	}
	c->error = c->place_error;
	*kind = c->place_kind;
	return 0;
}

bool
presence_same(const struct presence_view *c, const struct file_row *row, const char *path, const struct fs_stat *st)
{
	const struct root *root = roots_of_file(&c->roots, path);

	return file_same(row, st, root != NULL && root->rules.trust_mtime);
}

/* Note that a signature that proves nothing was believed, unless --trust-mtime allows it. */
static void
presence_doubt(const struct presence_view *c, const struct file_row *row, const char *path)
{
	const struct root *root = roots_of_file(&c->roots, path);

	if (root == NULL || !root->rules.trust_mtime)
		timeless_doubt(c->ix, row, path);
}

/* presence_missing for a file: its directory decides. */
static int
presence_missing_file(struct presence_view *c, const struct file_row *row, const char *path, enum presence *kind, struct err *err)
{
	char *dir = mem_dup(path, path_parent_len(path));
	const int ret = presence_missing(c, row->dir, -1, dir, kind, err);

	free(dir);
	return ret;
}

int
presence_stat(struct presence_view *c, const struct file_row *row, const char *path, int error, const struct fs_stat *st,
              enum presence *kind, struct err *err)
{
	c->error = 0;
	if (error != 0 && !fs_is_absent(error)) {
		/* Unknown, not gone. */
		c->error = error;
		*kind = PRESENCE_UNREADABLE;
		return 0;
	}
	if (error != 0)
		st = NULL;
	if (st != NULL && presence_same(c, row, path, st)) {
		c->nlink = (int64_t)st->nlink;
		*kind = PRESENCE_HERE;
		if (timeless_has(&c->timeless, row->inode.volume))
			presence_doubt(c, row, path);
		return 0;
	}
	/* Missing or different: the file itself, or another volume mounted here? */
	if (presence_missing_file(c, row, path, kind, err) < 0)
		return -1;
	if (*kind == PRESENCE_GONE && st != NULL)
		*kind = PRESENCE_CHANGED;
	return 0;
}

int
presence_path(struct presence_view *c, const struct file_row *row, const char **path, struct err *err)
{
	if (c->dir != row->dir) {
		const struct dirs_prefix *prefix = dirs_prefix(&c->dirs, row->dir, err);

		if (prefix == NULL)
			return -1;
		c->dir = row->dir;
		buf_cut(&c->path, 0);
		buf_add(&c->path, prefix->text, prefix->len);
		c->dir_len = c->path.len;
	}
	buf_cut(&c->path, c->dir_len);
	buf_add(&c->path, row->name, row->name_len);
	*path = buf_str(&c->path);
	return 0;
}

int
presence_rely(struct presence_view *c, const struct file_row *row, struct err *err)
{
	const char *path;

	if (!timeless_has(&c->timeless, row->inode.volume))
		return 0;
	if (presence_path(c, row, &path, err) < 0)
		return -1;
	presence_doubt(c, row, path);
	return 0;
}

/*
 * Get the directory of presence_path()'s last path, opened unless it is kept.  A link in place of a
 * directory on the way counts as missing: it leads to a place that the index may have, too, or that
 * -x leaves out.
 */
static const struct presence_dir *
presence_enter(struct presence_view *c)
{
	size_t at = 0;
	struct presence_dir d;

	while (at < PRESENCE_DIRS - 1 && c->kept[at].dir != c->dir)
		at++;
	if (c->kept[at].dir != c->dir) {
		char *dir = mem_dup(c->path.data, c->dir_len);

		presence_leave_dir(&c->kept[at]);
		if (c->root_fd < 0)
			c->root_fd = fs_enter_dir("/");
		c->kept[at].fd = c->root_fd >= 0 ? fs_enter_dir_at(c->root_fd, dir + 1) : -1;
		c->kept[at].error = c->kept[at].fd < 0 ? errno : 0;
		c->kept[at].dir = c->dir;
		free(dir);
	}
	d = c->kept[at];
	memmove(c->kept + 1, c->kept, at * sizeof(*c->kept));
	c->kept[0] = d;
	return c->kept;
}

int
presence_row(struct presence_view *c, const struct file_row *row, enum presence *kind, const char **path, struct err *err)
{
	struct fs_stat st;
	const char *here;

	if (presence_path(c, row, &here, err) < 0)
		return -1;
	if (path != NULL)
		*path = here;
	c->error = 0;
	c->nlink = row->nlink;
	*kind = PRESENCE_HERE;
	if (!c->no_look && !c->ix->members) {
		const struct presence_dir *d = presence_enter(c);
		const int error = d->error != 0 ? d->error : fs_stat_at(d->fd, here + c->dir_len, &st) < 0 ? errno : 0;

		c->looks++;
		return presence_stat(c, row, here, error, &st, kind, err);
	}
	return 0;
}

enum presence
presence_counts(const struct presence_where *where, const char *path)
{
	if (path_is_below_any(path, where->exclude, where->n_exclude) || (where->n_in > 0 && !path_is_below_any(path, where->in, where->n_in)))
		return PRESENCE_EXCLUDED;
	return where->no_trash && path_in_trash(path, where->meant, where->n_meant) ? PRESENCE_TRASH : PRESENCE_HERE;
}

bool
presence_is_of(enum presence kind)
{
	return kind != PRESENCE_EXCLUDED && kind != PRESENCE_TRASH && kind != PRESENCE_FLEETING;
}

int
presence_member(struct presence_view *c, const struct file_row *row, const struct presence_where *where,
                enum presence *kind, const char **path, struct err *err)
{
	const struct dirs_prefix *prefix;
	const char *here;

	c->fleeting = 0;
	if (where->n_exclude > 0 || where->n_in > 0 || where->no_trash) {
		if (presence_path(c, row, &here, err) < 0)
			return -1;
		if (path != NULL)
			*path = here;
		*kind = presence_counts(where, here);
		if (*kind != PRESENCE_HERE)
			return 0;
	}
	if (presence_row(c, row, kind, path, err) < 0)
		return -1;
	if (!where->lasting)
		return 0;
	prefix = dirs_prefix(&c->dirs, row->dir, err);
	if (prefix == NULL)
		return -1;
	/* presence_counts has judged trashes by path: one that the user named counts. */
	c->fleeting = prefix->fleeting & ~(where->fleeting | FLEETING_TRASH);
	if (c->fleeting != 0 && *kind != PRESENCE_GONE)
		*kind = PRESENCE_FLEETING;
	return 0;
}
