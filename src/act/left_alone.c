/* SPDX-License-Identifier: MIT */
#include "base/base.h"

#include "act/left_alone.h"

#include <unistd.h>

#include "sys/fs.h"

bool
left_alone_is_foreign(const char *base, int fd)
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

/* Find out why files of dir, the directory of a file, are left alone. */
static void
left_alone_ask(struct left_alone *l, const char *base, const char *path, const char *dir, bool named)
{
	const char *name;
	size_t len;
	int fd;

	if (!l->hidden && !named && path_hidden_dir(path, base, &name, &len)) {
		buf_adds(&l->why, "in the hidden directory '");
		buf_add(&l->why, name, len);
		buf_addc(&l->why, '\'');
		return;
	}
	/* The act will say why a directory can't be opened. */
	fd = fs_open_dir_below(dir, 1);
	if (fd < 0)
		return;
	l->read_only = fs_is_read_only(fd) == 1;
	if (l->read_only)
		buf_adds(&l->why, "on a file system that is mounted read-only");
	else if (!l->hidden && !named && left_alone_is_foreign(base, fd))
		buf_adds(&l->why, "in another user's directory");
	close(fd);
}

const char *
left_alone_why(struct left_alone *l, const char *base, const char *whole, const char *path)
{
	const size_t len = path_parent_len(path);
	const bool named = strcmp(base, path) == 0;
	struct buf top = { 0 };

	if (named || l->dir.len != len || memcmp(l->dir.data, path, len) != 0 || strcmp(buf_str(&l->base), base) != 0) {
		buf_cut(&l->why, 0);
		l->read_only = false;
		buf_cut(&l->base, 0);
		buf_adds(&l->base, base);
		buf_cut(&l->dir, 0);
		buf_add(&l->dir, path, len);
		/* Of a whole it matters whether it is hidden itself. */
		if (whole != NULL)
			buf_addf(&top, "%s/.", whole);
		left_alone_ask(l, base, whole != NULL ? buf_str(&top) : path, buf_str(&l->dir), named);
		buf_release(&top);
	}
	return l->why.len > 0 ? buf_str(&l->why) : NULL;
}

void
left_alone_release(struct left_alone *l)
{
	buf_release(&l->base);
	buf_release(&l->dir);
	buf_release(&l->why);
}
