/* SPDX-License-Identifier: MIT */
#include <config.h>

#include "index/look.h"

#include <fcntl.h>
#include <string.h>
#include <unistd.h>

#include "base/buf.h"
#include "base/mem.h"
#include "index/file.h"
#include "sys/pool.h"

/* Files that one thread takes at a time. */
#define LOOK_RUN 16
/* Threads for each processor: stats of what is not in memory wait for the disk. */
#define LOOK_THREADS 2

struct look_work {
	struct look *v;
	size_t n;
	const char *paths;
};

struct look
look_at(const struct file_row *row, size_t path, size_t path_len)
{
	return (struct look){ path, path + path_len - row->name_len, row->dir, row->size, row->inode, row->mtime, row->ctime, false };
}

/* Open the directory of a file. */
static int
look_open(const struct look_work *w, const struct look *l, struct buf *dir)
{
	buf_cut(dir, 0);
	buf_add(dir, w->paths + l->path, l->name - l->path);
	return fs_open_dir(AT_FDCWD, buf_str(dir));
}

/* pool_work.run: look at the files of a run. */
static void
look_run(void *arg, void *state, size_t run, void *result)
{
	const struct look_work *w = arg;
	const size_t first = run * LOOK_RUN, end = first + LOOK_RUN < w->n ? first + LOOK_RUN : w->n;
	struct buf dir = { 0 };
	int fd = -1;

	(void)state;
	(void)result;
	for (size_t i = first; i < end; i++) {
		struct look *l = &w->v[i];
		struct fs_stat st;

		if (i == first || l->dir != l[-1].dir) {
			if (fd >= 0)
				close(fd);
			fd = look_open(w, l, &dir);
		}
		l->same = fd >= 0 && fs_stat_at(fd, w->paths + l->name, &st) == 0 && st.size == l->size &&
		          (int64_t)st.inode == l->inode && fs_time_cmp(st.mtime, l->mtime) == 0 &&
		          fs_time_cmp(st.ctime, l->ctime) == 0;
	}
	if (fd >= 0)
		close(fd);
	buf_release(&dir);
}

/* pool_work.done: the answers are in place. */
static int
look_done(void *arg, size_t run, const void *result, struct err *err)
{
	(void)arg;
	(void)run;
	(void)result;
	(void)err;
	return 0;
}

int
look_all(struct look *v, size_t n, const char *paths, struct err *err)
{
	struct look_work w = { v, n, paths };
	const struct pool_work work = { .arg = &w, .run = look_run, .done = look_done };
	const long processors = sysconf(_SC_NPROCESSORS_ONLN);

	return pool_run(&work, (n + LOOK_RUN - 1) / LOOK_RUN, LOOK_THREADS * (processors > 0 ? (int)processors : 1), err);
}
