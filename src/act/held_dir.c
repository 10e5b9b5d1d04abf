/* SPDX-License-Identifier: MIT */
/*
 * Of a directory only its number of users changes once it is open: all threads may read the rest,
 * and leave it, without a lock.
 */
#include "base/base.h"

#include "act/held_dir.h"

#include <unistd.h>

#include "sys/fs.h"
#include "sys/volume.h"

/* Returns a directory with one user, or NULL with errno. */
static struct held_dir *
held_dir_new(const char *path, size_t len)
{
	char *copy = mem_dup(path, len);
	const int fd = fs_open_dir_below(copy, 1);
	struct held_dir *dir;
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
	*dir = (struct held_dir){ .fd = fd, .dev = st.dev, .tells_files = volume_tells_files(fd), .path = copy };
	atomic_init(&dir->users, 1);
	return dir;
}

static bool
held_dir_is(const struct held_dir *dir, const char *path, size_t len)
{
	return strncmp(dir->path, path, len) == 0 && dir->path[len] == '\0';
}

struct held_dir *
held_dirs_open(struct held_dirs *d, const char *path, size_t len)
{
	struct held_dir *dir = NULL;
	size_t at = 0;

	if (d == NULL)
		return held_dir_new(path, len);
	while (at < HELD_DIRS_KEPT - 1 && d->kept[at] != NULL && !held_dir_is(d->kept[at], path, len))
		at++;
	if (d->kept[at] != NULL && held_dir_is(d->kept[at], path, len))
		dir = d->kept[at];
	else {
		dir = held_dir_new(path, len);
		if (dir == NULL)
			return NULL;
		held_dir_leave(d->kept[at]);
	}
	memmove(d->kept + 1, d->kept, at * sizeof(*d->kept));
	d->kept[0] = dir;
	atomic_fetch_add(&dir->users, 1);
	return dir;
}

void
held_dirs_release(struct held_dirs *d)
{
	for (size_t i = 0; i < HELD_DIRS_KEPT; i++)
		held_dir_leave(d->kept[i]);
	*d = (struct held_dirs){ .kept = { NULL } };
}

void
held_dir_leave(struct held_dir *dir)
{
	if (dir == NULL || atomic_fetch_sub(&dir->users, 1) > 1)
		return;
	assert(atomic_load(&dir->users) == 0);
	close(dir->fd);
	free(dir->path);
	free(dir);
}
