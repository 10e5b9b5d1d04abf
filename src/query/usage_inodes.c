/* SPDX-License-Identifier: MIT */
/*
 * Cache misses in the tables would cost half of the time: so rows are taken in batches, and their
 * slots are prefetched.
 */
#include "base/base.h"

#include "query/usage_inodes.h"

#include "db/stmt.h"
#include "index/contents.h"
#include "index/file.h"
#include "index/fleeting.h"
#include "index/index.h"
#include "query/dirtree.h"
#include "sys/stop.h"

/*
 * Keep eight consecutive inode numbers side by side in the table: neighbours share a cache line.
 */
static uint32_t
usage_inodes_tag(struct inode inode)
{
	uint64_t mixed = ((uint64_t)inode.number >> 3 ^ (uint64_t)inode.volume << 48) * 0x9e3779b97f4a7c15u;

	mixed = (mixed ^ mixed >> 29) * 0xbf58476d1ce4e5b9u >> 32;
	return (uint32_t)mixed << 3 | ((uint32_t)inode.number & 7);
}

/* The position of the inode with such a tag, or TABLE_END. */
static size_t
usage_inodes_find_tagged(const struct usage_inodes *u, struct inode inode, int64_t size, uint32_t tag)
{
	TABLE_EACH(i, &u->by_inode, tag) {
		const struct usage_inode *known = &u->inodes.v[i];

		if (inode_same(known->inode, inode) && known->size == size)
			return i;
	}
	return TABLE_END;
}

size_t
usage_inodes_find(const struct usage_inodes *u, struct inode inode, int64_t size)
{
	return usage_inodes_find_tagged(u, inode, size, usage_inodes_tag(inode));
}

size_t
usage_inodes_find_content(const struct usage_inodes *u, int64_t size, const void *hash)
{
	TABLE_EACH(i, &u->by_content, (uint32_t)content_key(hash)) {
		if (u->contents.v[i].size == size && memcmp(u->contents.v[i].hash, hash, HASH_SIZE) == 0)
			return i;
	}
	return TABLE_END;
}

/* The content with this hash; a new one is added. */
static uint32_t
usage_inodes_content(struct usage_inodes *u, const struct usage_row *r, uint32_t place)
{
	const size_t known = usage_inodes_find_content(u, r->size, r->hash);
	struct usage_content *c;

	if (known != TABLE_END)
		return (uint32_t)known;
	c = vec_add(&u->contents);
	*c = (struct usage_content){ .size = r->size, .place = place };
	memcpy(c->hash, r->hash, HASH_SIZE);
	table_add(&u->by_content, r->content_tag, u->contents.n - 1);
	return (uint32_t)(u->contents.n - 1);
}

uint32_t
usage_inodes_join(const struct usage_inodes *u, uint32_t a, uint32_t b)
{
	return a == b ? a : dirtree_common(u->tree, a >> 1, b >> 1) << 1;
}

/* Note one more name of an inode, and at the second one the first as well. */
static void
usage_inodes_name(struct usage_inodes *u, uint32_t inode, uint32_t place)
{
	struct usage_inode *i = &u->inodes.v[inode];

	if (!bits_contains(&u->several, inode)) {
		bits_add(&u->several, inode);
		vec_push(&u->names, (uint64_t)inode << 32 | i->place >> 1);
	}
	vec_push(&u->names, (uint64_t)inode << 32 | place >> 1);
	i->place = usage_inodes_join(u, i->place, place);
	if (i->content != USAGE_INODES_NO_CONTENT)
		u->contents.v[i->content].place = usage_inodes_join(u, u->contents.v[i->content].place, place);
}

static void
usage_inodes_add(struct usage_inodes *u, const struct usage_row *r)
{
	const uint32_t place = r->dir << 1 | 1;
	const size_t known = usage_inodes_find_tagged(u, r->inode, r->size, r->inode_tag);
	const bool added = known == TABLE_END;
	const uint32_t inode = (uint32_t)(added ? u->inodes.n : known);
	struct usage_content *c;

	if (added) {
		vec_push(&u->inodes, ((struct usage_inode){ .inode = r->inode, .size = r->size, .content = USAGE_INODES_NO_CONTENT, .place = place }));
		table_add(&u->by_inode, r->inode_tag, inode);
	} else
		usage_inodes_name(u, inode, place);
	if (r->nlink > 1)
		vec_push(&u->links, (uint64_t)inode << 32 | r->nlink);
	if (u->reasons != NULL && added)
		vec_push(&u->why, u->reasons[r->dir]);
	else if (u->reasons != NULL && fleeting_count(u->reasons[r->dir]) < fleeting_count(u->why.v[inode]))
		u->why.v[inode] = u->reasons[r->dir];
	if (u->backup != NULL)
		bits_add(u->backup[r->dir] ? &u->backed : &u->beside, inode);
	if (!r->has_hash || u->inodes.v[inode].content != USAGE_INODES_NO_CONTENT)
		return;
	u->inodes.v[inode].content = usage_inodes_content(u, r, u->inodes.v[inode].place);
	c = &u->contents.v[u->inodes.v[inode].content];
	c->place = usage_inodes_join(u, c->place, u->inodes.v[inode].place);
	c->inodes++;
}

/* Add the rows of a batch. */
static void
usage_inodes_flush(struct usage_inodes *u)
{
	table_reserve(&u->by_inode, u->n_rows);
	table_reserve(&u->by_content, u->n_rows);
	for (size_t i = 0; i < u->n_rows; i++) {
		table_prefetch(&u->by_inode, u->rows[i].inode_tag);
		if (u->rows[i].has_hash)
			table_prefetch(&u->by_content, u->rows[i].content_tag);
	}
	for (size_t i = 0; i < u->n_rows; i++)
		usage_inodes_add(u, &u->rows[i]);
	u->n_rows = 0;
}

/* Read the present row but for its content. */
static void
usage_inodes_read_row(struct usage_row *r, uint32_t dir, const struct stmt *st)
{
	const int64_t nlink = stmt_col_int(st, 5);

	r->size = stmt_col_int(st, 1);
	r->inode.volume = stmt_col_int(st, 2);
	r->inode.number = stmt_col_int(st, 3);
	r->nlink = nlink < 1 ? 1 : nlink < UINT32_MAX ? (uint32_t)nlink : UINT32_MAX;
	r->dir = dir;
	r->inode_tag = usage_inodes_tag(r->inode);
}

/* Take the present row.  A file without bytes adds none. */
static void
usage_inodes_take(struct usage_inodes *u, uint32_t dir, const struct stmt *st)
{
	struct usage_row *r = &u->rows[u->n_rows];
	const void *hash;
	size_t len;

	u->files[dir]++;
	usage_inodes_read_row(r, dir, st);
	if (r->size <= 0)
		return;
	hash = stmt_col_blob(st, 4, &len);
	r->has_hash = hash != NULL && len == HASH_SIZE;
	if (r->has_hash) {
		memcpy(r->hash, hash, HASH_SIZE);
		r->content_tag = (uint32_t)content_key(r->hash);
	}
	if (++u->n_rows == USAGE_INODES_BATCH)
		usage_inodes_flush(u);
}

/* Note which directories lie in backups. */
static void
usage_inodes_find_backups(struct usage_inodes *u, const struct backups *b)
{
	if (b->n > 0)
		u->backup = mem_zalloc(dirtree_count(u->tree), sizeof(*u->backup));
	for (size_t i = 0; i < b->n; i++) {
		const uint32_t dir = dirtree_find(u->tree, b->v[i]);

		if (dir != DIRTREE_NONE)
			memset(u->backup + dir, true, dirtree_end(u->tree, dir) - dir);
	}
}

int
usage_inodes_read(struct usage_inodes *u, const struct dirtree *tree, struct index *ix, struct err *err)
{
	struct stmt st = stmt_get(ix->db, SQL_FILE_USAGE, err);
	int64_t id = 0;
	uint32_t dir = DIRTREE_NONE;
	struct usage_row excluded = { 0 };
	bool skip = false, any = false;
	int ret;

	u->tree = tree;
	usage_inodes_find_backups(u, &ix->backups);
	u->reasons = dirtree_reasons(tree, NULL, 0);
	for (uint32_t i = 0; i < dirtree_count(tree); i++)
		any |= u->reasons[i] != 0;
	if (!any) {
		free(u->reasons);
		u->reasons = NULL;
	}
	u->files = mem_zalloc(dirtree_count(tree), sizeof(*u->files));
	while ((ret = stmt_step(&st)) == 1) {
		if (stmt_col_int(&st, 0) != id || dir == DIRTREE_NONE) {
			id = stmt_col_int(&st, 0);
			dir = dirtree_by_id(u->tree, id);
			if (dir == DIRTREE_NONE) {
				ret = db_corrupt(ix->db, err, "dir", id, NULL, "is missing");
				break;
			}
			skip = dirtree_excluded(u->tree, dir);
		}
		if (!skip)
			usage_inodes_take(u, dir, &st);
		else {
			usage_inodes_read_row(&excluded, dir, &st);
			if (excluded.nlink > 1)
				vec_push(&u->excluded, excluded);
		}
		ret = stop_check(err);
		if (ret < 0)
			break;
	}
	stmt_done(&st);
	usage_inodes_flush(u);
	return ret;
}

void
usage_inodes_thin(struct usage_inodes *u)
{
	vec_release(&u->contents);
	vec_release(&u->names);
	vec_release(&u->links);
	vec_release(&u->excluded);
	table_release(&u->by_content);
	free(u->files);
	free(u->several.v);
	free(u->reasons);
	vec_release(&u->why);
	free(u->backup);
	free(u->backed.v);
	free(u->beside.v);
	u->files = NULL;
	u->backup = NULL;
	u->backed = u->beside = (struct bits){ 0 };
	u->several = (struct bits){ 0 };
	u->reasons = NULL;
}

void
usage_inodes_release(struct usage_inodes *u)
{
	usage_inodes_thin(u);
	vec_release(&u->inodes);
	table_release(&u->by_inode);
}
