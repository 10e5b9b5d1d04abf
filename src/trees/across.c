/* SPDX-License-Identifier: MIT */
#include "base/base.h"

#include "trees/across.h"

#include "index/file.h"
#include "index/index.h"
#include "query/dirtree.h"
#include "query/reread.h"
#include "sys/stop.h"
#include "trees/tree_files.h"
#include "trees/tree_files_contents.h"

/*
 * Whether two rows of one inode are one name of it, by two ways: it has no other name, or what is
 * offline by one path is here by another, or both are rows of one disk in the drawer.
 */
static bool
across_is_one(const struct tree_files_file *f, const struct tree_files_file *g)
{
	if (!inode_same(f->inode, g->inode) || !tree_files_holds(f) || !tree_files_holds(g))
		return false;
	return f->presence == PRESENCE_OFFLINE || g->presence == PRESENCE_OFFLINE || !f->linked || !g->linked;
}

/* Leave out of both sides what is one file. */
static void
across_leave_out(struct tree_files *left, struct tree_files *right)
{
	struct table inodes = { 0 };

	table_reserve(&inodes, left->files.n);
	for (size_t i = 0; i < left->files.n; i++) {
		if (left->files.v[i].inode.volume > 0)
			table_add(&inodes, inode_hash(left->files.v[i].inode), i);
	}
	for (size_t i = 0; i < right->files.n; i++) {
		struct tree_files_file *g = &right->files.v[i];

		TABLE_EACH(at, &inodes, inode_hash(g->inode)) {
			struct tree_files_file *f = &left->files.v[at];

			if (!across_is_one(f, g))
				continue;
			f->presence = g->presence = PRESENCE_EXCLUDED;
			tree_files_tell(right, g, (enum gap)SKIP_TWICE, skip_name(SKIP_TWICE));
			break;
		}
	}
	table_release(&inodes);
}

/* Forget all proofs: an index has them of its own files alone. */
static void
across_doubt(struct tree_files *s)
{
	for (size_t i = 0; i < s->files.n; i++)
		s->files.v[i].unproven = true;
}

/* Take as proven those files of a side that no file of the other may be like. */
static void
across_acquit(struct tree_files *s, const struct tree_files *other, const struct tree_files_contents *in_other)
{
	for (size_t i = 0; i < s->files.n; i++) {
		struct tree_files_file *f = &s->files.v[i];

		f->unproven = !f->has_hash && f->size > 0 && in_other->n > 0 && tree_files_contents_maybe(other, in_other, f);
	}
}

/* Read a file.  Returns 1, 0 if that can't be done, or -1. */
static int
across_read_file(struct tree_files *s, struct tree_files_file *f, struct reread *r, struct err *err)
{
	struct buf path = { 0 };
	struct file_row row;
	int ret = file_get(s->view.ix->db, dirtree_id(s->dirs, f->dir), f->name, strlen(f->name), &row, err);

	if (ret == 1) {
		row.inode = f->inode;
		tree_files_absolute(s, f, &path);
		ret = reread_row(r, &s->view, buf_str(&path), &row);
	}
	if (ret == 1) {
		f->has_hash = true;
		f->unproven = false;
		memcpy(f->hash, row.hash, HASH_SIZE);
	}
	buf_release(&path);
	return ret;
}

/* Read what is still unproven, as far as it is here. */
static int
across_read(struct tree_files *s, struct reread *r, struct err *err)
{
	int ret = 0;

	for (size_t i = 0; ret >= 0 && i < s->files.n; i++) {
		struct tree_files_file *f = &s->files.v[i];

		if (!f->unproven || f->error != 0 || f->presence != PRESENCE_HERE)
			continue;
		ret = across_read_file(s, f, r, err);
		if (ret >= 0 && stop_check(err) < 0)
			ret = -1;
		if (ret == 0)
			tree_files_tell(s, f, GAP_UNREADABLE, "it can't be read now");
	}
	return ret < 0 ? -1 : 0;
}

int
across_settle(struct tree_files *left, struct tree_files *right, struct err *err)
{
	struct tree_files_contents in_left = { .n = 0 }, in_right = { .n = 0 };
	struct reread reread = { .begun = false };
	int ret;

	if (left->of == NULL && right->of == NULL)
		return 0;
	if (left->of != right->of)
		across_leave_out(left, right);
	across_doubt(left);
	across_doubt(right);
	tree_files_contents_load(&in_left, left, true);
	tree_files_contents_load(&in_right, right, true);
	across_acquit(left, right, &in_right);
	across_acquit(right, left, &in_left);
	ret = across_read(left, &reread, err);
	if (ret == 0)
		ret = across_read(right, &reread, err);
	reread_release(&reread);
	tree_files_contents_release(&in_left);
	tree_files_contents_release(&in_right);
	return ret;
}
