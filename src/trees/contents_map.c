/* SPDX-License-Identifier: MIT */
/*
 * Rows come in the order of the indexes on contents: all names of a content together, all names
 * of an inode together.  So nothing is searched for, and memory holds the result alone:
 *
 *  1. contents_map_links    hard links, few as a rule, into a table: which have names elsewhere
 *  2. contents_map_errors   files that could not be read, few as well, into another
 *  3. contents_map_read     names with a hash: the next content begins with another hash
 *  4. contents_map_unread   names without: each inode is a content of its own, unless one of
 *                           its links has a hash (late names, put in their place at the end)
 *
 * Names of one content come by inode; they are sorted by directory when the content is complete.
 */
#include "base/base.h"

#include "trees/contents_map.h"

#include "db/stmt.h"
#include "index/file.h"
#include "index/index.h"
#include "index/inode.h"
#include "query/dirtree.h"
#include "query/alias_volumes.h"
#include "sys/stop.h"

/* Mask of contents_map_name.copy: more inodes of one content do not fit into memory. */
#define CONTENTS_MAP_COPIES 0xfffffff

/* A name that comes after its content was complete. */
struct contents_map_late {
	uint32_t content;
	struct contents_map_name name;
};

struct contents_map_load {
	struct contents_map *m;
	struct index *ix;
	struct err *err;
	struct contents_map_inodes errors;    /* that could not be read under one of their names */
	VEC(int64_t) error_sizes;             /* of files that could not be read, ascending */
	VEC(struct contents_map_late) late;
	struct alias_volumes views;
	VEC(struct alias_volumes_file) mirrors;   /* of this content: alias_volumes_splits() */
	/* The row before. */
	int64_t id;
	uint32_t dir;                         /* the number of the directory id */
	bool excluded;                        /* ... is excluded */
	struct inode inode;
	struct contents_map_link *link;       /* of that inode; or NULL */
	struct contents_map_name name;        /* but for its directory: the last inode's */
};

/* The inode in a table, or NULL. */
static struct contents_map_link *
contents_map_find(const struct contents_map_inodes *t, struct inode inode, int64_t size)
{
	if (t->n == 0)
		return NULL;
	TABLE_EACH(i, &t->by_inode, inode_hash(inode)) {
		if (inode_same(t->v[i].inode, inode) && t->v[i].size == size)
			return &t->v[i];
	}
	return NULL;
}

/* The inode in a table, added if it was not there. */
static struct contents_map_link *
contents_map_inode(struct contents_map_inodes *t, struct inode inode, int64_t size)
{
	struct contents_map_link *known = contents_map_find(t, inode, size);

	if (known != NULL)
		return known;
	vec_push(t, ((struct contents_map_link){ .inode = inode, .size = size, .content = CONTENTS_MAP_NONE }));
	table_add(&t->by_inode, inode_hash(inode), t->n - 1);
	return &t->v[t->n - 1];
}

static void
contents_map_inodes_release(struct contents_map_inodes *t)
{
	vec_release(t);
	table_release(&t->by_inode);
}

/* Look up the directory of a row: most rows have that of the row before. */
static int
contents_map_dir(struct contents_map_load *l, int64_t id)
{
	if (id == l->id && l->dir != DIRTREE_NONE)
		return 0;
	l->id = id;
	l->dir = dirtree_by_id(l->m->dirs, id);
	if (l->dir == DIRTREE_NONE)
		return db_corrupt(l->ix->db, l->err, "dir", id, NULL, "is missing");
	l->excluded = dirtree_excluded(l->m->dirs, l->dir);
	return 0;
}

static int
contents_map_links(struct contents_map_load *l)
{
	struct stmt st = stmt_get(l->ix->db, SQL_FILE_LINKED, l->err);
	int ret;

	while ((ret = stmt_step(&st)) == 1) {
		const struct inode inode = { stmt_col_int(&st, 1), stmt_col_int(&st, 2) };
		struct contents_map_link *i = contents_map_inode(&l->m->links, inode, stmt_col_int(&st, 0));

		const int64_t ctime = fs_time_key((struct fs_time){ stmt_col_int(&st, 6), (int32_t)stmt_col_int(&st, 7) });

		i->overtaken = i->overtaken || (i->names > 0 && i->ctime != ctime);
		i->ctime = ctime;
		i->names++;
		if (i->nlink < stmt_col_int(&st, 3))
			i->nlink = stmt_col_int(&st, 3);
		ret = contents_map_dir(l, stmt_col_int(&st, 4));
		i->excluded = i->excluded || l->excluded;
		if (ret == 0)
			ret = stop_check(l->err);
		if (ret < 0)
			break;
	}
	stmt_done(&st);
	return ret;
}

static int
contents_map_errors(struct contents_map_load *l)
{
	struct stmt st = stmt_get(l->ix->db, SQL_FILE_ERRORS, l->err);
	int ret;

	while ((ret = stmt_step(&st)) == 1) {
		const struct inode inode = { stmt_col_int(&st, 1), stmt_col_int(&st, 2) };
		const int64_t size = stmt_col_int(&st, 0);

		contents_map_inode(&l->errors, inode, size);
		ret = contents_map_dir(l, stmt_col_int(&st, 3));
		if (ret < 0)
			break;
		if (!l->excluded && (l->error_sizes.n == 0 || l->error_sizes.v[l->error_sizes.n - 1] != size))
			vec_push(&l->error_sizes, size);
	}
	stmt_done(&st);
	if (ret == 0)
		st = stmt_get(l->ix->db, SQL_DIR_ERRORS, l->err);
	while (ret == 0 && (ret = stmt_step(&st)) == 1) {
		ret = contents_map_dir(l, stmt_col_int(&st, 0));
		if (ret == 0)
			l->m->in[l->dir].incomplete = true;
	}
	stmt_done(&st);
	return ret;
}

static int
contents_map_cmp_name(const void *a, const void *b)
{
	const struct contents_map_name *x = a, *y = b;

	ORDER_CMP(x->dir, y->dir);
	ORDER_CMP(x->linked, y->linked);
	ORDER_CMP(x->copy, y->copy);
	return 0;
}

/* The last content has all its names. */
static void
contents_map_complete(struct contents_map *m)
{
	struct contents_map_content *c = m->n > 0 ? &m->v[m->n - 1] : NULL;

	if (c != NULL && c->n > 1)
		qsort(m->names + c->first, c->n, sizeof(*m->names), contents_map_cmp_name);
}

/* Begin a content with its first inode, in which the next name lies. */
static struct contents_map_content *
contents_map_begin(struct contents_map_load *l, int64_t size, struct inode inode)
{
	struct contents_map *m = l->m;
	struct contents_map_content *c;
	size_t at;

	contents_map_complete(m);
	/* Unproven where a file of this size could not be read. */
	ORDER_FIRST(at, l->error_sizes.n, l->error_sizes.v[at] < size);
	c = vec_add(m);
	*c = (struct contents_map_content){ .size = size, .first = (uint32_t)m->n_names, .volume = (uint32_t)inode.volume,
	                                    .unproven = l->ix->pending != INDEX_WHOLE || (at < l->error_sizes.n && l->error_sizes.v[at] == size) };
	return c;
}

/* Add an inode to the last content, and its first name. */
static void
contents_map_add_inode(struct contents_map_load *l, struct contents_map_content *c, struct inode inode)
{
	struct contents_map_link *i = contents_map_find(&l->m->links, inode, c->size);

	l->inode = inode;
	l->link = i;
	l->name = (struct contents_map_name){ .copy = c->copies++ & CONTENTS_MAP_COPIES, .linked = i != NULL };
	if (c->volume != (uint32_t)inode.volume)
		c->volume = CONTENTS_MAP_VOLUMES;
	if (i == NULL)
		return;
	i->content = (uint32_t)(c - l->m->v);
	i->copy = l->name.copy;
	l->name.outside = i->nlink > i->names;
	l->name.excluded = i->excluded;
	c->outside = c->outside || l->name.outside;
	c->alias = c->alias || i->nlink < i->names;
}

/* Pass a name to the callback m->named; its text is the present row's column col. */
static void
contents_map_show(const struct contents_map_load *l, uint32_t content, struct contents_map_name name, const struct stmt *st, int col)
{
	size_t len;
	const char *text;

	if (l->m->named == NULL)
		return;
	text = stmt_col_text(st, col, &len);
	l->m->named(l->m->named_arg, content, &name, text, len);
}

/*
 * Add the name of the present row, which is in column col, to the last content, next to the other
 * names of its inode.
 */
static void
contents_map_add(struct contents_map_load *l, struct contents_map_content *c, struct inode inode, const struct stmt *st, int col)
{
	struct contents_map *m = l->m;

	if (c->n == 0 || !inode_same(inode, l->inode))
		contents_map_add_inode(l, c, inode);
	else if (!l->name.linked)
		c->alias = true;
	if (l->link != NULL)
		l->link->met++;
	if (m->n_names == m->cap_names) {
		m->cap_names = m->cap_names > 0 ? m->cap_names * 2 : 1024;
		m->names = mem_resize(m->names, m->cap_names, sizeof(*m->names));
	}
	l->name.dir = l->dir;
	m->names[m->n_names++] = l->name;
	c->n++;
	contents_map_show(l, (uint32_t)(c - m->v), l->name, st, col);
}

/* Count a row that adds no name here, if its inode has links. */
static void
contents_map_meet(struct contents_map_load *l, struct inode inode, int64_t size)
{
	struct contents_map_link *i = contents_map_find(&l->m->links, inode, size);

	if (i != NULL)
		i->met++;
}

/* Note whether the inode of the present row may be one that was met before. */
static int
contents_map_mirror(struct contents_map_load *l, struct contents_map_content *c, struct inode inode, const struct stmt *st, int col)
{
	struct file_row row;
	size_t len;
	const char *name;

	if (!alias_volumes_splits(&l->views, inode.volume))
		return 0;
	name = stmt_col_text(st, col, &len);
	if (file_get(l->ix->db, l->id, name, len, &row, l->err) < 0)
		return -1;
	for (size_t i = 0; i < l->mirrors.n; i++) {
		if (!inode_same(l->mirrors.v[i].inode, inode) &&
		    alias_volumes_one_by_time(&l->views, l->mirrors.v[i], (struct alias_volumes_file){ inode, row.mtime }))
			c->mirrored = c->alias = true;
	}
	vec_push(&l->mirrors, ((struct alias_volumes_file){ inode, row.mtime }));
	return 0;
}

static int
contents_map_read(struct contents_map_load *l)
{
	struct stmt st = stmt_get(l->ix->db, SQL_FILE_CONTENTS, l->err);
	struct contents_map_content *c = NULL;
	int ret;

	stmt_int(&st, ":min_size", 1);
	while ((ret = stmt_step(&st)) == 1) {
		const struct inode inode = { stmt_col_int(&st, 3), stmt_col_int(&st, 2) };
		const int64_t size = stmt_col_int(&st, 0);
		uint8_t hash[HASH_SIZE];

		if (contents_map_dir(l, stmt_col_int(&st, 4)) < 0 || file_read_hash(&st, 1, hash, l->err) < 0 || stop_check(l->err) < 0) {
			ret = -1;
			break;
		}
		if (l->excluded) {
			contents_map_meet(l, inode, size);
			continue;
		}
		if (c == NULL || size != c->size || memcmp(hash, c->hash, HASH_SIZE) != 0) {
			c = contents_map_begin(l, size, inode);
			c->has_hash = true;
			memcpy(c->hash, hash, HASH_SIZE);
			l->mirrors.n = 0;
		}
		ret = contents_map_mirror(l, c, inode, &st, 5);
		if (ret < 0)
			break;
		contents_map_add(l, c, inode, &st, 5);
	}
	stmt_done(&st);
	contents_map_complete(l->m);
	return ret;
}

/* Take a name of an inode that was not read under this name. */
static void
contents_map_take_unread(struct contents_map_load *l, struct contents_map_content **c, struct inode inode, int64_t size,
                         const struct stmt *st)
{
	const struct contents_map_link *i = contents_map_find(&l->m->links, inode, size);
	const bool first = *c == NULL || (*c)->size != size || !inode_same(inode, l->inode);

	if (first && i != NULL && i->content != CONTENTS_MAP_NONE) {
		contents_map_meet(l, inode, size);
		vec_push(&l->late, ((struct contents_map_late){ i->content, { .dir = l->dir, .copy = i->copy & CONTENTS_MAP_COPIES, .linked = 1,
		                                                                   .outside = i->nlink > i->names, .excluded = i->excluded } }));
		contents_map_show(l, i->content, l->late.v[l->late.n - 1].name, st, 4);
		return;
	}
	if (first) {
		*c = contents_map_begin(l, size, inode);
		memcpy((*c)->hash, &inode.number, sizeof(inode.number));
	}
	contents_map_add(l, *c, inode, st, 4);
}

static int
contents_map_unread(struct contents_map_load *l)
{
	struct stmt st = stmt_get(l->ix->db, SQL_FILE_UNREAD_INODES, l->err);
	struct contents_map_content *c = NULL;
	bool error;
	int ret;

	while ((ret = stmt_step(&st)) == 1) {
		const struct inode inode = { stmt_col_int(&st, 2), stmt_col_int(&st, 1) };
		const int64_t size = stmt_col_int(&st, 0);

		if (contents_map_dir(l, stmt_col_int(&st, 3)) < 0 || stop_check(l->err) < 0) {
			ret = -1;
			break;
		}
		error = contents_map_find(&l->errors, inode, size) != NULL;
		if (l->excluded || error) {
			l->m->in[l->dir].unread += !l->excluded;
			contents_map_meet(l, inode, size);
			continue;
		}
		if (size == 0)
			l->m->in[l->dir].empty++;
		else
			contents_map_take_unread(l, &c, inode, size, &st);
	}
	stmt_done(&st);
	contents_map_complete(l->m);
	return ret;
}

/* Put late names in their place, which moves all behind them. */
static void
contents_map_merge(struct contents_map_load *l)
{
	struct contents_map *m = l->m;
	struct contents_map_name *old = m->names;
	uint32_t at = 0;

	if (l->late.n == 0)
		return;
	m->names = mem_alloc((m->n_names + l->late.n) * sizeof(*m->names));
	m->cap_names = m->n_names + l->late.n;
	for (size_t i = 0; i < l->late.n; i++) {
		m->v[l->late.v[i].content].n++;
		m->v[l->late.v[i].content].late = true;
	}
	/* The room for late names is behind the others; they fill it from its end. */
	for (size_t i = 0; i < m->n; i++) {
		const uint32_t end = i + 1 < m->n ? m->v[i + 1].first : (uint32_t)m->n_names;
		const uint32_t n = end - m->v[i].first;

		memcpy(m->names + at, old + m->v[i].first, n * sizeof(*old));
		m->v[i].first = at;
		at += m->v[i].n;
		m->v[i].n = n;
	}
	m->n_names = at;
	for (size_t i = 0; i < l->late.n; i++) {
		struct contents_map_content *c = &m->v[l->late.v[i].content];

		m->names[c->first + c->n++] = l->late.v[i].name;
	}
	for (size_t i = 0; i < l->late.n; i++) {
		const struct contents_map_content *c = &m->v[l->late.v[i].content];

		if (i == 0 || l->late.v[i - 1].content != l->late.v[i].content)
			qsort(m->names + c->first, c->n, sizeof(*m->names), contents_map_cmp_name);
	}
	free(old);
}

/*
 * Find the inodes whose rows are of different scans: one of which some rows know no other link, or
 * have other times.  An earlier scan met them, another part was scanned since, and the content may
 * be another one by now: their names are not judged.
 */
static void
contents_map_find_overtaken(struct contents_map *m)
{
	for (size_t i = 0; i < m->links.n; i++) {
		struct contents_map_link *link = &m->links.v[i];
		struct contents_map_content *c = link->content != CONTENTS_MAP_NONE ? &m->v[link->content] : NULL;

		if ((link->met <= link->names && !link->overtaken) || c == NULL)
			continue;
		m->overtaken = c->alias = true;
		for (uint32_t at = c->first; at < c->first + c->n; at++)
			m->names[at].overtaken |= m->names[at].linked && m->names[at].copy == link->copy;
	}
}

int
contents_map_load(struct contents_map *m, struct index *ix, const char *const *exclude, size_t n, struct err *err)
{
	struct contents_map_load l = { .m = m, .ix = ix, .err = err, .dir = DIRTREE_NONE };
	int ret = dirtree_load(&m->dirs, ix->db, err);

	if (ret == 0) {
		for (size_t i = 0; i < n; i++)
			dirtree_exclude(m->dirs, exclude[i]);
		if (m->no_trash)
			m->n_trash = dirtree_exclude_trash(m->dirs, m->meant, m->n_meant);
		m->in = mem_zalloc(dirtree_count(m->dirs), sizeof(*m->in));
		ret = contents_map_errors(&l);
	}
	if (ret == 0)
		ret = contents_map_links(&l);
	if (ret == 0)
		ret = alias_volumes_load(&l.views, ix, NULL, err);
	if (ret == 0)
		ret = contents_map_read(&l);
	if (ret == 0)
		ret = contents_map_unread(&l);
	if (ret == 0) {
		contents_map_merge(&l);
		contents_map_find_overtaken(m);
	}
	for (size_t i = 0; i < m->n && alias_volumes_any(&l.views); i++) {
		if (m->v[i].mirrored)
			vec_push(&m->mirrored, (uint32_t)i);
	}
	contents_map_inodes_release(&l.errors);
	vec_release(&l.error_sizes);
	vec_release(&l.late);
	alias_volumes_release(&l.views);
	vec_release(&l.mirrors);
	return ret;
}

const struct contents_map_link *
contents_map_link(const struct contents_map *m, struct inode inode, int64_t size)
{
	return contents_map_find(&m->links, inode, size);
}

/* The copy of a content that is first in directories from to below end, or CONTENTS_MAP_NONE. */
static uint32_t
contents_map_copy_in(const struct contents_map *m, const struct contents_map_content *c, uint32_t from, uint32_t end)
{
	uint32_t at = c->first;

	while (at < c->first + c->n && (m->names[at].dir < from || m->names[at].dir >= end))
		at++;
	return at < c->first + c->n ? m->names[at].copy : CONTENTS_MAP_NONE;
}

bool
contents_map_mirrors(const struct contents_map *m, uint32_t a, uint32_t a_end, uint32_t b, uint32_t b_end)
{
	for (size_t i = 0; i < m->mirrored.n; i++) {
		const struct contents_map_content *c = &m->v[m->mirrored.v[i]];
		const uint32_t in_a = contents_map_copy_in(m, c, a, a_end), in_b = contents_map_copy_in(m, c, b, b_end);

		if (in_a != CONTENTS_MAP_NONE && in_b != CONTENTS_MAP_NONE && in_a != in_b)
			return true;
	}
	return false;
}

void
contents_map_release(struct contents_map *m)
{
	vec_release(&m->mirrored);
	dirtree_free(m->dirs);
	free(m->v);
	free(m->names);
	free(m->in);
	contents_map_inodes_release(&m->links);
	memset(m, 0, sizeof(*m));
}
