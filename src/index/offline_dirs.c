/* SPDX-License-Identifier: MIT */
#include "base/base.h"

#include "index/offline_dirs.h"

#include <unistd.h>

#include "db/stmt.h"
#include "index/index.h"
#include "index/presence.h"
#include "sys/fs.h"

/* The state of offline_dirs_each. */
struct offline_dirs {
	struct presence_view view;
	offline_dirs_fn *fn;
	void *arg;
};

/* Deliver the directory dir at path if it is offline. */
static int
offline_dirs_check(struct offline_dirs *o, int64_t dir, const char *path, struct err *err)
{
	const int fd = fs_open_dir_below(path, 1);
	enum presence presence;
	const int ret = presence_missing(&o->view, dir, fd, path, &presence, err);

	if (fd >= 0)
		close(fd);
	if (ret < 0)
		return -1;
	return presence == PRESENCE_OFFLINE ? o->fn(o->arg, path) : 0;
}

int
offline_dirs_each(struct index *ix, offline_dirs_fn *fn, void *arg, struct err *err)
{
	struct dirs_rows r = dirs_rows(ix->db, SQL_VOLUME_PLACES, err);
	struct offline_dirs o = { .fn = fn, .arg = arg };
	int ret = presence_open(&o.view, ix, err);

	for (size_t i = 0; ret == 0 && i < o.view.roots.n; i++)
		ret = offline_dirs_check(&o, o.view.roots.v[i].dir, o.view.roots.v[i].path, err);
	while (ret == 0 && (ret = dirs_rows_next(&r)) == 1)
		ret = offline_dirs_check(&o, stmt_col_int(&r.st, 0), buf_str(&r.path), err);
	dirs_rows_end(&r);
	presence_release(&o.view);
	return ret;
}
