/* SPDX-License-Identifier: MIT */
#include "base/base.h"

#include "query/copy_blocks.h"

#include "index/file.h"
#include "query/dirtree.h"

int
copy_blocks_open(struct copy_blocks *c, const struct dirtree *dirs, struct db *db, struct err *err)
{
	c->dirs = dirs;
	return own_blocks_ask_all(&c->own, db, err) < 0 ? -1 : own_blocks_any(&c->own);
}

bool
copy_blocks_may_share(const struct copy_blocks *c, int64_t volume)
{
	return own_blocks_shared(&c->own, (uint64_t)volume);
}

void
copy_blocks_add(struct copy_blocks *c, uint32_t content, uint32_t inode, const struct file_row *row)
{
	vec_push(c, ((struct copy_blocks_copy){ .content = content, .inode = inode, .frees = row->size, .blocks = row->blocks,
	                                        .name = c->names.len, .dir = dirtree_by_id(c->dirs, row->dir) }));
	buf_add(&c->names, row->name, row->name_len + 1);
}

/* own_blocks_path_fn */
static void
copy_blocks_path(void *arg, size_t i, struct buf *path)
{
	const struct copy_blocks *c = arg;
	const char *name = c->names.data + c->v[i].name;

	dirtree_path(c->dirs, c->v[i].dir, path);
	path_append(path, name, strlen(name));
}

/* own_blocks_take_fn: blocks that others have, too, are not freed. */
static void
copy_blocks_own(void *arg, size_t i, int64_t own)
{
	struct copy_blocks_copy *copy = &((struct copy_blocks *)arg)->v[i];

	if (own < copy->blocks && own < copy->frees / 512)
		copy->frees = own * 512;
}

static int
copy_blocks_cmp(const void *a, const void *b)
{
	const struct copy_blocks_copy *x = a, *y = b;

	ORDER_CMP(x->content, y->content);
	return 0;
}

int
copy_blocks_ask(struct copy_blocks *c, struct err *err)
{
	if (own_blocks_each(c->n, copy_blocks_path, copy_blocks_own, c, err) < 0)
		return -1;
	if (c->n > 1)
		qsort(c->v, c->n, sizeof(*c->v), copy_blocks_cmp);
	return 0;
}

void
copy_blocks_release(struct copy_blocks *c)
{
	own_blocks_release(&c->own);
	buf_release(&c->names);
	vec_release(c);
}
