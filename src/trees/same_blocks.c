/* SPDX-License-Identifier: MIT */
#include "base/base.h"

#include "trees/same_blocks.h"

#include "index/file.h"
#include "query/dirtree.h"
#include "trees/contents_map.h"
#include "trees/stat_results.h"

int
same_blocks_open(struct same_blocks *s, const struct contents_map *m, const bool *wanted, size_t most, struct db *db,
                 struct err *err)
{
	size_t n = 0, at = 0;

	s->map = m;
	if (exclusive_extents_ask_all(&s->own, db, err) < 0)
		return -1;
	if (!exclusive_extents_any(&s->own))
		return 0;
	s->several = bits_new(m->n_names);
	for (size_t i = 0; i < m->n; i++)
		n += wanted[i] && m->v[i].copies > 1;
	for (size_t i = 0; i < m->n; i++) {
		const struct contents_map_content *c = &m->v[i];

		if (!wanted[i] || c->copies == 1 || at++ % (n / most + 1) != 0)
			continue;
		for (uint32_t name = c->first; name < c->first + c->n; name++)
			bits_set(s->several, name, true);
	}
	return 0;
}

void
same_blocks_note(struct same_blocks *s, size_t position, const struct file_row *row)
{
	if (s->several == NULL || !bits_has(s->several, position) || !exclusive_extents_shared(&s->own, (uint64_t)row->inode.volume))
		return;
	vec_push(s, ((struct same_blocks_name){ .position = (uint32_t)position, .name = s->names.len }));
	buf_add(&s->names, row->name, row->name_len + 1);
}

/* exclusive_extents_path_fn */
static void
same_blocks_path(void *arg, size_t i, struct buf *path)
{
	const struct same_blocks *s = arg;
	const char *name = s->names.data + s->v[i].name;

	dirtree_path(s->map->dirs, s->map->names[s->v[i].position].dir, path);
	path_append(path, name, strlen(name));
}

/* exclusive_extents_take_fn */
static void
same_blocks_take(void *arg, size_t i, int64_t where)
{
	((struct same_blocks *)arg)->v[i].where = where;
}

static int
same_blocks_cmp(const void *a, const void *b)
{
	const struct same_blocks_name *x = a, *y = b;

	ORDER_CMP(x->position, y->position);
	return 0;
}

int
same_blocks_ask(struct same_blocks *s, const struct stat_results *l, struct err *err)
{
	size_t n = 0;

	for (size_t i = 0; i < s->n; i++) {
		if (stat_results_here(l, s->v[i].position))
			s->v[n++] = s->v[i];
	}
	s->n = n;
	if (exclusive_extents_where(s->n, same_blocks_path, same_blocks_take, s, err) < 0)
		return -1;
	if (s->n > 1)
		qsort(s->v, s->n, sizeof(*s->v), same_blocks_cmp);
	return 0;
}

int64_t
same_blocks_where(const struct same_blocks *s, size_t position)
{
	size_t at;

	ORDER_FIRST(at, s->n, s->v[at].position < position);
	return at < s->n && s->v[at].position == position ? s->v[at].where : 0;
}

void
same_blocks_release(struct same_blocks *s)
{
	exclusive_extents_release(&s->own);
	buf_release(&s->names);
	free(s->several);
	vec_release(s);
}
