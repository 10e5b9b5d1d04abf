/* SPDX-License-Identifier: MIT */
#include "base/base.h"

#include "query/marked_inodes.h"

#include "index/dirs.h"
#include "index/file.h"
#include "index/index.h"
#include "index/inode.h"
#include "index/mark.h"
#include "query/dirtree.h"

/* A name that is marked drop. */
struct marked_inodes_name {
	struct inode inode;
	int64_t size, nlink;
	uint32_t dir;
};

/* All of them, while they are read. */
struct marked_inodes {
	const struct dirtree *tree;
	VEC(struct marked_inodes_name) names;
	struct dirs dirs;        /* where marked files are looked up */
	struct err *err;         /* of a mark's file that can't be asked for */
};

/* mark_fn: note a name that is marked drop, if it has the content that was marked. */
static int
marked_inodes_note(void *arg, const struct mark *m)
{
	struct marked_inodes *d = arg;
	struct file_row row;
	uint32_t dir;
	const int ret = m->decision == MARK_DROP ? dirs_next_file(&d->dirs, m->path, &row, d->err) : 0;

	if (ret <= 0 || row.size <= 0 || !mark_fits(m, row.size, fs_time_key(row.mtime), row.has_hash ? row.hash : NULL))
		return ret < 0 ? -1 : 0;
	dir = dirtree_by_id(d->tree, row.dir);
	if (dir != DIRTREE_NONE && !dirtree_excluded(d->tree, dir))
		vec_push(&d->names, ((struct marked_inodes_name){ row.inode, row.size, row.nlink, dir }));
	return 0;
}

/* By inode and size; the greatest link count comes last. */
static int
marked_inodes_cmp(const void *a, const void *b)
{
	const struct marked_inodes_name *x = a, *y = b;
	const int cmp = inode_cmp(x->inode, y->inode);

	if (cmp != 0)
		return cmp;
	ORDER_CMP(x->size, y->size);
	ORDER_CMP(x->nlink, y->nlink);
	return 0;
}

int
marked_inodes_each(struct index *ix, const struct dirtree *dirs, marked_inodes_fn *fn, void *arg, struct err *err)
{
	struct marked_inodes d = { .tree = dirs, .dirs = { .db = ix->db }, .err = err };
	const int ret = mark_each(ix, "/", marked_inodes_note, &d, err);
	const struct marked_inodes_name *v = d.names.v;
	const size_t n = ret == 0 ? d.names.n : 0;

	if (n > 1)
		qsort(d.names.v, n, sizeof(*v), marked_inodes_cmp);
	for (size_t i = 0, end; i < n; i = end) {
		uint32_t dir = v[i].dir;
		bool within = true;

		for (end = i + 1; end < n && inode_same(v[i].inode, v[end].inode) && v[i].size == v[end].size; end++) {
			within &= v[end].dir == v[i].dir;
			dir = dirtree_common(dirs, dir, v[end].dir);
		}
		if (v[end - 1].nlink <= (int64_t)(end - i))
			fn(arg, dir, within, v[i].size);
	}
	dirs_release(&d.dirs);
	vec_release(&d.names);
	return ret;
}
