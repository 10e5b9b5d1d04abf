/* SPDX-License-Identifier: MIT */
#include <config.h>

#include "index/check.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/err.h"
#include "base/mem.h"
#include "base/path.h"
#include "db/stmt.h"
#include "index/file.h"
#include "index/index.h"
#include "sys/volume.h"

enum check_root { ROOT_UNSEEN, ROOT_THERE, ROOT_OFFLINE };

int
check_open(struct check *c, struct index *ix, struct err *err)
{
	memset(c, 0, sizeof(*c));
	c->ix = ix;
	c->dirs.db = ix->db;
	if (roots_load(&c->roots, ix->db, err) < 0)
		return -1;
	c->root_state = mem_zalloc(c->roots.n + 1, 1);
	return 0;
}

void
check_release(struct check *c)
{
	dirs_release(&c->dirs);
	roots_release(&c->roots);
	free(c->root_state);
	buf_release(&c->path);
}

bool
check_volume(struct db *db, int64_t dir, int fd)
{
	struct err ignored = { 0 };
	struct stmt st = stmt_get(db, SQL_DIR_VOLUME_KEY, &ignored);
	struct volume_facts facts;
	struct buf key = { 0 };
	struct fs_stat fs;
	bool same = false;
	size_t len;

	stmt_int(&st, ":dir", dir);
	if (fs_stat_fd(fd, &fs) == 0 && volume_describe(fd, fs.dev, &facts, &key) == 0 && stmt_step(&st) == 1) {
		const char *known = stmt_col_text(&st, 0, &len);

		/* A number behind # tells devices apart that give the same key. */
		same = strncmp(known, buf_str(&key), key.len) == 0 && (known[key.len] == '\0' || known[key.len] == '#');
	}
	stmt_done(&st);
	buf_release(&key);
	return same;
}

/* Whether the directory of a root is there and on the volume that the index knows. */
static bool
check_root_there(struct check *c, const struct root *root)
{
	const int fd = fs_open_dir(AT_FDCWD, root->path);
	const bool there = fd >= 0 && check_volume(c->ix->db, root->dir, fd);

	if (fd >= 0)
		close(fd);
	return there;
}

bool
check_absent(int error)
{
	return error == ENOENT || error == ENOTDIR || error == ELOOP;
}

enum member_kind
check_stat(struct check *c, const struct file_row *row, const char *path, int error, const struct fs_stat *st)
{
	const struct root *root = roots_above(&c->roots, path);
	uint8_t *state;

	c->error = 0;
	if (error != 0 && !check_absent(error)) {
		/* Nothing is known of it now, which is not the same as gone. */
		c->error = error;
		return MEMBER_OFFLINE;
	}
	if (error != 0)
		st = NULL;
	if (st != NULL && file_same(row, st, root != NULL && root->rules.trust_mtime))
		return MEMBER_COPY;
	if (root == NULL)
		return st != NULL ? MEMBER_CHANGED : MEMBER_GONE;
	/* Missing or different: is that the file, or is something else mounted here? */
	state = &c->root_state[root - c->roots.v];
	if (*state == ROOT_UNSEEN)
		*state = check_root_there(c, root) ? ROOT_THERE : ROOT_OFFLINE;
	if (*state == ROOT_OFFLINE)
		return MEMBER_OFFLINE;
	return st != NULL ? MEMBER_CHANGED : MEMBER_GONE;
}

int
check_path(struct check *c, const struct file_row *row, const char **path, struct err *err)
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
check_row(struct check *c, const struct file_row *row, enum member_kind *kind, const char **path, struct err *err)
{
	struct fs_stat st;
	const char *here;

	if (check_path(c, row, &here, err) < 0)
		return -1;
	if (path != NULL)
		*path = here;
	c->error = 0;
	*kind = MEMBER_COPY;
	if (!c->no_look) {
		const int error = fs_stat_path(here, &st) < 0 ? errno : 0;

		c->looks++;
		*kind = check_stat(c, row, here, error, &st);
	}
	return 0;
}

int
check_member(struct check *c, const struct file_row *row, const char *const *exclude, size_t n,
             enum member_kind *kind, const char **path, struct err *err)
{
	const char *here;

	if (n > 0) {
		if (check_path(c, row, &here, err) < 0)
			return -1;
		if (path != NULL)
			*path = here;
		if (path_is_below_any(here, exclude, n)) {
			*kind = MEMBER_EXCLUDED;
			return 0;
		}
	}
	return check_row(c, row, kind, path, err);
}
