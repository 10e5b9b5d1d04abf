/* SPDX-License-Identifier: MIT */
/*
 * A table, and before it a set of bits (a Bloom filter with one hash).  Most
 * files that are asked for have no copies: the bits, which stay in the
 * processor's cache, tell that; table and groups are a cache miss each.
 *
 * Of several indexes none proves that its files without a hash differ from those of another: where
 * two have files of one size, these are read (struct sets_unread).
 */
#include "base/base.h"

#include "query/sets_groups.h"

#include "archive/packed.h"
#include "db/stmt.h"
#include "index/index.h"
#include "query/indexes.h"
#include "query/reread.h"
#include "query/unhashed_by_size.h"
#include "sys/stop.h"

/* Bits for each group, at least: of files without copies, at most one in 24 gets past them. */
#define SETS_BITS 24
/* Rows that can be passed over in the time that looking up one name takes. */
#define SETS_LOOKUP_ROWS 14

int
sets_groups_cmp(const void *a, const void *b)
{
	const struct sets_group *x = a, *y = b;

	if (x->size != y->size)
		return x->size < y->size ? -1 : 1;
	return memcmp(x->hash, y->hash, HASH_SIZE);
}

/* Contents of names in order, on their way: those of an index, or those that were read now. */
struct sets_groups_feed {
	struct stmt st;
	const struct sets_unread *read; /* NULL: of the statement */
	size_t at;                   /* position there */
	size_t index;                /* which index has the next name */
	struct sets_group next;      /* its content */
	bool ended;
};

/* Go on to the next name of a feed.  Returns 0 or -1. */
static int
sets_groups_step(struct sets_groups_feed *f, struct err *err)
{
	int ret;

	if (f->read != NULL && f->at < f->read->n_read) {
		const struct sets_unread_file *file = &f->read->files.v[f->at++];

		f->index = file->of;
		f->next.size = file->row.size;
		memcpy(f->next.hash, file->row.hash, HASH_SIZE);
		return 0;
	}
	ret = f->read != NULL ? 0 : stmt_step(&f->st);
	f->ended = ret != 1;
	if (ret < 1)
		return ret;
	f->next.size = stmt_col_int(&f->st, 0);
	return file_read_hash(&f->st, 1, f->next.hash, err) < 0 ? -1 : stop_check(err);
}

/* Feeds that stand at their first names, and what is to be made of them. */
struct sets_groups_merge {
	struct sets_groups_feed *v;
	size_t n;
	bool across;                 /* as in struct sets_groups_of */
};

/* The feed with the first content of all, or NULL. */
static struct sets_groups_feed *
sets_groups_first(const struct sets_groups_merge *m)
{
	struct sets_groups_feed *first = NULL;

	for (size_t i = 0; i < m->n; i++) {
		if (!m->v[i].ended && (first == NULL || sets_groups_cmp(&m->v[i].next, &first->next) < 0))
			first = &m->v[i];
	}
	return first;
}

/* Group equal contents of feeds. */
static int
sets_groups_merge(struct sets_groups *g, const struct sets_groups_merge *m, struct err *err)
{
	struct sets_group last = { .size = -1 };
	struct sets_groups_feed *f;
	size_t index = 0;
	bool enough = false, noted = false;

	while ((f = sets_groups_first(m)) != NULL) {
		if (sets_groups_cmp(&f->next, &last) != 0) {
			last = f->next;
			last.n = 0;
			index = f->index;
			enough = noted = false;
		}
		last.n++;
		enough |= m->across ? f->index != index : f->index == 0;
		if (enough && last.n >= 2 && !noted) {
			vec_push(g, last);
			noted = true;
		}
		if (noted)
			g->v[g->n - 1].n = last.n;
		if (sets_groups_step(f, err) < 0)
			return -1;
	}
	return 0;
}

int
sets_groups_load_joined(struct sets_groups *g, const struct sets_groups_of *of, int64_t min_size, struct err *err)
{
	struct sets_groups_feed *v = mem_zalloc(of->n + 1, sizeof(*v));
	const struct sets_groups_merge m = { .v = v, .n = of->n + (of->read != NULL), .across = of->across };
	int ret = 0;

	assert(min_size >= 1);
	for (size_t i = 0; ret == 0 && i < m.n; i++) {
		v[i].index = i;
		v[i].read = i == of->n ? of->read : NULL;
		if (i < of->n) {
			v[i].st = stmt_get(of->dbs[i], SQL_CONTENT_ALL, err);
			stmt_int(&v[i].st, ":min_size", min_size);
		}
		ret = sets_groups_step(&v[i], err);
	}
	if (ret == 0)
		ret = sets_groups_merge(g, &m, err);
	for (size_t i = 0; i < of->n; i++)
		stmt_done(&v[i].st);
	free(v);
	return ret;
}

int
sets_groups_load(struct sets_groups *g, struct db *db, int64_t min_size, struct err *err)
{
	return sets_groups_load_joined(g, &(struct sets_groups_of){ .dbs = &db, .n = 1 }, min_size, err);
}

bool
sets_groups_pass_pays(int64_t n, int64_t files)
{
	return n * SETS_LOOKUP_ROWS > files;
}

/* Where a hash is looked for among the bits: not by its bytes that are the table's key. */
static uint64_t
sets_groups_bit(const struct sets_groups *g, const uint8_t hash[HASH_SIZE])
{
	uint64_t bit;

	memcpy(&bit, hash + HASH_SIZE - sizeof(bit), sizeof(bit));
	return bit & g->bits_mask;
}

void
sets_groups_index(struct sets_groups *g)
{
	size_t n_bits = 1024;

	while (n_bits < g->n * SETS_BITS)
		n_bits *= 2;
	g->bits_mask = n_bits - 1;
	g->bits = bits_new(n_bits);
	table_reserve(&g->by_content, g->n);
	for (size_t i = 0; i < g->n; i++) {
		table_add(&g->by_content, content_key(g->v[i].hash), i);
		bits_set(g->bits, sets_groups_bit(g, g->v[i].hash), true);
	}
}

void
sets_groups_place(struct sets_groups *g)
{
	uint32_t at = 0;

	for (size_t i = 0; i < g->n; i++) {
		g->v[i].first = at;
		at += g->v[i].n;
		g->v[i].n = 0;
	}
}

struct sets_group *
sets_groups_find(const struct sets_groups *g, int64_t size, const uint8_t hash[HASH_SIZE])
{
	assert(g->bits != NULL);
	if (!bits_has(g->bits, sets_groups_bit(g, hash)))
		return NULL;
	TABLE_EACH(i, &g->by_content, content_key(hash)) {
		if (g->v[i].size == size && memcmp(g->v[i].hash, hash, HASH_SIZE) == 0)
			return &g->v[i];
	}
	return NULL;
}

void
sets_groups_release(struct sets_groups *g)
{
	free(g->v);
	table_release(&g->by_content);
	free(g->bits);
	memset(g, 0, sizeof(*g));
}

/* A pass over the files without a hash of all indexes. */
struct sets_unread_pass {
	struct sets_unread *u;
	const struct sets_query *q;
	struct presence_view *here;
	struct unhashed_by_size sized;
	struct reread reread;
	struct buf path;             /* of the file in hand */
};

static void
sets_unread_tell(const struct sets_unread_pass *p, enum gap gap, const char *why)
{
	if (p->q->gap != NULL)
		p->q->gap(p->q->gap_arg, buf_str(&p->path), gap, false, why);
}

/* Read a file, or tell why that can't be done.  Returns 1, 0 or -1. */
static int
sets_unread_read(struct sets_unread_pass *p, struct presence_view *view, enum presence presence, struct file_row *row,
                 struct err *err)
{
	if (presence == PRESENCE_OFFLINE)
		sets_unread_tell(p, GAP_UNPROVEN, "it is offline, and was not read before");
	else if (presence == PRESENCE_UNREADABLE)
		sets_unread_tell(p, GAP_UNREADABLE, strerror(view->error));
	else if (p->q->no_check)
		sets_unread_tell(p, GAP_UNPROVEN, "it was not read, and another index has a file of its size");
	else if (reread_row(&p->reread, view, buf_str(&p->path), row) == 1)
		return 1;
	else if (stop_check(err) < 0)
		return -1;
	else if (view->ix->members)
		sets_unread_tell(p, GAP_UNPROVEN, packed_why_text(PACKED_NOT_READ));
	else
		sets_unread_tell(p, GAP_UNREADABLE, "it can't be read now, and another index has a file of its size");
	return 0;
}

/* Read a file of an index if another one may have a copy of it. */
static int
sets_unread_file(struct sets_unread_pass *p, size_t of, const struct file_row *found, struct err *err)
{
	struct indexes_other *o = indexes_nth(p->q->with, of);
	struct sets_unread_file f = { .row = *found, .of = (uint8_t)of };
	enum presence presence;
	const char *path;
	int ret;

	indexes_take_row(o, &f.row);
	if (indexes_look(o, p->here, &f.row, &p->sized.where, &presence, &path, err) < 0)
		return -1;
	/* What has changed is told of members only: nobody knows whether this was one. */
	if (presence == PRESENCE_GONE || presence == PRESENCE_CHANGED || !presence_is_of(presence))
		return 0;
	buf_cut(&p->path, 0);
	buf_adds(&p->path, path);
	ret = unhashed_by_size_elsewhere(&p->sized, p->q->with, o, &f.row, buf_str(&p->path), err);
	if (ret <= 0)
		return ret;
	ret = sets_unread_read(p, indexes_view(o, p->here), presence, &f.row, err);
	if (ret < 0)
		return -1;
	p->u->n_read += ret == 1;
	f.row.dir = found->dir;
	f.row.inode = found->inode;
	f.row.name = arena_dup(&p->u->names, found->name, found->name_len);
	vec_push(&p->u->files, f);
	return stop_check(err);
}

/* The files without a hash of an index. */
static int
sets_unread_index(struct sets_unread_pass *p, size_t of, struct err *err)
{
	struct indexes_other *o = indexes_nth(p->q->with, of);
	struct stmt st = stmt_get(indexes_view(o, p->here)->ix->db, SQL_FILE_UNREAD_SIZES, err);
	int ret;

	stmt_int(&st, ":min_size", p->q->min_size);
	while ((ret = stmt_step(&st)) == 1) {
		const struct file_row any = { .size = stmt_col_int(&st, 0) };
		const struct file_row *row;
		struct unhashed_by_size_names names;

		unhashed_by_size_trim(&p->sized);
		/* Only where another index has files of this size. */
		ret = 0;
		for (size_t i = 0; ret == 0 && i <= p->q->with->others.n; i++) {
			if (i != of)
				ret = file_size_known(indexes_view(indexes_nth(p->q->with, i), p->here)->ix->db, any.size, err);
		}
		if (ret == 0)
			continue;
		if (ret == 1)
			ret = unhashed_by_size_begin(&p->sized, o, false, &any, &names, err);
		while (ret == 0 && (row = unhashed_by_size_next(&names)) != NULL)
			ret = sets_unread_file(p, of, row, err);
		if (ret < 0)
			break;
	}
	stmt_done(&st);
	return ret;
}

static int
sets_unread_cmp(const void *a, const void *b)
{
	const struct sets_unread_file *x = a, *y = b;

	ORDER_CMP(y->row.has_hash, x->row.has_hash);
	ORDER_CMP(x->row.size, y->row.size);
	return memcmp(x->row.hash, y->row.hash, HASH_SIZE);
}

int
sets_unread_load(struct sets_unread *u, const struct sets_query *q, struct presence_view *here, struct err *err)
{
	struct sets_unread_pass p = {
		.u = u, .q = q, .here = here,
		.sized = { .here = here, .where = { .exclude = q->exclude, .n_exclude = q->n_exclude } },
	};
	int ret = 0;

	for (size_t i = 0; ret == 0 && i <= q->with->others.n; i++)
		ret = sets_unread_index(&p, i, err);
	if (u->files.n > 0)
		qsort(u->files.v, u->files.n, sizeof(*u->files.v), sets_unread_cmp);
	unhashed_by_size_release(&p.sized);
	reread_release(&p.reread);
	buf_release(&p.path);
	return ret;
}

void
sets_unread_release(struct sets_unread *u)
{
	vec_release(&u->files);
	arena_release(&u->names);
}
