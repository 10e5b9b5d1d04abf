/* SPDX-License-Identifier: MIT */
/*
 * Once a directory is open only its number of users changes: all threads may read the rest, and
 * leave it, without a lock.
 */
#include "base/base.h"

#include "act/locked_dir.h"

#include <unistd.h>

#include "sys/fs.h"
#include "sys/volume.h"

/* Returns a directory with one user, or NULL with errno. */
static struct locked_dir *
locked_dir_new(const char *path, size_t len)
{
	char *copy = mem_dup(path, len);
	const int fd = fs_open_dir_below(copy, 1);
	struct locked_dir *dir;
	struct fs_stat st;
	int saved;

	if (fd < 0 || fs_stat_fd(fd, &st) < 0) {
		saved = errno;
		free(copy);
		if (fd >= 0)
			close(fd);
		errno = saved;
		return NULL;
	}
	dir = mem_alloc(sizeof(*dir));
	*dir = (struct locked_dir){ .fd = fd, .dev = st.dev, .tells_files = volume_tells_files(fd), .path = copy };
	atomic_init(&dir->users, 1);
	return dir;
}

static bool
locked_dir_is(const struct locked_dir *dir, const char *path, size_t len)
{
	return strncmp(dir->path, path, len) == 0 && dir->path[len] == '\0';
}

struct locked_dir *
locked_file_dirs_open(struct locked_file_dirs *d, const char *path, size_t len)
{
	struct locked_dir *dir = NULL;
	size_t at = 0;

	if (d == NULL)
		return locked_dir_new(path, len);
	while (at < LOCKED_FILE_DIRS_KEPT - 1 && d->kept[at] != NULL && !locked_dir_is(d->kept[at], path, len))
		at++;
	if (d->kept[at] != NULL && locked_dir_is(d->kept[at], path, len))
		dir = d->kept[at];
	else {
		dir = locked_dir_new(path, len);
		if (dir == NULL)
			return NULL;
		locked_dir_leave(d->kept[at]);
	}
	memmove(d->kept + 1, d->kept, at * sizeof(*d->kept));
	d->kept[0] = dir;
	atomic_fetch_add(&dir->users, 1);
	return dir;
}

void
locked_file_dirs_release(struct locked_file_dirs *d)
{
	for (size_t i = 0; i < LOCKED_FILE_DIRS_KEPT; i++)
		locked_dir_leave(d->kept[i]);
	*d = (struct locked_file_dirs){ .kept = { NULL } };
}

void
locked_dir_leave(struct locked_dir *dir)
{
	if (dir == NULL || atomic_fetch_sub(&dir->users, 1) > 1)
		return;
	assert(atomic_load(&dir->users) == 0);
	close(dir->fd);
	free(dir->path);
	free(dir);
}
