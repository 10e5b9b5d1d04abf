/* SPDX-License-Identifier: MIT */
/*
 * A sum over a subtree that counts a thing once, however often it occurs, is a plain sum over the
 * tree if the thing is added at the right places:
 *
 *  - What counts where all of its occurrences are below X is added at the nearest directory that
 *    all of them have in common.  So are inodes in redundant: one with a name outside of X frees
 *    nothing.  One copy of each content is taken off again where all its copies are below X.
 *  - What counts where any occurrence is below X is added at each of them, in the order of the
 *    tree, and taken off at what each has in common with the one before.  So are the inodes in
 *    bytes.
 *
 * An inode whose link count is greater than the number of its indexed names has names outside of
 * the index.  It frees nothing anywhere, and keeps its content wherever that is removed: both
 * count as if they had a name above "/".
 *
 * The files directly in a directory are a leaf of their own below it.  A place is a directory's
 * number times two, plus one for that leaf.  While rows are read only inodes and contents are
 * kept; sums are made at the end, and sums wrap around like unsigned numbers, which differences
 * undo.
 *
 * Where files can share blocks, a second pass finds a name of each copy that counts at the
 * directory in question, threads ask for its blocks (copy_blocks), and redundant is corrected: by
 * what each copy shares, and for the one that stays by what the copy shares that shares most.
 *
 * Half of the time would go by waiting for the memory of the tables: so rows are taken in
 * batches, and their slots are fetched before they are needed.
 */
#include <config.h>

#include "query/usage.h"

#include <assert.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "base/bits.h"
#include "base/err.h"
#include "base/order.h"
#include "base/table.h"
#include "base/vec.h"
#include "db/filter.h"
#include "db/stmt.h"
#include "query/answer.h"
#include "query/copy_blocks.h"
#include "query/dirtree.h"
#include "query/drops.h"
#include "query/views.h"
#include "index/dirs.h"
#include "index/file.h"
#include "index/index.h"
#include "index/inode.h"
#include "index/mark.h"
#include "sys/stop.h"

#define USAGE_NO_CONTENT UINT32_MAX
/* Rows of a batch. */
#define USAGE_BATCH 32

/* Sums of one place, or what is to be added there; see struct usage_sum. */
struct usage_cell {
	uint64_t files, bytes, duplicated, redundant, marked, trash;
};

struct usage {
	struct dirtree *tree;
	struct usage_cell *below, *within;   /* by number of the directory */
	uint32_t asked, asked_end;           /* directories whose copies told what they share */
};

struct usage_inode {
	struct inode inode;
	int64_t size;
	uint32_t content;        /* or USAGE_NO_CONTENT: no name of it with a hash came yet */
	uint32_t place;          /* that all its names have in common */
};

struct usage_content {
	int64_t size;
	uint8_t hash[HASH_SIZE];
	uint32_t inodes;         /* that count: in no trash, and certainly not the same files */
	uint32_t place;          /* that all names of these have in common */
};

/* What is wanted of a file's row. */
struct usage_row {
	int64_t size;
	struct inode inode;
	uint32_t dir;
	uint32_t nlink;
	uint32_t inode_tag, content_tag;
	bool has_hash;
	uint8_t hash[HASH_SIZE];
};

struct usage_load {
	struct usage *u;
	VEC(struct usage_inode) inodes;
	VEC(struct usage_content) contents;
	VEC(uint64_t) names;     /* of inodes with several: inode's position << 32 | directory */
	struct table by_inode, by_content;
	struct bits several;   /* by inode: it has several names */
	struct bits outside;   /* by inode: it has names outside of the index */
	struct bits kept;        /* by inode, where there is a trash: it has a name in none */
	bool *trash;             /* by directory: it lies in one; or NULL */
	struct views views;
	struct bits viewed;      /* by inode: a view of what may be another copy */
	VEC(uint64_t) links;     /* of names with links: inode's position << 32 | link count */
	VEC(struct usage_row) excluded;  /* such names in excluded directories: they hold it */
	struct usage_row rows[USAGE_BATCH];
	size_t n_rows;
	struct index *ix;
	struct copy_blocks copies;
	uint8_t *unasked;        /* bits by inode: it is one of copies, and has no name there yet */
};

/*
 * Keep eight consecutive inode numbers side by side in the table: neighbours share a cache line.
 */
static uint32_t
usage_inode_tag(const struct usage_row *r)
{
	uint64_t mixed = ((uint64_t)r->inode.number >> 3 ^ (uint64_t)r->inode.volume << 48) * 0x9e3779b97f4a7c15u;

	mixed = (mixed ^ mixed >> 29) * 0xbf58476d1ce4e5b9u >> 32;
	return (uint32_t)mixed << 3 | ((uint32_t)r->inode.number & 7);
}

/* The position of a row's inode, or TABLE_END. */
static size_t
usage_find_inode(const struct usage_load *l, const struct usage_row *r)
{
	TABLE_EACH(i, &l->by_inode, r->inode_tag) {
		const struct usage_inode *known = &l->inodes.v[i];

		if (inode_same(known->inode, r->inode) && known->size == r->size)
			return i;
	}
	return TABLE_END;
}

/* The inode of a row; a new one is added, with its first place. */
static uint32_t
usage_inode(struct usage_load *l, const struct usage_row *r, uint32_t place, bool *added)
{
	const size_t known = usage_find_inode(l, r);

	*added = known == TABLE_END;
	if (!*added)
		return (uint32_t)known;
	vec_push(&l->inodes, ((struct usage_inode){ r->inode, r->size, USAGE_NO_CONTENT, place }));
	table_add(&l->by_inode, r->inode_tag, l->inodes.n - 1);
	return (uint32_t)(l->inodes.n - 1);
}

/* The position of the content with this hash, or TABLE_END. */
static size_t
usage_find_content(const struct usage_load *l, int64_t size, const void *hash)
{
	TABLE_EACH(i, &l->by_content, (uint32_t)content_key(hash)) {
		if (l->contents.v[i].size == size && memcmp(l->contents.v[i].hash, hash, HASH_SIZE) == 0)
			return i;
	}
	return TABLE_END;
}

/* The content with this hash; a new one is added. */
static uint32_t
usage_content(struct usage_load *l, const struct usage_row *r, uint32_t place)
{
	const size_t known = usage_find_content(l, r->size, r->hash);
	struct usage_content *c;

	if (known != TABLE_END)
		return (uint32_t)known;
	c = vec_add(&l->contents);
	*c = (struct usage_content){ .size = r->size, .place = place };
	memcpy(c->hash, r->hash, HASH_SIZE);
	table_add(&l->by_content, r->content_tag, l->contents.n - 1);
	return (uint32_t)(l->contents.n - 1);
}

/* The place that two places have in common. */
static uint32_t
usage_join(const struct usage_load *l, uint32_t a, uint32_t b)
{
	return a == b ? a : dirtree_common(l->u->tree, a >> 1, b >> 1) << 1;
}

/* Note one more name of an inode, and at the second one the first as well. */
static void
usage_name(struct usage_load *l, uint32_t inode, uint32_t place)
{
	struct usage_inode *i = &l->inodes.v[inode];

	if (!bits_contains(&l->several, inode)) {
		bits_add(&l->several, inode);
		vec_push(&l->names, (uint64_t)inode << 32 | i->place >> 1);
	}
	vec_push(&l->names, (uint64_t)inode << 32 | place >> 1);
	i->place = usage_join(l, i->place, place);
	if (i->content != USAGE_NO_CONTENT)
		l->contents.v[i->content].place = usage_join(l, l->contents.v[i->content].place, place);
}

static void
usage_add(struct usage_load *l, const struct usage_row *r)
{
	const uint32_t place = r->dir << 1 | 1;
	struct usage_content *c;
	uint32_t inode;
	bool added;

	inode = usage_inode(l, r, place, &added);
	if (!added)
		usage_name(l, inode, place);
	if (r->nlink > 1)
		vec_push(&l->links, (uint64_t)inode << 32 | r->nlink);
	if (l->trash != NULL && !l->trash[r->dir])
		bits_add(&l->kept, inode);
	if (!r->has_hash || l->inodes.v[inode].content != USAGE_NO_CONTENT)
		return;
	l->inodes.v[inode].content = usage_content(l, r, l->inodes.v[inode].place);
	c = &l->contents.v[l->inodes.v[inode].content];
	c->place = usage_join(l, c->place, l->inodes.v[inode].place);
	c->inodes++;
}

/* Add the rows of a batch. */
static void
usage_flush(struct usage_load *l)
{
	table_reserve(&l->by_inode, l->n_rows);
	table_reserve(&l->by_content, l->n_rows);
	for (size_t i = 0; i < l->n_rows; i++) {
		table_prefetch(&l->by_inode, l->rows[i].inode_tag);
		if (l->rows[i].has_hash)
			table_prefetch(&l->by_content, l->rows[i].content_tag);
	}
	for (size_t i = 0; i < l->n_rows; i++)
		usage_add(l, &l->rows[i]);
	l->n_rows = 0;
}

/* Read the present row but for its content. */
static void
usage_row(struct usage_row *r, uint32_t dir, const struct stmt *st)
{
	const int64_t nlink = stmt_col_int(st, 5);

	r->size = stmt_col_int(st, 1);
	r->inode.volume = stmt_col_int(st, 2);
	r->inode.number = stmt_col_int(st, 3);
	r->nlink = nlink < 1 ? 1 : nlink < UINT32_MAX ? (uint32_t)nlink : UINT32_MAX;
	r->dir = dir;
	r->inode_tag = usage_inode_tag(r);
}

/* Take the present row of a directory that is taken not to exist. */
static void
usage_take_excluded(struct usage_load *l, uint32_t dir, const struct stmt *st)
{
	struct usage_row r = { 0 };

	usage_row(&r, dir, st);
	if (r.nlink > 1)
		vec_push(&l->excluded, r);
}

/* Take the present row.  A file without bytes adds none. */
static void
usage_take(struct usage_load *l, uint32_t dir, const struct stmt *st)
{
	struct usage_row *r = &l->rows[l->n_rows];
	const void *hash;
	size_t len;

	l->u->within[dir].files++;
	usage_row(r, dir, st);
	if (r->size <= 0)
		return;
	hash = stmt_col_blob(st, 4, &len);
	r->has_hash = hash != NULL && len == HASH_SIZE;
	if (r->has_hash) {
		memcpy(r->hash, hash, HASH_SIZE);
		r->content_tag = (uint32_t)content_key(r->hash);
	}
	if (++l->n_rows == USAGE_BATCH)
		usage_flush(l);
}

static int
usage_read(struct usage_load *l, struct index *ix, struct err *err)
{
	struct stmt st = stmt_get(ix->db, SQL_FILE_USAGE, err);
	int64_t id = 0;
	uint32_t dir = DIRTREE_NONE;
	bool skip = false;
	int ret;

	while ((ret = stmt_step(&st)) == 1) {
		if (stmt_col_int(&st, 0) != id || dir == DIRTREE_NONE) {
			id = stmt_col_int(&st, 0);
			dir = dirtree_by_id(l->u->tree, id);
			if (dir == DIRTREE_NONE) {
				ret = db_corrupt(ix->db, err, "dir", id, NULL, "is missing");
				break;
			}
			skip = dirtree_excluded(l->u->tree, dir);
		}
		if (skip)
			usage_take_excluded(l, dir, &st);
		else
			usage_take(l, dir, &st);
		ret = stop_check(err);
		if (ret < 0)
			break;
	}
	stmt_done(&st);
	usage_flush(l);
	return ret;
}

/* What to add to at a place. */
static struct usage_cell *
usage_cell(struct usage *u, uint32_t place)
{
	return (place & 1) != 0 ? &u->within[place >> 1] : &u->below[place >> 1];
}

/* Whether an inode counts as a copy: it has a name in no trash, and is no view of another. */
static bool
usage_counts(const struct usage_load *l, size_t inode)
{
	return (l->trash == NULL || bits_contains(&l->kept, inode)) && !bits_contains(&l->viewed, inode);
}

/* Whether an inode is one of several copies. */
static bool
usage_is_copy(const struct usage_load *l, size_t inode)
{
	const uint32_t content = l->inodes.v[inode].content;

	return content != USAGE_NO_CONTENT && l->contents.v[content].inodes > 1 && usage_counts(l, inode);
}

/* Find the inodes that may be the same files as others, through a view. */
static void
usage_find_views(struct usage_load *l)
{
	VEC(struct views_copy) copies = { 0 };

	for (size_t n = 0; l->views.n > 0 && n < l->inodes.n; n++) {
		if (usage_is_copy(l, n))
			vec_push(&copies, ((struct views_copy){ l->inodes.v[n].inode.volume, l->inodes.v[n].content, (uint32_t)n }));
	}
	views_find(&l->views, copies.v, copies.n, &l->viewed);
	vec_release(&copies);
}

/* Count for each content only the inodes that count. */
static void
usage_count_copies(struct usage_load *l)
{
	for (size_t n = 0; n < l->contents.n; n++)
		l->contents.v[n].inodes = 0;
	for (size_t n = 0; n < l->inodes.n; n++) {
		const struct usage_inode *i = &l->inodes.v[n];
		struct usage_content *c = i->content != USAGE_NO_CONTENT ? &l->contents.v[i->content] : NULL;

		if (c != NULL && usage_counts(l, n))
			c->place = c->inodes++ > 0 ? usage_join(l, c->place, i->place) : i->place;
	}
}

/* Add bytes of inodes with several names: at each name, less where neighbours join. */
static void
usage_sum_links(struct usage_load *l)
{
	if (l->names.n > 0)
		qsort(l->names.v, l->names.n, sizeof(*l->names.v), order_cmp_uint64);
	for (size_t n = 0; n < l->names.n; n++) {
		const size_t inode = l->names.v[n] >> 32;
		const uint32_t place = (uint32_t)l->names.v[n] << 1 | 1;
		const uint64_t size = (uint64_t)l->inodes.v[inode].size, duplicated = usage_is_copy(l, inode) ? size : 0;
		struct usage_cell *cell = usage_cell(l->u, place);

		cell->bytes += size;
		cell->duplicated += duplicated;
		if (n == 0 || l->names.v[n - 1] >> 32 != inode)
			continue;
		cell = usage_cell(l->u, usage_join(l, place, (uint32_t)l->names.v[n - 1] << 1 | 1));
		cell->bytes -= size;
		cell->duplicated -= duplicated;
	}
}

/* Find the inodes with names outside the index: their contents stay whatever is removed. */
static void
usage_find_outside(struct usage_load *l)
{
	for (size_t i = 0; i < l->excluded.n; i++) {
		const size_t inode = usage_find_inode(l, &l->excluded.v[i]);

		if (inode != TABLE_END)
			vec_push(&l->links, (uint64_t)inode << 32 | l->excluded.v[i].nlink);
	}
	if (l->links.n > 0)
		qsort(l->links.v, l->links.n, sizeof(*l->links.v), order_cmp_uint64);
	for (size_t n = 0, names = 0; n < l->links.n; n++) {
		const uint32_t inode = (uint32_t)(l->links.v[n] >> 32), content = l->inodes.v[inode].content;

		names++;
		if (n + 1 < l->links.n && l->links.v[n + 1] >> 32 == inode)
			continue;
		/* The greatest count comes last. */
		if ((uint32_t)l->links.v[n] > names) {
			bits_add(&l->outside, inode);
			if (content != USAGE_NO_CONTENT && usage_counts(l, inode))
				l->contents.v[content].place = 0;
		}
		names = 0;
	}
}

/* drops_fn: add an inode that goes with its marks. */
static void
usage_add_drop(void *arg, uint32_t dir, bool within, int64_t size)
{
	usage_cell(arg, dir << 1 | within)->marked += (uint64_t)size;
}

int
usage_marks(struct usage *u, struct index *ix, struct err *err)
{
	const uint32_t n = dirtree_count(u->tree);
	int ret;

	for (uint32_t dir = 0; dir < n; dir++)
		u->below[dir].marked = u->within[dir].marked = 0;
	ret = drops_each(ix, u->tree, usage_add_drop, u, err);
	for (uint32_t dir = n; dir-- > 0;) {
		u->below[dir].marked += u->within[dir].marked;
		if (dir > 0)
			u->below[dirtree_parent(u->tree, dir)].marked += u->below[dir].marked;
	}
	return ret;
}

/* Whether an inode is asked for its blocks: a copy that is freed at the directory or below. */
static bool
usage_is_asked(const struct usage_load *l, size_t inode)
{
	const struct usage_inode *i = &l->inodes.v[inode];
	const uint32_t dir = i->place >> 1;

	return dir >= l->u->asked && dir < l->u->asked_end && usage_is_copy(l, inode) && !bits_contains(&l->outside, inode) &&
	       copy_blocks_may_share(&l->copies, i->inode.volume);
}

/* filter_fn: whether a content has several copies. */
static bool
usage_wants(void *arg, int64_t size, const void *hash, size_t len)
{
	const struct usage_load *l = arg;
	const size_t content = len == HASH_SIZE ? usage_find_content(l, size, hash) : TABLE_END;

	return content != TABLE_END && l->contents.v[content].inodes > 1;
}

/* Note the first name of an inode that is to be asked for its blocks. */
static void
usage_take_copy(struct usage_load *l, const struct file_row *row)
{
	struct usage_row r = { .size = row->size, .inode = row->inode };
	size_t inode;

	r.inode_tag = usage_inode_tag(&r);
	inode = usage_find_inode(l, &r);
	if (inode == TABLE_END || !bits_has(l->unasked, inode))
		return;
	bits_set(l->unasked, inode, false);
	copy_blocks_add(&l->copies, l->inodes.v[inode].content, (uint32_t)inode, row);
}

/* Find a name of each inode whose blocks are to be asked for. */
static int
usage_find_copies(struct usage_load *l, struct err *err)
{
	struct stmt st = stmt_get(l->ix->db, SQL_FILE_WANTED, err);
	struct file_row row;
	int ret;

	filter_set(l->ix->db, usage_wants, l);
	while ((ret = stmt_step(&st)) == 1) {
		ret = file_read_stat(&st, &row, err) < 0 ? -1 : stop_check(err);
		if (ret < 0)
			break;
		usage_take_copy(l, &row);
	}
	stmt_done(&st);
	filter_set(l->ix->db, NULL, NULL);
	return ret;
}

/* Ask the copies that count at and below a directory for their blocks. */
static int
usage_ask_copies(struct usage_load *l, const char *asked, struct err *err)
{
	struct usage *u = l->u;
	const uint32_t dir = asked != NULL ? dirtree_find(u->tree, asked) : DIRTREE_NONE;
	bool any = false;
	int ret;

	if (dir == DIRTREE_NONE)
		return 0;
	u->asked = 0;
	u->asked_end = dirtree_count(u->tree);
	ret = copy_blocks_open(&l->copies, u->tree, l->ix->db, err);
	if (ret <= 0)
		return ret;
	u->asked = dir;
	u->asked_end = dirtree_end(u->tree, dir);
	l->unasked = bits_new(l->inodes.n);
	for (size_t i = 0; i < l->inodes.n; i++) {
		if (usage_is_asked(l, i)) {
			bits_set(l->unasked, i, true);
			any = true;
		}
	}
	if (!any)
		return 0;
	return usage_find_copies(l, err) < 0 ? -1 : copy_blocks_ask(&l->copies, err);
}

/* Take from redundant what copies share. */
static void
usage_sum_shared(struct usage_load *l)
{
	const struct copy_blocks *c = &l->copies;

	for (size_t i = 0, end; i < c->n; i = end) {
		const struct usage_content *content = &l->contents.v[c->v[i].content];
		int64_t least = content->size;

		for (end = i; end < c->n && c->v[end].content == c->v[i].content; end++) {
			usage_cell(l->u, l->inodes.v[c->v[end].inode].place)->redundant -= (uint64_t)(content->size - c->v[end].frees);
			least = c->v[end].frees < least ? c->v[end].frees : least;
		}
		usage_cell(l->u, content->place)->redundant += (uint64_t)(content->size - least);
	}
}

static void
usage_sum_all(struct usage_load *l)
{
	struct usage *u = l->u;

	for (size_t n = 0; n < l->inodes.n; n++) {
		const struct usage_inode *i = &l->inodes.v[n];
		struct usage_cell *cell = usage_cell(u, i->place);
		const uint64_t size = (uint64_t)i->size, duplicated = usage_is_copy(l, n) ? size : 0;

		cell->trash += l->trash != NULL && !bits_contains(&l->kept, n) && i->content != USAGE_NO_CONTENT &&
		               l->contents.v[i->content].inodes > 0;
		if (!bits_contains(&l->outside, n))
			cell->redundant += duplicated;
		if (!bits_contains(&l->several, n)) {
			cell->bytes += size;
			cell->duplicated += duplicated;
		}
	}
	usage_sum_links(l);
	for (size_t n = 0; n < l->contents.n; n++) {
		if (l->contents.v[n].inodes > 1)
			usage_cell(u, l->contents.v[n].place)->redundant -= (uint64_t)l->contents.v[n].size;
	}
	usage_sum_shared(l);
	/* Those below a directory have greater numbers. */
	for (uint32_t dir = dirtree_count(u->tree); dir-- > 0;) {
		const struct usage_cell *in = &u->within[dir];
		struct usage_cell *at = &u->below[dir], *up = &u->below[dirtree_parent(u->tree, dir)];

		at->files += in->files;
		at->bytes += in->bytes;
		at->duplicated += in->duplicated;
		at->redundant += in->redundant;
		at->trash += in->trash;
		if (dir == 0)
			break;
		up->files += at->files;
		up->bytes += at->bytes;
		up->duplicated += at->duplicated;
		up->redundant += at->redundant;
		up->trash += at->trash;
	}
}

int
usage_load_without(struct usage **result, struct index *ix, const char *const *exclude, size_t n, const char *asked,
                   struct err *err)
{
	struct usage *u = mem_zalloc(1, sizeof(*u));
	struct usage_load l = { .u = u, .ix = ix };
	int ret = dirtree_load(&u->tree, ix->db, err);

	if (ret == 0) {
		for (size_t i = 0; i < n; i++)
			dirtree_exclude(u->tree, exclude[i]);
		u->below = mem_zalloc(dirtree_count(u->tree), sizeof(*u->below));
		u->within = mem_zalloc(dirtree_count(u->tree), sizeof(*u->within));
		l.trash = dirtree_trash(u->tree, NULL, 0);
		ret = usage_read(&l, ix, err) < 0 ? -1 : views_load(&l.views, ix, NULL, err);
	}
	if (ret == 0) {
		usage_find_views(&l);
		if (l.trash != NULL || l.viewed.n > 0)
			usage_count_copies(&l);
		usage_find_outside(&l);
		ret = usage_ask_copies(&l, asked, err);
	}
	if (ret == 0) {
		usage_sum_all(&l);
		ret = usage_marks(u, ix, err);
	}
	if (ret == 0) {
		*result = u;
		u = NULL;
	}
	vec_release(&l.inodes);
	vec_release(&l.contents);
	vec_release(&l.names);
	table_release(&l.by_inode);
	table_release(&l.by_content);
	vec_release(&l.links);
	vec_release(&l.excluded);
	free(l.several.v);
	free(l.outside.v);
	free(l.kept.v);
	free(l.viewed.v);
	vec_release(&l.views);
	free(l.trash);
	free(l.unasked);
	copy_blocks_release(&l.copies);
	usage_free(u);
	return ret;
}

void
usage_free(struct usage *u)
{
	if (u == NULL)
		return;
	dirtree_free(u->tree);
	free(u->below);
	free(u->within);
	free(u);
}

const struct dirtree *
usage_dirs(const struct usage *u)
{
	return u->tree;
}

bool
usage_asked(const struct usage *u, uint32_t dir)
{
	return dir >= u->asked && dir < u->asked_end;
}

/* A sum beyond 2^63 - 1 (sparse files may be that large) is shown as that. */
static int64_t
usage_number(uint64_t n)
{
	return n > INT64_MAX ? INT64_MAX : (int64_t)n;
}

static struct usage_sum
usage_sum(const struct usage_cell *cell)
{
	return (struct usage_sum){ usage_number(cell->files), usage_number(cell->bytes), usage_number(cell->duplicated),
	                           usage_number(cell->redundant), usage_number(cell->marked), usage_number(cell->trash) };
}

struct usage_sum
usage_below(const struct usage *u, uint32_t dir)
{
	assert(dir < dirtree_count(u->tree));
	return usage_sum(&u->below[dir]);
}

struct usage_sum
usage_within(const struct usage *u, uint32_t dir)
{
	assert(dir < dirtree_count(u->tree));
	return usage_sum(&u->within[dir]);
}
