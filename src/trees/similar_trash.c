/* SPDX-License-Identifier: MIT */
#include "base/base.h"

#include "trees/similar_trash.h"

#include "index/fleeting.h"
#include "index/index.h"
#include "index/names.h"
#include "index/rows.h"
#include "query/dirtree.h"
#include "sys/stop.h"
#include "trees/dir_digest.h"
#include "trees/similar.h"

/* Whether a file outside of all trashes has the content of a row: 1, 0 or -1. */
static int
similar_trash_has_other(const struct dirtree *t, struct index *ix, const struct file_row *row, struct err *err)
{
	struct names names;
	struct file_row other;
	int ret;

	/* One that nobody had to read has no copy, at most links. */
	names = row->has_hash ? names_of_content(ix->db, row->size, row->hash, err) : names_of_inode(ix, row->size, row->inode, err);
	while ((ret = names_next(&names, &other)) == 1) {
		const uint32_t dir = dirtree_by_id(t, other.dir);

		if (dir != DIRTREE_NONE && (dirtree_fleeting(t, dir) & FLEETING_TRASH) == 0)
			break;
	}
	names_end(&names);
	return ret;
}

/* Tell of the files in one directory of a trash, unless the user excluded it. */
static int
similar_trash_dir(const struct dirtree *t, struct index *ix, uint32_t dir, const char *const *exclude, size_t n, similar_trash_fn *fn,
                  void *arg, struct err *err)
{
	struct rows rows = { 0 };
	struct buf path = { 0 };
	size_t len;
	int ret = 0;

	dirtree_path(t, dir, &path);
	len = path.len;
	if (!path_is_below_any(buf_str(&path), exclude, n))
		ret = rows_load(&rows, ix->db, dirtree_id(t, dir), err);
	for (size_t i = 0; ret == 0 && i < rows.n; i++) {
		const struct file_row *row = &rows.v[i];
		const int other = row->size > 0 ? similar_trash_has_other(t, ix, row, err) : 1;

		ret = other < 0 ? -1 : 0;
		if (other != 0)
			continue;
		path_append(&path, row->name, row->name_len);
		fn(arg, buf_str(&path));
		buf_cut(&path, len);
	}
	rows_release(&rows);
	buf_release(&path);
	return ret < 0 ? -1 : stop_check(err);
}

int
similar_trash_each(const struct dir_digest *h, struct index *ix, const struct similar_dirs *dirs, const char *const *exclude,
                   size_t n, similar_trash_fn *fn, void *arg, struct err *err)
{
	const struct dirtree *t = h->map.dirs;
	uint8_t *met;
	int ret = 0;

	if (h->map.n_trash == 0)
		return 0;
	met = bits_new(dirtree_count(t));
	for (size_t i = 0; ret == 0 && i < dirs->n; i++) {
		for (uint32_t dir = dirs->v[i]; ret == 0 && dir < dirtree_end(t, dirs->v[i]); dir++) {
			if (bits_has(met, dir))
				continue;
			bits_set(met, dir, true);
			if (dirtree_id(t, dir) > 0 && dirtree_excluded(t, dir) && (dirtree_fleeting(t, dir) & FLEETING_TRASH) != 0)
				ret = similar_trash_dir(t, ix, dir, exclude, n, fn, arg, err);
		}
	}
	free(met);
	return ret;
}
