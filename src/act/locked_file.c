/* SPDX-License-Identifier: MIT */
#include "base/base.h"

#include "act/locked_file.h"

#include <sys/stat.h>
#include <unistd.h>

#include "act/locked_dir.h"
#include "act/verdict.h"

static int
locked_file_open_both(struct locked_file *h, struct locked_file_dirs *dirs, struct verdict *v)
{
	struct fs_stat st;
	int error;

	h->in = locked_file_dirs_open(dirs, h->path, path_parent_len(h->path));
	if (h->in == NULL && (errno == ELOOP || errno == ENOTDIR))
		return verdict_set(v, ACT_UNSURE, "its path has changed: a link or a file is where a directory was");
	if (h->in == NULL)
		return errno == ENOENT ? verdict_set(v, ACT_UNSURE, "it is gone") : verdict_errno(v, errno, "its directory cannot be opened");
	h->dir = h->in->fd;
	h->fd = fs_open_any_file(h->dir, h->name);
	error = h->fd < 0 ? errno : 0;
	/* A socket, or a device without a driver, can't even be opened. */
	if (error == ELOOP || ((error == ENXIO || error == ENODEV) && fs_stat_at(h->dir, h->name, &st) == 0 && !S_ISREG(st.mode)))
		return verdict_set(v, ACT_UNSURE, "it is not a regular file any more");
	if (error != 0)
		return error == ENOENT ? verdict_set(v, ACT_UNSURE, "it is gone") : verdict_errno(v, error, "cannot be opened");
	/* The stat comes after the lease, which notices all later writes. */
	h->lease = lease_take(h->fd);
	error = fs_stat_fd(h->fd, &h->st) < 0 ? errno : 0;
	if (error != 0 || fs_is_shunned(h->st.dev, h->st.inode)) {
		fs_keep_open(h->fd);
		h->fd = -1;
	}
	if (error != 0)
		return verdict_errno(v, error, "cannot be looked at");
	if (h->fd < 0)
		return verdict_set(v, ACT_STAYS, "it is a file of the open index");
	if (!S_ISREG(h->st.mode))
		return verdict_set(v, ACT_UNSURE, "it is not a regular file any more");
	return h->lease == LEASE_LOST ? verdict_set(v, ACT_UNSURE, "it is in use: another program has it open for writing") : 0;
}

int
locked_file_open(struct locked_file *h, const char *path, struct locked_file_dirs *dirs, struct verdict *v)
{
	assert(path[0] == '/');
	*h = (struct locked_file)LOCKED_FILE_NONE;
	h->path = path;
	h->name = path_base(path);
	if (locked_file_open_both(h, dirs, v) == 0)
		return 0;
	locked_file_close(h);
	return -1;
}

void
locked_file_close(struct locked_file *h)
{
	if (h->fd >= 0)
		close(h->fd);
	locked_dir_leave(h->in);
	h->in = NULL;
	h->fd = h->dir = -1;
	h->lease = LEASE_NONE;
}

bool
locked_file_same_inode(const struct locked_file *a, const struct locked_file *b)
{
	return a->st.dev == b->st.dev && a->st.inode == b->st.inode;
}

bool
locked_file_tells_files(const struct locked_file *h)
{
	/* A file mounted over another one is of another file system than its directory. */
	return h->in->tells_files && h->in->dev == h->st.dev;
}

int
locked_file_check_lease(const struct locked_file *h, struct verdict *v)
{
	assert(h->fd >= 0);
	if (h->lease == LEASE_HELD && lease_look(h->fd) != LEASE_HELD)
		return verdict_set(v, ACT_UNSURE, "it is in use: another program opens it for writing");
	return 0;
}

int
locked_file_check(const struct locked_file *h, struct verdict *v)
{
	struct fs_stat st;

	if (locked_file_check_lease(h, v) < 0)
		return -1;
	if (fs_stat_fd(h->fd, &st) < 0)
		return verdict_errno(v, errno, "cannot be looked at");
	return fs_stat_same(&st, &h->st) && st.nlink == h->st.nlink ? 0 : verdict_set(v, ACT_UNSURE, "it has changed meanwhile");
}

/* Stat what is at a path now.  Returns 0, or -1 with errno. */
static int
locked_file_look(const struct locked_file *h, struct fs_stat *st)
{
	int fd, ret, saved;

	/* A local file system has no caches of names or attributes: the inode says enough. */
	if (locked_file_tells_files(h))
		return fs_stat_path(h->path, st);
	fd = fs_open_file_below(h->path, 1);
	ret = fd < 0 ? -1 : fs_stat_fresh(fd, "", st);
	saved = errno;
	if (fd >= 0)
		close(fd);
	errno = saved;
	return ret;
}

int
locked_file_check_path(const struct locked_file *h, struct verdict *v)
{
	struct fs_stat st;

	if (locked_file_look(h, &st) < 0)
		return errno == ENOENT ? verdict_set(v, ACT_UNSURE, "it is gone") : verdict_errno(v, errno, "cannot be looked at any more");
	if (!fs_stat_same(&st, &h->st) || st.nlink != h->st.nlink)
		return verdict_set(v, ACT_UNSURE, "it has changed meanwhile");
	return locked_file_check_lease(h, v);
}

bool
locked_file_is(const struct locked_file *h, const struct fs_stat *st)
{
	return S_ISREG(st->mode) && st->dev == h->st.dev && st->inode == h->st.inode && st->size == h->st.size &&
	       fs_time_cmp(st->mtime, h->st.mtime) == 0;
}

int
locked_file_renew(struct locked_file *h, struct verdict *v)
{
	struct fs_stat st;

	if (fs_stat_fresh(h->fd, "", &st) < 0)
		return verdict_errno(v, errno, "cannot be looked at");
	if (!locked_file_is(h, &st))
		return verdict_set(v, ACT_UNSURE, "it has changed meanwhile");
	h->st = st;
	h->renewed = true;
	return 0;
}

int
locked_file_renew_by(struct locked_file *h, const struct fs_stat *st, struct verdict *v)
{
	assert(locked_file_is(h, st));
	if (!locked_file_tells_files(h))
		return locked_file_renew(h, v);
	h->st = *st;
	h->renewed = true;
	return 0;
}
