/* SPDX-License-Identifier: MIT */
#include "base/base.h"

#include "query/unhashed_by_size.h"

#include "index/file.h"
#include "index/index.h"
#include "index/names.h"
#include "query/indexes.h"
#include "sys/stop.h"

/* Limit of names that are kept, about 200 bytes each; a size by itself counts as some more. */
#define UNHASHED_BY_SIZE_KEPT 131072
#define UNHASHED_BY_SIZE_LIST 16

struct unhashed_by_size_list {
	const struct index *ix;
	int64_t size;
	bool read;
	struct arena names;
	VEC(struct file_row) rows;   /* those without a head, then by head */
	size_t n_bare;               /* without a head */
};

static int
unhashed_by_size_cmp(const void *a, const void *b)
{
	const struct file_row *x = a, *y = b;

	ORDER_CMP(x->has_head, y->has_head);
	ORDER_CMP(x->head, y->head);
	return inode_cmp(x->inode, y->inode);
}

static void
unhashed_by_size_list_free(struct unhashed_by_size_list *l)
{
	vec_release(&l->rows);
	arena_release(&l->names);
	free(l);
}

/* Load all names of a size.  NULL with *err. */
static struct unhashed_by_size_list *
unhashed_by_size_load(struct index *ix, int64_t size, bool read, struct err *err)
{
	struct unhashed_by_size_list *l = mem_zalloc(1, sizeof(*l));
	struct names names = read ? names_read(ix->db, size, err) : names_unread(ix->db, size, err);
	struct file_row row;
	int ret;

	l->ix = ix;
	l->size = size;
	l->read = read;
	while ((ret = names_next(&names, &row)) == 1) {
		row.name = arena_dup(&l->names, row.name, row.name_len);
		row.head = row.has_head ? row.head : 0;
		l->n_bare += !row.has_head;
		vec_push(&l->rows, row);
		if (stop_check(err) < 0) {
			names_end(&names);
			ret = -1;
			break;
		}
	}
	if (l->rows.n > 0)
		qsort(l->rows.v, l->rows.n, sizeof(*l->rows.v), unhashed_by_size_cmp);
	if (ret == 0)
		return l;
	unhashed_by_size_list_free(l);
	return NULL;
}

/* Get the names of a size, which are loaded if they are not kept.  NULL with *err. */
static const struct unhashed_by_size_list *
unhashed_by_size_list(struct unhashed_by_size *s, struct index *ix, int64_t size, bool read, struct err *err)
{
	const uint64_t hash = table_hash((uint64_t)(uintptr_t)ix, (uint64_t)size * 2 + read);
	struct unhashed_by_size_list *l;

	TABLE_EACH(i, &s->by_size, hash) {
		l = s->lists.v[i];
		if (l->ix == ix && l->size == size && l->read == read)
			return l;
	}
	l = unhashed_by_size_load(ix, size, read, err);
	if (l == NULL)
		return NULL;
	vec_push(&s->lists, l);
	table_add(&s->by_size, hash, s->lists.n - 1);
	s->total += l->rows.n + UNHASHED_BY_SIZE_LIST;
	return l;
}

int
unhashed_by_size_begin(struct unhashed_by_size *s, struct indexes_other *of, bool read, const struct file_row *self, struct unhashed_by_size_names *names,
            struct err *err)
{
	const struct unhashed_by_size_list *l = unhashed_by_size_list(s, indexes_view(of, s->here)->ix, self->size, read, err);
	const struct file_row *v;
	size_t n, at;

	if (l == NULL)
		return -1;
	v = l->rows.v;
	n = l->rows.n;
	*names = (struct unhashed_by_size_names){ .list = l, .at = { 0, l->n_bare }, .end = { l->n_bare, n }, .of = of, .self = self };
	if (self->has_head) {
		ORDER_FIRST(at, n, at < l->n_bare || v[at].head < self->head);
		names->at[1] = at;
		ORDER_FIRST(at, n, at < l->n_bare || v[at].head <= self->head);
		names->end[1] = at;
	}
	return 0;
}

const struct file_row *
unhashed_by_size_next(struct unhashed_by_size_names *names)
{
	for (int i = 0; i < 2; i++) {
		if (names->at[i] < names->end[i])
			return &names->list->rows.v[names->at[i]++];
	}
	return NULL;
}

int
unhashed_by_size_find(struct unhashed_by_size *s, struct unhashed_by_size_names *names, const char *path, struct unhashed_by_size_found *found, struct err *err)
{
	const struct file_row *next;

	while ((next = unhashed_by_size_next(names)) != NULL) {
		found->row = *next;
		indexes_take_row(names->of, &found->row);
		if (stop_check(err) < 0)
			return -1;
		if (inode_same(names->self->inode, found->row.inode))
			continue;
		if (indexes_look(names->of, s->here, &found->row, &s->where, &found->presence, &found->path, err) < 0)
			return -1;
		if (found->presence != PRESENCE_GONE && presence_is_of(found->presence) &&
		    (found->presence == PRESENCE_OFFLINE || strcmp(found->path, path) != 0))
			return 1;
	}
	return 0;
}

int
unhashed_by_size_elsewhere(struct unhashed_by_size *s, const struct indexes *with, const struct indexes_other *of, const struct file_row *self,
                const char *path, struct err *err)
{
	for (size_t i = 0; i <= with->others.n; i++) {
		struct indexes_other *o = indexes_nth(with, i);

		for (int read = 1; o != of && read >= 0; read--) {
			struct unhashed_by_size_names names;
			struct unhashed_by_size_found found;
			int ret = unhashed_by_size_begin(s, o, read == 1, self, &names, err);

			if (ret == 0)
				ret = unhashed_by_size_find(s, &names, path, &found, err);
			if (ret != 0)
				return ret;
		}
	}
	return 0;
}

void
unhashed_by_size_release(struct unhashed_by_size *s)
{
	for (size_t i = 0; i < s->lists.n; i++)
		unhashed_by_size_list_free(s->lists.v[i]);
	vec_release(&s->lists);
	table_release(&s->by_size);
	s->total = 0;
}

void
unhashed_by_size_trim(struct unhashed_by_size *s)
{
	if (s->total > UNHASHED_BY_SIZE_KEPT)
		unhashed_by_size_release(s);
}
