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
 * count as if they had a name above "/".  So do an inode whose rows have several contents, for
 * they are of different scans, and all of these contents.
 *
 * Copies that may go by themselves (index/fleeting) are contents of their own, one for each set of
 * reasons; of one that another outlasts no copy has to stay.
 *
 * An inode with all its names in backups (index/backups) does not count as a copy; one with some
 * names there stays, as one with names outside of the index does.
 *
 * The files directly in a directory are a leaf of their own below it.  A place is a directory's
 * number times two, plus one for that leaf.  Sums are made once all inodes and contents are known
 * (usage_inodes), and wrap around like unsigned numbers, which differences undo.
 *
 * Where files can share blocks, threads ask for those of each copy that counts at the directory in
 * question (usage_ask_copies).  Then redundant is corrected: by what each copy shares, and for the
 * one that stays by what the copy shares that shares most.
 */
#include "base/base.h"

#include "query/usage.h"

#include "index/exclusive_extents.h"
#include "index/file.h"
#include "index/fleeting.h"
#include "index/index.h"
#include "index/inode.h"
#include "index/mark.h"
#include "query/alias_volumes.h"
#include "query/dirtree.h"
#include "query/marked_inodes.h"
#include "query/usage_inodes.h"
#include "query/usage_portions.h"

/* A copy that is asked for its blocks. */
struct usage_copy {
	uint32_t content, inode;     /* positions */
	const struct usage_look *look;
};

/* What an inode frees that is a copy, for usage_file(). */
struct usage_freed {
	struct inode inode;
	int64_t size, frees;
};

/* Sums of one place, or what is to be added there; see struct usage_sum. */
struct usage_cell {
	uint64_t files, bytes, duplicated, redundant, marked, trash, portion;
};
/* How many these are, one behind the other. */
#define USAGE_CELL (sizeof(struct usage_cell) / sizeof(uint64_t))

struct usage {
	struct dirtree *tree;
	struct usage_cell *below, *within;   /* by number of the directory */
	uint32_t asked, asked_end;           /* directories whose copies told what they share */
	VEC(struct usage_freed) freed;       /* none without files */
	struct table by_inode;               /* of these */
};

struct usage_load {
	struct usage *u;
	struct usage_inodes in;
	struct bits trashed;     /* by inode: a copy that lies in a trash with all its names */
	struct bits outlasted;   /* by content: another lasts longer, none of it has to stay */
	struct alias_volumes views;
	struct exclusive_extents extents;
	struct bits viewed;      /* by inode: a view of what may be another copy */
	struct index *ix;
	VEC(struct usage_copy) copies;       /* in the order of contents */
};

/* exclusive_extents_path_fn */
static void
usage_copy_path(void *arg, size_t i, struct buf *path)
{
	const struct usage_load *l = arg;
	const struct usage_look *look = l->copies.v[i].look;
	const char *name = l->in.look_names.data + look->name;

	dirtree_path(l->u->tree, look->dir, path);
	path_append(path, name, strlen(name));
}

/* exclusive_extents_take_fn: blocks that others have, too, are not freed. */
static void
usage_copy_own(void *arg, size_t i, int64_t own)
{
	const struct usage_load *l = arg;
	struct usage_inode *inode = &l->in.inodes.v[l->copies.v[i].inode];

	if (own < l->copies.v[i].look->blocks && own < inode->frees / 512)
		inode->frees = own * 512;
}

static int
usage_copy_cmp(const void *a, const void *b)
{
	const struct usage_copy *x = a, *y = b;

	ORDER_CMP(x->content, y->content);
	return 0;
}

/* The cell of a place. */
static struct usage_cell *
usage_cell(struct usage *u, uint32_t place)
{
	return (place & 1) != 0 ? &u->within[place >> 1] : &u->below[place >> 1];
}

/* Whether an inode counts as a copy: not with all its names in a trash, or a backup; no view. */
static bool
usage_counts(const struct usage_load *l, size_t inode)
{
	return !bits_contains(&l->trashed, inode) && !bits_contains(&l->viewed, inode) &&
	       (!l->in.inodes.v[inode].backed || l->in.inodes.v[inode].beside);
}

/* Whether an inode has another copy that it may rely on. */
static bool
usage_is_copy(const struct usage_load *l, size_t inode)
{
	const uint32_t content = l->in.inodes.v[inode].content;

	return content != USAGE_INODES_NO_CONTENT && (l->in.contents.v[content].inodes > 1 || bits_contains(&l->outlasted, content)) &&
	       usage_counts(l, inode);
}

/* Whether one of the copies of a content has to stay, and others may go. */
static bool
usage_has_copies(const struct usage_load *l, size_t content)
{
	return l->in.contents.v[content].inodes > 1 && !bits_contains(&l->outlasted, content);
}

/* Find the inodes that may be the same files as others, through a view. */
static void
usage_find_views(struct usage_load *l)
{
	const size_t n_inodes = alias_volumes_any(&l->views) ? l->in.inodes.n : 0;
	VEC(struct alias_volumes_copy) copies = { 0 };

	for (size_t n = 0, look = 0; n < n_inodes; n++) {
		const struct usage_inode *i = &l->in.inodes.v[n];
		struct fs_time mtime = { 0 };

		if (look < l->in.looks.n && l->in.looks.v[look].inode == n)
			mtime = l->in.looks.v[look++].mtime;
		if (usage_is_copy(l, n))
			vec_push(&copies, ((struct alias_volumes_copy){ { i->inode, mtime }, i->content, (uint32_t)n }));
	}
	alias_volumes_find(&l->views, copies.v, copies.n, &l->viewed);
	vec_release(&copies);
}

/* Find the copies that do not count: they lie in a trash that is not the one meant. */
static void
usage_find_trashed(struct usage_load *l, const char *meant)
{
	bool *others = l->in.reasons != NULL && meant != NULL ? dirtree_trash(l->u->tree, &meant, 1) : NULL;

	for (size_t n = 0; l->in.reasons != NULL && n < l->in.inodes.n; n++) {
		const struct usage_inode *i = &l->in.inodes.v[n];
		const uint32_t dir = i->place >> 1;
		const bool is_meant = meant != NULL && (l->in.reasons[dir] & FLEETING_TRASH) != 0 && (others == NULL || !others[dir]);

		if (i->content != USAGE_INODES_NO_CONTENT && l->in.contents.v[i->content].inodes > 1 &&
		    (i->why & FLEETING_TRASH) != 0 && !is_meant)
			bits_add(&l->trashed, n);
	}
	free(others);
}

/* A copy of a content of which some may go by themselves; sorts by content and reasons. */
struct usage_fleeting {
	uint32_t content, why, inode;
};

static int
usage_cmp_fleeting(const void *a, const void *b)
{
	const struct usage_fleeting *x = a, *y = b;

	ORDER_CMP(x->content, y->content);
	ORDER_CMP(x->why, y->why);
	return order_cmp_uint32(&x->inode, &y->inode);
}

/* Make n copies with the same reasons a content of their own; the first part stays the old one. */
static void
usage_part(struct usage_load *l, const struct usage_fleeting *v, size_t n, uint64_t staying, bool first)
{
	const bool stays = (staying >> v->why & 1) != 0, outlasted = !stays && fleeting_outlasted(staying, v->why);
	uint32_t content = v->content;

	if (!first) {
		const struct usage_content whole = l->in.contents.v[v->content];

		content = (uint32_t)l->in.contents.n;
		vec_push(&l->in.contents, whole);
	}
	if (outlasted)
		bits_add(&l->outlasted, content);
	for (size_t i = 0; i < n; i++) {
		l->in.inodes.v[v[i].inode].content = content;
		if (!stays && !outlasted)
			bits_add(&l->trashed, v[i].inode);
	}
}

/*
 * Part the contents of which some copies may go by themselves by the reasons: of each part one
 * copy has to stay, unless one of another part lasts longer.
 */
static void
usage_part_contents(struct usage_load *l)
{
	VEC(struct usage_fleeting) copies = { 0 };
	struct bits fleeting = { 0 };

	for (int pass = 0; l->in.reasons != NULL && pass < 2; pass++) {
		for (size_t n = 0; n < l->in.inodes.n; n++) {
			const uint32_t content = l->in.inodes.v[n].content;

			if (!usage_is_copy(l, n))
				continue;
			if (pass == 0 && l->in.inodes.v[n].why != 0)
				bits_add(&fleeting, content);
			else if (pass == 1 && bits_contains(&fleeting, content))
				vec_push(&copies, ((struct usage_fleeting){ content, l->in.inodes.v[n].why, (uint32_t)n }));
		}
	}
	if (copies.n > 1)
		qsort(copies.v, copies.n, sizeof(*copies.v), usage_cmp_fleeting);
	for (size_t i = 0, end; i < copies.n; i = end) {
		uint64_t present = 0, staying;

		for (end = i; end < copies.n && copies.v[end].content == copies.v[i].content; end++)
			present |= UINT64_C(1) << copies.v[end].why;
		staying = fleeting_staying(present);
		for (size_t from = i, to; from < end; from = to) {
			for (to = from; to < end && copies.v[to].why == copies.v[from].why; to++)
				;
			usage_part(l, &copies.v[from], to - from, staying, from == i);
		}
	}
	free(fleeting.v);
	vec_release(&copies);
}

/* Count for each content only the inodes that count. */
static void
usage_count_copies(struct usage_load *l)
{
	for (size_t n = 0; n < l->in.contents.n; n++)
		l->in.contents.v[n].inodes = 0;
	for (size_t n = 0; n < l->in.inodes.n; n++) {
		const struct usage_inode *i = &l->in.inodes.v[n];
		struct usage_content *c = i->content != USAGE_INODES_NO_CONTENT ? &l->in.contents.v[i->content] : NULL;

		if (c != NULL && usage_counts(l, n))
			c->place = c->inodes++ > 0 ? usage_inodes_join(&l->in, c->place, i->place) : i->place;
	}
}

/* Note which contents stay with an inode. */
static void
usage_find_staying(struct usage_load *l)
{
	for (size_t n = 0; n < l->in.inodes.n; n++) {
		const struct usage_inode *i = &l->in.inodes.v[n];

		if (i->stays && i->content != USAGE_INODES_NO_CONTENT && usage_counts(l, n))
			l->in.contents.v[i->content].place = 0;
	}
}

/* Add bytes of inodes with several names: at each name, less where neighbours join. */
static void
usage_sum_links(struct usage_load *l)
{
	struct bits is_copy = { 0 };

	for (size_t n = 0; n < l->in.inodes.n; n++) {
		if (l->in.inodes.v[n].several && usage_is_copy(l, n))
			bits_add(&is_copy, l->in.inodes.v[n].named);
	}
	if (l->in.names.n > 0)
		qsort(l->in.names.v, l->in.names.n, sizeof(*l->in.names.v), order_cmp_uint64);
	for (size_t n = 0; n < l->in.names.n; n++) {
		const size_t inode = l->in.names.v[n] >> 32;
		const uint32_t place = (uint32_t)l->in.names.v[n] << 1 | 1;
		const uint64_t size = (uint64_t)l->in.inodes.v[inode].size, duplicated = bits_contains(&is_copy, inode) ? size : 0;
		struct usage_cell *cell = usage_cell(l->u, place);

		cell->bytes += size;
		cell->duplicated += duplicated;
		if (n == 0 || l->in.names.v[n - 1] >> 32 != inode)
			continue;
		cell = usage_cell(l->u, usage_inodes_join(&l->in, place, (uint32_t)l->in.names.v[n - 1] << 1 | 1));
		cell->bytes -= size;
		cell->duplicated -= duplicated;
	}
	free(is_copy.v);
}

/* marked_inodes_fn: add an inode that goes with its marks. */
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
	ret = marked_inodes_each(ix, u->tree, usage_add_drop, u, err);
	for (uint32_t dir = 0; dir < n; dir++)
		u->below[dir].marked += u->within[dir].marked;
	dirtree_add_up(u->tree, &u->below->marked, 1, USAGE_CELL);
	return ret;
}

/* Find out where files may share blocks, and of which copies it matters. */
static int
usage_ask_volumes(struct usage_load *l, const char *asked, struct err *err)
{
	struct usage *u = l->u;
	const uint32_t dir = asked != NULL ? dirtree_find(u->tree, asked) : DIRTREE_NONE;

	if (dir == DIRTREE_NONE)
		return 0;
	if (exclusive_extents_ask_all(&l->extents, l->ix->db, err) < 0)
		return -1;
	u->asked = exclusive_extents_any(&l->extents) ? dir : 0;
	u->asked_end = dirtree_end(u->tree, u->asked);
	return 0;
}

/* Ask the copies that count at and below the directory for their blocks. */
static int
usage_ask_copies(struct usage_load *l, struct err *err)
{
	for (size_t i = 0; i < l->in.looks.n; i++) {
		const struct usage_look *look = &l->in.looks.v[i];
		const struct usage_inode *inode = &l->in.inodes.v[look->inode];
		const uint32_t dir = inode->place >> 1;

		if (dir >= l->u->asked && dir < l->u->asked_end && usage_is_copy(l, look->inode) && !inode->stays &&
		    exclusive_extents_shared(&l->extents, (uint64_t)inode->inode.volume))
			vec_push(&l->copies, ((struct usage_copy){ inode->content, look->inode, look }));
	}
	if (exclusive_extents_each(l->copies.n, usage_copy_path, usage_copy_own, l, err) < 0)
		return -1;
	if (l->copies.n > 1)
		qsort(l->copies.v, l->copies.n, sizeof(*l->copies.v), usage_copy_cmp);
	return 0;
}

/* Take from redundant what copies share. */
static void
usage_sum_shared(struct usage_load *l)
{
	const struct usage_copy *v = l->copies.v;

	for (size_t i = 0, end; i < l->copies.n; i = end) {
		const struct usage_content *content = &l->in.contents.v[v[i].content];
		int64_t least = content->size;

		for (end = i; end < l->copies.n && v[end].content == v[i].content; end++) {
			const struct usage_inode *inode = &l->in.inodes.v[v[end].inode];

			usage_cell(l->u, inode->place)->redundant -= (uint64_t)(content->size - inode->frees);
			least = inode->frees < least ? inode->frees : least;
		}
		if (usage_has_copies(l, v[i].content))
			usage_cell(l->u, content->place)->redundant += (uint64_t)(content->size - least);
	}
}

/* Divide what is redundant in a directory among those below it. */
static void
usage_sum_portions(struct usage_load *l, uint32_t dir)
{
	const uint32_t end = dirtree_end(l->u->tree, dir), n_dirs = dirtree_count(l->u->tree);
	int64_t *frees = mem_zalloc(l->in.inodes.n + 1, sizeof(*frees));
	int64_t *stays = mem_zalloc(l->in.contents.n + 1, sizeof(*stays));
	uint64_t *portions = mem_zalloc(n_dirs, sizeof(*portions));

	for (size_t n = 0; n < l->in.inodes.n; n++) {
		const uint32_t at = l->in.inodes.v[n].place >> 1;

		if (at >= dir && at < end && usage_is_copy(l, n) && !l->in.inodes.v[n].stays)
			frees[n] = l->in.inodes.v[n].frees;
	}
	for (size_t n = 0; n < l->in.contents.n; n++) {
		const uint32_t at = l->in.contents.v[n].place >> 1;

		if (at >= dir && at < end && usage_has_copies(l, n))
			stays[n] = l->in.contents.v[n].size;
	}
	for (size_t n = 0; n < l->copies.n; n++) {
		const struct usage_copy *copy = &l->copies.v[n];

		if (stays[copy->content] > l->in.inodes.v[copy->inode].frees)
			stays[copy->content] = l->in.inodes.v[copy->inode].frees;
	}
	usage_portions_add(&(struct usage_portions){ .in = &l->in, .frees = frees, .stays = stays }, portions);
	for (uint32_t d = 0; d < n_dirs; d++)
		l->u->within[d].portion = portions[d];
	free(frees);
	free(stays);
	free(portions);
}

/* divided: the directory of which portions are wanted, or DIRTREE_NONE. */
static void
usage_sum_all(struct usage_load *l, uint32_t divided)
{
	struct usage *u = l->u;

	for (uint32_t dir = 0; dir < dirtree_count(u->tree); dir++)
		u->within[dir] = (struct usage_cell){ .files = l->in.files[dir], .bytes = l->in.bytes[dir] };
	for (size_t n = 0; n < l->in.inodes.n; n++) {
		const struct usage_inode *i = &l->in.inodes.v[n];
		struct usage_cell *cell = usage_cell(u, i->place);
		const uint64_t size = (uint64_t)i->size, duplicated = usage_is_copy(l, n) ? size : 0;

		cell->trash += bits_contains(&l->trashed, n);
		if (!i->stays)
			cell->redundant += duplicated;
		if (!i->several) {
			cell->bytes += size;
			cell->duplicated += duplicated;
		}
	}
	usage_sum_links(l);
	for (size_t n = 0; n < l->in.contents.n; n++) {
		if (usage_has_copies(l, n))
			usage_cell(u, l->in.contents.v[n].place)->redundant -= (uint64_t)l->in.contents.v[n].size;
	}
	usage_sum_shared(l);
	if (divided != DIRTREE_NONE)
		usage_sum_portions(l, divided);
	for (uint32_t dir = 0; dir < dirtree_count(u->tree); dir++) {
		const struct usage_cell *in = &u->within[dir];
		struct usage_cell *at = &u->below[dir];

		at->files += in->files;
		at->bytes += in->bytes;
		at->duplicated += in->duplicated;
		at->redundant += in->redundant;
		at->trash += in->trash;
		at->portion += in->portion;
	}
	dirtree_add_up(u->tree, &u->below->files, USAGE_CELL, USAGE_CELL);
}

/* Note what each copy frees. */
static void
usage_keep_files(struct usage_load *l)
{
	struct usage *u = l->u;

	for (size_t n = 0; n < l->in.inodes.n; n++) {
		const struct usage_inode *i = &l->in.inodes.v[n];

		if (!usage_is_copy(l, n))
			continue;
		vec_push(&u->freed, ((struct usage_freed){ i->inode, i->size, i->frees }));
		table_add(&u->by_inode, inode_hash(i->inode), u->freed.n - 1);
	}
}

int
usage_load(struct usage **result, struct index *ix, const struct usage_query *q, struct err *err)
{
	struct usage *u = mem_zalloc(1, sizeof(*u));
	struct usage_load l = { .u = u, .ix = ix };
	int ret = dirtree_load(&u->tree, ix->db, err);

	if (ret == 0) {
		for (size_t i = 0; i < q->n_exclude; i++)
			dirtree_exclude(u->tree, q->exclude[i]);
		u->below = mem_zalloc(dirtree_count(u->tree), sizeof(*u->below));
		u->within = mem_zalloc(dirtree_count(u->tree), sizeof(*u->within));
		ret = usage_ask_volumes(&l, q->asked, err) < 0 ? -1 : alias_volumes_load(&l.views, ix, NULL, err);
	}
	if (ret == 0) {
		l.in = (struct usage_inodes){ .tree = u->tree, .views = &l.views, .extents = &l.extents, .asked = u->asked, .asked_end = u->asked_end };
		ret = usage_inodes_read(&l.in, ix, err);
	}
	if (ret == 0) {
		usage_find_trashed(&l, q->meant);
		usage_find_views(&l);
		usage_part_contents(&l);
		if (l.in.reasons != NULL || l.viewed.n > 0 || l.in.backup != NULL)
			usage_count_copies(&l);
		usage_find_staying(&l);
		ret = usage_ask_copies(&l, err);
	}
	if (ret == 0) {
		usage_sum_all(&l, q->divided != NULL ? dirtree_find(u->tree, q->divided) : DIRTREE_NONE);
		if (q->files)
			usage_keep_files(&l);
		ret = usage_marks(u, ix, err);
	}
	if (ret == 0) {
		*result = u;
		u = NULL;
	}
	usage_inodes_release(&l.in);
	free(l.trashed.v);
	free(l.outlasted.v);
	free(l.viewed.v);
	alias_volumes_release(&l.views);
	exclusive_extents_release(&l.extents);
	vec_release(&l.copies);
	usage_free(u);
	return ret;
}

void
usage_free(struct usage *u)
{
	if (u == NULL)
		return;
	dirtree_free(u->tree);
	vec_release(&u->freed);
	table_release(&u->by_inode);
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
	                           usage_number(cell->redundant), usage_number(cell->marked), usage_number(cell->trash),
	                           usage_number(cell->portion) };
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

struct usage_sum
usage_file(const struct usage *u, const struct file_row *row)
{
	struct usage_sum sum = { .files = 1, .bytes = row->size > 0 ? row->size : 0 };

	TABLE_EACH(i, &u->by_inode, inode_hash(row->inode)) {
		if (!inode_same(u->freed.v[i].inode, row->inode) || u->freed.v[i].size != row->size)
			continue;
		sum.duplicated = row->size;
		sum.redundant = row->nlink > 1 ? 0 : u->freed.v[i].frees;
		break;
	}
	return sum;
}
