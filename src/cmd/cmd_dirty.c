/* SPDX-License-Identifier: MIT */
#include "base/base.h"

#include "cmd/cmd_dirty.h"

#include "cmd/cmd.h"
#include "cmd/cmd_paths.h"
#include "sys/resolve.h"

/* How paths are resolved: neighbours in a list often lie in one directory. */
struct cmd_dirty_reading {
	struct buf base;       /* of relative paths: absolute */
	struct buf dir, real;  /* a directory as written, and without links */
};

void
cmd_dirty_release(struct cmd_dirty *dirty)
{
	vec_release(dirty);
	arena_release(&dirty->arena);
}

/* Append a path as its links lead, but for its own name.  Returns 0 or -1. */
static int
cmd_dirty_real(struct cmd_dirty_reading *r, const char *path, struct buf *real, struct err *err)
{
	const size_t up = path_parent_len(path);

	if (r->dir.len != up || memcmp(r->dir.data, path, up) != 0) {
		buf_cut(&r->dir, 0);
		buf_add(&r->dir, path, up);
		buf_cut(&r->real, 0);
		if (resolve_path(&r->real, buf_str(&r->dir), NULL, err) < 0)
			return -1;
	}
	buf_adds(real, buf_str(&r->real));
	if (path[1] != '\0')
		path_append(real, path_base(path), strlen(path_base(path)));
	return 0;
}

/* Add one path of the list.  Returns 0 or -1. */
static int
cmd_dirty_add(struct cmd_dirty_reading *r, const char *typed, struct cmd_dirty *dirty, struct err *err)
{
	struct buf full = { 0 }, path = { 0 }, real = { 0 };
	int ret;

	if (*typed != '/') {
		buf_adds(&full, buf_str(&r->base));
		buf_addc(&full, '/');
	}
	buf_adds(&full, typed);
	path_normalize(&path, buf_str(&full));
	ret = cmd_dirty_real(r, buf_str(&path), &real, err);
	if (ret == 0) {
		struct dirty_path *p = vec_add(dirty);

		*p = (struct dirty_path){ .path = arena_dup(&dirty->arena, path.data, path.len) };
		if (strcmp(p->path, buf_str(&real)) != 0)
			p->real = arena_dup(&dirty->arena, real.data, real.len);
	}
	buf_release(&full);
	buf_release(&path);
	buf_release(&real);
	return ret;
}

int
cmd_dirty_read(const struct cmd_call *c, const char *file, struct cmd_dirty *dirty, struct err *err)
{
	struct cmd_dirty_reading r = { .base = { 0 } };
	struct cmd_paths lines = { 0 };
	int ret = resolve_path(&r.base, ".", c->base, err);

	if (ret == 0)
		ret = cmd_paths_lines(file, '\0', &lines, err);
	for (size_t i = 0; ret == 0 && i < lines.n; i++)
		ret = cmd_dirty_add(&r, lines.v[i], dirty, err);
	cmd_paths_release(&lines);
	buf_release(&r.base);
	buf_release(&r.dir);
	buf_release(&r.real);
	return ret;
}
