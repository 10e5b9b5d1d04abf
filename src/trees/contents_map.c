/* SPDX-License-Identifier: MIT */
/*
 * query/content_walk brings the contents, each with all of its names; what could not be read is
 * told from it by the table of errors.  Names of a content come by inode, and are sorted by
 * directory here.
 */
#include "base/base.h"

#include "trees/contents_map.h"

#include "db/stmt.h"
#include "index/file.h"
#include "index/index.h"
#include "query/alias_volumes.h"
#include "query/dirtree.h"

/* Mask of contents_map_name.copy: more inodes of one content do not fit into memory. */
#define CONTENTS_MAP_COPIES 0xfffffff

/* What was found of an inode with links, which is one of those of a content. */
struct contents_map_place {
	uint32_t content, copy;
	bool overtaken, outside;
};

struct contents_map_load {
	struct contents_map *m;
	struct index *ix;
	struct content_walk walk;
	struct content_walk_links errors;     /* that could not be read under one of their names */
	VEC(int64_t) error_sizes;             /* of files that could not be read, ascending */
	struct alias_volumes views;
	VEC(struct alias_volumes_file) mirrors;   /* of this content: alias_volumes_splits() */
	VEC(struct contents_map_place) places;    /* contents_map_mark() */
};

static int
contents_map_errors(struct contents_map_load *l, struct err *err)
{
	struct stmt st = stmt_get(l->ix->db, SQL_FILE_ERRORS, err);
	int ret;

	while ((ret = stmt_step(&st)) == 1) {
		const struct inode inode = { stmt_col_int(&st, 1), stmt_col_int(&st, 2) };
		const int64_t size = stmt_col_int(&st, 0);

		content_walk_links_add(&l->errors, inode, size);
		ret = content_walk_dir(&l->walk, stmt_col_int(&st, 3), err);
		if (ret < 0)
			break;
		if (!l->walk.excluded && (l->error_sizes.n == 0 || l->error_sizes.v[l->error_sizes.n - 1] != size))
			vec_push(&l->error_sizes, size);
	}
	stmt_done(&st);
	if (ret == 0)
		st = stmt_get(l->ix->db, SQL_DIR_ERRORS, err);
	while (ret == 0 && (ret = stmt_step(&st)) == 1) {
		ret = content_walk_dir(&l->walk, stmt_col_int(&st, 0), err);
		if (ret == 0)
			l->m->in[l->walk.dir].incomplete = true;
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

/* Begin a content. */
static struct contents_map_content *
contents_map_begin(struct contents_map_load *l, const struct content_walk_content *of, const struct content_walk_name *first)
{
	struct contents_map *m = l->m;
	struct contents_map_content *c;
	size_t at;

	/* Unproven where a file of this size could not be read. */
	ORDER_FIRST(at, l->error_sizes.n, l->error_sizes.v[at] < of->size);
	c = vec_add(m);
	*c = (struct contents_map_content){ .size = of->size, .first = (uint32_t)m->n_names, .volume = (uint32_t)first->inode.volume, .has_hash = of->has_hash,
	                                    .unproven = !index_is_compared(l->ix, of->size) || (at < l->error_sizes.n && l->error_sizes.v[at] == of->size) };
	if (of->has_hash)
		memcpy(c->hash, of->hash, HASH_SIZE);
	else
		memcpy(c->hash, &first->inode.number, sizeof(first->inode.number));
	l->mirrors.n = 0;
	return c;
}

/* Add an inode with links to the last content. */
static void
contents_map_add_link(struct contents_map_load *l, struct contents_map_content *c, struct content_walk_link *i)
{
	struct contents_map *m = l->m;

	/* It can't have both: one of its rows is no longer true. */
	if (i->content != CONTENT_WALK_NONE) {
		i->overtaken = true;
		vec_push(&l->places, ((struct contents_map_place){ i->content, i->copy, true, false }));
	}
	i->content = (uint32_t)(m->n - 1);
	i->copy = c->copies - 1;
	c->alias = c->alias || i->nlink < i->names;
}

/* Note whether the inode of a name may be one that was met before. */
static int
contents_map_mirror(struct contents_map_load *l, struct contents_map_content *c, const struct content_walk_name *n, struct err *err)
{
	struct file_row row;

	if (!n->read || !alias_volumes_splits(&l->views, n->inode.volume))
		return 0;
	if (file_get(l->ix->db, n->id, n->text, n->len, &row, err) < 0)
		return -1;
	for (size_t i = 0; i < l->mirrors.n; i++) {
		if (!inode_same(l->mirrors.v[i].inode, n->inode) &&
		    alias_volumes_one_by_time(&l->views, l->mirrors.v[i], (struct alias_volumes_file){ n->inode, row.mtime }))
			c->mirrored = c->alias = true;
	}
	vec_push(&l->mirrors, ((struct alias_volumes_file){ n->inode, row.mtime }));
	return 0;
}

/* Add a name to the last content; same: of the same inode as the one before. */
static void
contents_map_add(struct contents_map_load *l, struct contents_map_content *c, const struct content_walk_name *n, bool same)
{
	struct contents_map *m = l->m;
	struct contents_map_name *name;

	if (!same) {
		c->copies++;
		if (c->volume != (uint32_t)n->inode.volume)
			c->volume = CONTENTS_MAP_VOLUMES;
		if (n->link != NULL)
			contents_map_add_link(l, c, n->link);
	} else if (n->link == NULL)
		c->alias = true;
	c->late = c->late || (c->has_hash && !n->read);
	if (m->n_names == m->cap_names) {
		m->cap_names = m->cap_names > 0 ? m->cap_names * 2 : 1024;
		m->names = mem_resize(m->names, m->cap_names, sizeof(*m->names));
	}
	name = &m->names[m->n_names++];
	*name = (struct contents_map_name){ .dir = n->dir, .copy = (c->copies - 1) & CONTENTS_MAP_COPIES, .linked = n->link != NULL,
	                                    .excluded = n->link != NULL && n->link->excluded };
	c->n++;
	if (m->named != NULL)
		m->named(m->named_arg, (uint32_t)(m->n - 1), name, n->text, n->len);
}

/* content_walk_fn */
static int
contents_map_take(void *arg, const struct content_walk_content *of, const struct content_walk_name *v, struct err *err)
{
	struct contents_map_load *l = arg;
	struct contents_map *m = l->m;
	struct contents_map_content *c = NULL;
	uint32_t copy = CONTENT_WALK_NONE;

	for (uint32_t i = 0; i < of->n; i++) {
		if (!v[i].read && content_walk_links_find(&l->errors, v[i].inode, of->size) != NULL) {
			m->in[v[i].dir].unread++;
			continue;
		}
		if (of->size == 0) {
			m->in[v[i].dir].empty++;
			continue;
		}
		if (c == NULL)
			c = contents_map_begin(l, of, &v[i]);
		if (contents_map_mirror(l, c, &v[i], err) < 0)
			return -1;
		contents_map_add(l, c, &v[i], v[i].copy == copy);
		copy = v[i].copy;
	}
	if (c != NULL && c->n > 1)
		qsort(m->names + c->first, c->n, sizeof(*m->names), contents_map_cmp_name);
	return 0;
}

static int
contents_map_cmp_place(const void *a, const void *b)
{
	const struct contents_map_place *x = a, *y = b;

	ORDER_CMP(x->content, y->content);
	ORDER_CMP(x->copy, y->copy);
	return 0;
}

/* Tell the names of a content what was found of their inodes: n places. */
static void
contents_map_mark(struct contents_map *m, const struct contents_map_place *v, size_t n)
{
	struct contents_map_content *c = &m->v[v->content];

	for (uint32_t i = c->first; i < c->first + c->n; i++) {
		struct contents_map_name *name = &m->names[i];
		size_t at;

		ORDER_FIRST(at, n, v[at].copy < name->copy);
		if (name->linked && at < n && v[at].copy == name->copy) {
			name->overtaken = v[at].overtaken;
			name->outside = v[at].outside;
			c->alias |= v[at].overtaken;
			c->outside |= v[at].outside;
		}
	}
}

/*
 * Find what can be told of inodes with links when all their rows were met.  Rows are of different
 * scans where some know no other link, or have other times or another content: an earlier scan met
 * them, another part was scanned since, and the content may be another one by now, so the names are
 * not judged.  And only links that no row is are outside of the index.
 */
static void
contents_map_judge_links(struct contents_map_load *l)
{
	struct contents_map *m = l->m;
	size_t end;

	for (size_t i = 0; i < m->links.n; i++) {
		const struct content_walk_link *link = &m->links.v[i];
		const bool overtaken = link->overtaken || link->met > link->names;
		const bool outside = link->nlink > link->known;

		if (link->content == CONTENT_WALK_NONE || (!overtaken && !outside))
			continue;
		m->overtaken |= overtaken;
		vec_push(&l->places, ((struct contents_map_place){ link->content, link->copy, overtaken, outside }));
	}
	if (l->places.n > 1)
		qsort(l->places.v, l->places.n, sizeof(*l->places.v), contents_map_cmp_place);
	for (size_t i = 0; i < l->places.n; i = end) {
		for (end = i + 1; end < l->places.n && l->places.v[end].content == l->places.v[i].content;)
			end++;
		contents_map_mark(m, &l->places.v[i], end - i);
	}
}

int
contents_map_load(struct contents_map *m, struct index *ix, const char *const *exclude, size_t n, struct err *err)
{
	struct contents_map_load l = { .m = m, .ix = ix, .walk = { .ix = ix, .min_size = 1, .fn = contents_map_take, .arg = &l } };
	int ret = dirtree_load(&m->dirs, ix->db, err);

	if (ret == 0) {
		for (size_t i = 0; i < n; i++)
			dirtree_exclude(m->dirs, exclude[i]);
		if (m->no_trash)
			m->n_trash = dirtree_exclude_trash(m->dirs, m->meant, m->n_meant);
		m->in = mem_zalloc(dirtree_count(m->dirs), sizeof(*m->in));
		l.walk.dirs = m->dirs;
		ret = contents_map_errors(&l, err) < 0 ? -1 : alias_volumes_load(&l.views, ix, NULL, err);
	}
	if (ret == 0) {
		l.walk.texts = m->named != NULL || alias_volumes_any(&l.views);
		ret = content_walk(&l.walk, err);
	}
	/* A look at a row finds its inode in them. */
	m->links = l.walk.links;
	l.walk.links = (struct content_walk_links){ .n = 0 };
	if (ret == 0)
		contents_map_judge_links(&l);
	for (size_t i = 0; i < m->n && alias_volumes_any(&l.views); i++) {
		if (m->v[i].mirrored)
			vec_push(&m->mirrored, (uint32_t)i);
	}
	content_walk_release(&l.walk);
	content_walk_links_release(&l.errors);
	vec_release(&l.error_sizes);
	alias_volumes_release(&l.views);
	vec_release(&l.mirrors);
	vec_release(&l.places);
	return ret;
}

/* The copy of a content that is first in directories from to below end, or CONTENT_WALK_NONE. */
static uint32_t
contents_map_copy_in(const struct contents_map *m, const struct contents_map_content *c, uint32_t from, uint32_t end)
{
	uint32_t at = c->first;

	while (at < c->first + c->n && (m->names[at].dir < from || m->names[at].dir >= end))
		at++;
	return at < c->first + c->n ? m->names[at].copy : CONTENT_WALK_NONE;
}

bool
contents_map_mirrors(const struct contents_map *m, uint32_t a, uint32_t a_end, uint32_t b, uint32_t b_end)
{
	for (size_t i = 0; i < m->mirrored.n; i++) {
		const struct contents_map_content *c = &m->v[m->mirrored.v[i]];
		const uint32_t in_a = contents_map_copy_in(m, c, a, a_end), in_b = contents_map_copy_in(m, c, b, b_end);

		if (in_a != CONTENT_WALK_NONE && in_b != CONTENT_WALK_NONE && in_a != in_b)
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
	content_walk_links_release(&m->links);
	memset(m, 0, sizeof(*m));
}
