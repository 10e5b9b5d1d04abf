/* SPDX-License-Identifier: MIT */
/*
 * Contents come from query/content_walk.  A file that has neither a copy nor another name is a
 * number of bytes in its directory, and needs no memory.
 */
#include "base/base.h"

#include "query/usage_inodes.h"

#include "db/stmt.h"
#include "index/exclusive_extents.h"
#include "index/file.h"
#include "index/fleeting.h"
#include "index/index.h"
#include "query/alias_volumes.h"
#include "query/content_walk.h"
#include "query/dirtree.h"

uint32_t
usage_inodes_join(const struct usage_inodes *u, uint32_t a, uint32_t b)
{
	return a == b ? a : dirtree_common(u->tree, a >> 1, b >> 1) << 1;
}

/* Add n names to an inode. */
static void
usage_inodes_add_names(struct usage_inodes *u, struct usage_inode *i, const struct content_walk_name *v, uint32_t n)
{
	for (uint32_t at = 0; at < n; at++) {
		const uint32_t dir = v[at].dir;

		i->place = at > 0 ? usage_inodes_join(u, i->place, dir << 1 | 1) : dir << 1 | 1;
		if (u->reasons != NULL && (at == 0 || fleeting_count(u->reasons[dir]) < fleeting_count(i->why)))
			i->why = u->reasons[dir];
		if (u->backup != NULL) {
			i->backed |= u->backup[dir];
			i->beside |= !u->backup[dir];
		}
		if (i->several)
			vec_push(&u->names, (uint64_t)i->named << 32 | dir);
	}
}

/* Add an inode by its n names: 1 or more. */
static struct usage_inode *
usage_inodes_add(struct usage_inodes *u, int64_t size, uint32_t content, const struct content_walk_name *v, uint32_t n)
{
	struct content_walk_link *link = v->link;
	struct usage_inode i = { .inode = v->inode, .size = size, .frees = size, .content = content, .named = (uint32_t)u->inodes.n, .several = n > 1 || link != NULL };

	if (link != NULL && link->content == CONTENT_WALK_NONE)
		link->content = i.named;
	else if (link != NULL) {
		/* Rows of different scans: nobody knows which of the contents it has now. */
		i.named = link->content;
		i.stays = u->inodes.v[i.named].stays = true;
	}
	usage_inodes_add_names(u, &i, v, n);
	i.stays |= (link != NULL && link->nlink > link->names) || (i.backed && i.beside);
	vec_push(&u->inodes, i);
	return &u->inodes.v[u->inodes.n - 1];
}

/* Look up the row of the last inode by a name, if more of it is needed. */
static int
usage_inodes_look(struct usage_inodes *u, const struct content_walk_name *name, struct err *err)
{
	const struct usage_inode *i = &u->inodes.v[u->inodes.n - 1];
	const bool asked = i->place >> 1 >= u->asked && i->place >> 1 < u->asked_end;
	struct file_row row;
	struct stmt st;
	int ret;

	if (!alias_volumes_splits(u->views, i->inode.volume) && !(asked && exclusive_extents_shared(u->extents, (uint64_t)i->inode.volume)))
		return 0;
	st = stmt_get(u->ix->db, SQL_FILE_GET, err);
	stmt_int(&st, ":dir", name->id);
	stmt_text(&st, ":name", name->text, name->len);
	ret = stmt_step(&st);
	if (ret == 1 && file_read_stat(&st, &row, err) < 0)
		ret = -1;
	if (ret == 1) {
		vec_push(&u->looks, ((struct usage_look){ (uint32_t)(u->inodes.n - 1), name->dir, u->look_names.len, row.blocks, row.mtime }));
		buf_add(&u->look_names, row.name, row.name_len + 1);
	}
	stmt_done(&st);
	return ret < 0 ? -1 : 0;
}

/* content_walk_fn */
static int
usage_inodes_take(void *arg, const struct content_walk_content *c, const struct content_walk_name *v, struct err *err)
{
	struct usage_inodes *u = arg;
	const uint32_t content = c->copies > 1 ? (uint32_t)u->contents.n : USAGE_INODES_NO_CONTENT;

	for (uint32_t i = 0; i < c->n; i++)
		u->files[v[i].dir]++;
	if (c->n == 1 && v->link == NULL)
		u->bytes[v->dir] += (uint64_t)c->size;
	if (c->size == 0 || (c->n == 1 && v->link == NULL))
		return 0;
	if (c->copies > 1)
		vec_push(&u->contents, ((struct usage_content){ .size = c->size, .inodes = c->copies, .place = v->dir << 1 | 1 }));
	for (uint32_t i = 0, end; i < c->n; i = end) {
		const struct usage_inode *added;

		for (end = i + 1; end < c->n && v[end].copy == v[i].copy; end++)
			;
		added = usage_inodes_add(u, c->size, content, &v[i], end - i);
		if (c->copies == 1)
			continue;
		u->contents.v[content].place = usage_inodes_join(u, u->contents.v[content].place, added->place);
		if (usage_inodes_look(u, &v[end - 1], err) < 0)
			return -1;
	}
	return 0;
}

/* Note why what lies in directories may go by itself. */
static void
usage_inodes_find_reasons(struct usage_inodes *u)
{
	bool any = false;

	u->reasons = dirtree_reasons(u->tree, NULL, 0);
	for (uint32_t i = 0; i < dirtree_count(u->tree); i++)
		any |= u->reasons[i] != 0;
	if (!any) {
		free(u->reasons);
		u->reasons = NULL;
	}
}

int
usage_inodes_read(struct usage_inodes *u, struct index *ix, struct err *err)
{
	struct content_walk walk = { .ix = ix, .dirs = u->tree, .texts = alias_volumes_any(u->views) || exclusive_extents_any(u->extents),
	                             .fn = usage_inodes_take, .arg = u };
	int ret;

	u->ix = ix;
	if (ix->backups.n > 0)
		u->backup = mem_zalloc(dirtree_count(u->tree), sizeof(*u->backup));
	for (size_t i = 0; i < ix->backups.n; i++) {
		const uint32_t dir = dirtree_find(u->tree, ix->backups.v[i]);

		if (dir != DIRTREE_NONE)
			memset(u->backup + dir, true, dirtree_end(u->tree, dir) - dir);
	}
	usage_inodes_find_reasons(u);
	u->files = mem_zalloc(dirtree_count(u->tree), sizeof(*u->files));
	u->bytes = mem_zalloc(dirtree_count(u->tree), sizeof(*u->bytes));
	ret = content_walk(&walk, err);
	content_walk_release(&walk);
	return ret;
}

void
usage_inodes_release(struct usage_inodes *u)
{
	vec_release(&u->inodes);
	vec_release(&u->contents);
	vec_release(&u->names);
	vec_release(&u->looks);
	buf_release(&u->look_names);
	free(u->files);
	free(u->bytes);
	free(u->reasons);
	free(u->backup);
}
