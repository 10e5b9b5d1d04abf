/* SPDX-License-Identifier: MIT */
#include "base/base.h"

#include "act/rescue_dirs.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include "act/acts.h"
#include "sys/attrs.h"
#include "sys/fs.h"
#include "sys/sync.h"

void
rescue_dirs_note(struct rescue_dirs *d, struct acts *acts, const char *copy)
{
	const size_t parent = path_parent_len(copy);

	for (size_t len = strlen(d->to); len <= parent;) {
		char *path = arena_dup(&d->memory, copy, len);
		struct fs_stat st;
		bool noted = false;

		TABLE_EACH(i, &d->by_path, table_hash_text(path))
			noted |= strcmp(d->dirs.v[i].path, path) == 0;
		if (!noted && fs_stat_path(path, &st) < 0 && errno == ENOENT) {
			struct buf from = { 0 };
			const char *below = path_below(path, d->to);

			buf_adds(&from, d->base);
			if (*below != '\0')
				path_append(&from, below, strlen(below));
			table_add(&d->by_path, table_hash_text(path), d->dirs.n);
			vec_push(&d->dirs, ((struct rescue_dir){ .path = path, .from = arena_str(&d->memory, buf_str(&from)) }));
			acts_add_made(acts, path);
			buf_release(&from);
		}
		if (len == parent)
			break;
		len++;
		len += strcspn(copy + len, "/");
	}
}

/* Open the directory that path lies in, or -1. */
static int
rescue_dirs_open_parent(const char *path)
{
	char *parent = mem_dup(path, path_parent_len(path));
	const int fd = fs_open_dir_below(parent, 1);

	free(parent);
	return fd;
}

void
rescue_dirs_make(struct rescue_dirs *d)
{
	for (; d->n_tried < d->dirs.n; d->n_tried++) {
		struct rescue_dir *dir = &d->dirs.v[d->n_tried];
		const int above = rescue_dirs_open_parent(dir->path);

		dir->made = above >= 0 && mkdirat(above, path_base(dir->path), 0700) == 0;
		if (above >= 0)
			close(above);
	}
}

/* Give an open directory what the one that it is like has. */
static void
rescue_dirs_finish_one(int fd, int from)
{
	struct buf attrs = { 0 }, lacks = { 0 };
	struct fs_stat st;

	if (fs_stat_fd(from, &st) == 0) {
		const struct timespec times[2] = { { .tv_nsec = UTIME_OMIT }, { .tv_sec = (time_t)st.mtime.sec, .tv_nsec = st.mtime.nsec } };

		if (attrs_show(from, &attrs) < 0)
			buf_adds(&attrs, "-");
		attrs_set_most(fd, st.uid, st.gid, st.mode, buf_str(&attrs), &lacks);
		(void)futimens(fd, times);
	}
	buf_release(&attrs);
	buf_release(&lacks);
}

void
rescue_dirs_finish(const struct rescue_dirs *d)
{
	/* What is made in a directory changes its time: the innermost come first. */
	for (size_t i = d->dirs.n; i-- > 0;) {
		const struct rescue_dir *dir = &d->dirs.v[i];
		const int fd = dir->made ? fs_open_dir_below(dir->path, 1) : -1, from = fd >= 0 ? fs_open_dir_below(dir->from, 1) : -1,
		          above = fd >= 0 ? rescue_dirs_open_parent(dir->path) : -1;

		if (from >= 0)
			rescue_dirs_finish_one(fd, from);
		if (fd >= 0)
			(void)sync_file(fd);
		if (above >= 0)
			(void)sync_file(above);
		for (size_t j = 0; j < 3; j++) {
			const int one = (const int[]){ fd, from, above }[j];

			if (one >= 0)
				close(one);
		}
	}
}

void
rescue_dirs_release(struct rescue_dirs *d)
{
	vec_release(&d->dirs);
	table_release(&d->by_path);
	arena_release(&d->memory);
}
