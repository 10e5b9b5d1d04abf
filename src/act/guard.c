/* SPDX-License-Identifier: MIT */
#include "base/base.h"

#include "act/guard.h"

#include <unistd.h>

#include "sys/fs.h"

/* Say that a directory between base and the file at path is hidden. */
static bool
guard_hidden(struct guard *g, const char *base, const char *path)
{
	const char *name;
	size_t len;

	if (!path_hidden_dir(path, base, &name, &len))
		return false;
	buf_adds(&g->why, "in the hidden directory '");
	buf_add(&g->why, name, len);
	buf_addc(&g->why, '\'');
	return true;
}

/* Whether dir belongs to somebody else than base, and not to this user. */
static bool
guard_foreign(const char *base, int fd)
{
	const int above = fs_open_dir_below(base, 1);
	struct fs_stat at, st;
	bool foreign = false;

	if (above < 0)
		return false;
	if (fs_stat_fd(above, &at) == 0 && fs_stat_fd(fd, &st) == 0)
		foreign = st.uid != at.uid && st.uid != (uint32_t)geteuid();
	close(above);
	return foreign;
}

/* Find out about dir, the directory of the file at path, reached from base. */
static void
guard_ask(struct guard *g, const char *base, const char *path, const char *dir, bool named)
{
	int fd;

	if (!g->hidden && !named && guard_hidden(g, base, path))
		return;
	/* One that can't be opened has its own story, which the act will tell. */
	fd = fs_open_dir_below(dir, 1);
	if (fd < 0)
		return;
	if (fs_is_read_only(fd) == 1)
		buf_adds(&g->why, "on a file system that is mounted read-only");
	else if (!g->hidden && !named && guard_foreign(base, fd))
		buf_adds(&g->why, "in another user's directory");
	close(fd);
}

const char *
guard_why(struct guard *g, const char *base, const char *path)
{
	const size_t len = path_parent_len(path);
	const bool named = strcmp(base, path) == 0;

	if (named || g->dir.len != len || memcmp(g->dir.data, path, len) != 0 || strcmp(buf_str(&g->base), base) != 0) {
		buf_cut(&g->why, 0);
		buf_cut(&g->base, 0);
		buf_adds(&g->base, base);
		buf_cut(&g->dir, 0);
		buf_add(&g->dir, path, len);
		guard_ask(g, base, path, buf_str(&g->dir), named);
	}
	return g->why.len > 0 ? buf_str(&g->why) : NULL;
}

void
guard_release(struct guard *g)
{
	buf_release(&g->base);
	buf_release(&g->dir);
	buf_release(&g->why);
}
