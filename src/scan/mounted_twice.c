/* SPDX-License-Identifier: MIT */
#include "base/base.h"

#include "scan/mounted_twice.h"

#include "scan/dirmap.h"
#include "sys/fs.h"

void
dir_here_path(const struct dir_here *here, struct buf *path)
{
	buf_cut(path, 0);
	buf_adds(path, here->start);
	if (here->rel[0] != '\0')
		path_append(path, here->rel, strlen(here->rel));
}

bool
mounted_twice_at_both(const struct dirmap *map, const struct dirmap_dir *d, const struct dir_here *here)
{
	struct buf old = { 0 }, path = { 0 };
	struct fs_stat st;
	bool there;

	dirmap_path(map, d->id, &old);
	dir_here_path(here, &path);
	there = strcmp(buf_str(&old), buf_str(&path)) != 0 && fs_stat_path(buf_str(&old), &st) == 0 &&
	        st.dev == here->dev && (int64_t)st.inode == here->inode.number;
	buf_release(&old);
	buf_release(&path);
	return there;
}

bool
mounted_twice_is(const struct dirmap *map, const struct dir_here *here)
{
	const struct dirmap_dir *place = here->place, *d = NULL;

	if (place != NULL && inode_same(place->inode, here->inode))
		return false;
	while ((d = dirmap_by_inode(map, here->inode, d)) != NULL) {
		if (mounted_twice_at_both(map, d, here))
			return true;
	}
	return false;
}
