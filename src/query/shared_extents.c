/* SPDX-License-Identifier: MIT */
#include "base/base.h"

#include "query/shared_extents.h"

#include "index/file.h"
#include "query/dirtree.h"

int
shared_extents_open(struct shared_extents *c, const struct dirtree *dirs, struct db *db, struct err *err)
{
	c->dirs = dirs;
	return exclusive_extents_ask_all(&c->own, db, err) < 0 ? -1 : exclusive_extents_any(&c->own);
}

bool
shared_extents_may_share(const struct shared_extents *c, int64_t volume)
{
	return exclusive_extents_shared(&c->own, (uint64_t)volume);
}

void
shared_extents_add(struct shared_extents *c, uint32_t content, uint32_t inode, const struct file_row *row)
{
	vec_push(c, ((struct shared_extents_copy){ .content = content, .inode = inode, .frees = row->size, .blocks = row->blocks,
	                                        .name = c->names.len, .dir = dirtree_by_id(c->dirs, row->dir) }));
	buf_add(&c->names, row->name, row->name_len + 1);
}

/* exclusive_extents_path_fn */
static void
shared_extents_path(void *arg, size_t i, struct buf *path)
{
	const struct shared_extents *c = arg;
	const char *name = c->names.data + c->v[i].name;

	dirtree_path(c->dirs, c->v[i].dir, path);
	path_append(path, name, strlen(name));
}

/* exclusive_extents_take_fn: blocks that others have, too, are not freed. */
static void
shared_extents_own(void *arg, size_t i, int64_t own)
{
	struct shared_extents_copy *copy = &((struct shared_extents *)arg)->v[i];

	if (own < copy->blocks && own < copy->frees / 512)
		copy->frees = own * 512;
}

static int
shared_extents_cmp(const void *a, const void *b)
{
	const struct shared_extents_copy *x = a, *y = b;

	ORDER_CMP(x->content, y->content);
	return 0;
}

int
shared_extents_ask(struct shared_extents *c, struct err *err)
{
	if (exclusive_extents_each(c->n, shared_extents_path, shared_extents_own, c, err) < 0)
		return -1;
	if (c->n > 1)
		qsort(c->v, c->n, sizeof(*c->v), shared_extents_cmp);
	return 0;
}

void
shared_extents_release(struct shared_extents *c)
{
	exclusive_extents_release(&c->own);
	buf_release(&c->names);
	vec_release(c);
}
