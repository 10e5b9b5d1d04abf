/* SPDX-License-Identifier: MIT */
/*
 * Of each state every directory belongs to one entry, or to none: to the subdirectory of one of
 * those asked about that it is, or lies in.  A file that differs counts where its directory lay
 * before, and where it lies after.  All others moved along with their directory, so that only the
 * sums of directories matter that belong to another entry now.
 *
 * By path: what moved within an entry has not grown it.  One thread.
 */
#include "base/base.h"

#include "query/growth.h"

#include "db/stmt.h"
#include "index/index.h"
#include "index/roots.h"
#include "sys/stop.h"

/* Which entry a directory belongs to: a position in entries, or one of these. */
enum {
	GROWTH_UNKNOWN = -1,     /* not looked at yet */
	GROWTH_NONE = -2,        /* none: it lies elsewhere */
	GROWTH_ABOVE = -3,       /* none: something asked about lies in it */
};

/* Files of one directory that is in both states, and in another entry. */
struct growth_moved {
	bool is;
	int64_t files, bytes;
};

struct growth_work {
	struct growth *g;
	struct changes_files *f;
	const struct growth_query *q;
	int64_t *slots[CHANGES_TIMES];   /* by position of directories */
	int64_t *own[CHANGES_TIMES];     /* the entry of the files directly in it, or the same */
	struct table by_path;            /* entries */
};

/* The position of an entry, which is made if it is missing. */
static int64_t
growth_entry_at(struct growth_work *w, const char *path, bool is_files)
{
	const uint64_t hash = table_hash_text(path) ^ (is_files ? 1 : 0);

	TABLE_EACH(i, &w->by_path, hash) {
		if (w->g->entries.v[i].is_files == is_files && strcmp(w->g->entries.v[i].path, path) == 0)
			return (int64_t)i;
	}
	vec_push(&w->g->entries, ((struct growth_entry){ .path = arena_str(&w->g->memory, path), .is_files = is_files }));
	table_add(&w->by_path, hash, w->g->entries.n - 1);
	return (int64_t)w->g->entries.n - 1;
}

/* Find the entry of a directory by its path. */
static void
growth_place(struct growth_work *w, size_t dir, int time, const char *path)
{
	const struct growth_query *q = w->q;
	int64_t *slot = &w->slots[time][dir];

	*slot = GROWTH_NONE;
	if (path_is_below_any(path, q->exclude, q->n_exclude))
		return;
	for (size_t i = 0; i < q->n_below; i++) {
		const char *below = path_below(path, q->below[i]);

		if (below != NULL && *below == '\0') {
			*slot = GROWTH_ABOVE;
			w->own[time][dir] = growth_entry_at(w, path, true);
			return;
		}
		if (below != NULL) {
			char *top = mem_dup(path, (size_t)(below - path) + strcspn(below, "/"));

			*slot = growth_entry_at(w, top, false);
			free(top);
			return;
		}
		if (path_is_below(q->below[i], path))
			*slot = GROWTH_ABOVE;
	}
}

/*
 * Find the entry of a directory, from that of its parent if possible: only where something is
 * excluded, or above what is asked about, its path is needed.
 */
static int64_t
growth_slot(struct growth_work *w, size_t dir, int time)
{
	const struct changes_place *p = &w->f->dirs.v.v[dir].at[time];
	size_t up;
	int64_t above = GROWTH_ABOVE;
	struct buf path = { 0 };

	if (!p->is)
		return GROWTH_NONE;
	if (w->slots[time][dir] != GROWTH_UNKNOWN)
		return w->slots[time][dir];
	/* A circle ends here. */
	w->slots[time][dir] = GROWTH_NONE;
	up = changes_dirs_up(&w->f->dirs, dir, time);
	if (up != CHANGES_NO_DIR)
		above = growth_slot(w, up, time);
	if (above != GROWTH_ABOVE && (w->q->n_exclude == 0 || above == GROWTH_NONE)) {
		w->slots[time][dir] = above;
		return above;
	}
	changes_dirs_path(&w->f->dirs, dir, time, &path);
	growth_place(w, dir, time, buf_str(&path));
	buf_release(&path);
	return w->slots[time][dir];
}

/* The entry to which files in a directory belong; GROWTH_NONE for none. */
static int64_t
growth_of_files(struct growth_work *w, size_t dir, int time)
{
	const int64_t slot = growth_slot(w, dir, time);

	return slot != GROWTH_ABOVE ? slot : w->own[time][dir] >= 0 ? w->own[time][dir] : GROWTH_NONE;
}

/* Add files to the entry of a directory. */
static void
growth_add(struct growth_work *w, size_t dir, int time, int64_t files, int64_t bytes)
{
	const int64_t slot = growth_of_files(w, dir, time);
	const int sign = time == CHANGES_AFTER ? 1 : -1;
	struct growth_entry *e;

	if (slot < 0)
		return;
	e = &w->g->entries.v[slot];
	e->files += sign * files;
	e->bytes = sign > 0 ? num_add(e->bytes, bytes) : num_sub(e->bytes, bytes);
}

/* Count the files that differ. */
static int
growth_count_pairs(struct growth_work *w, struct growth_moved *moved, struct err *err)
{
	const struct changes_files *f = w->f;

	for (size_t i = 0; i < f->pairs.n; i++) {
		const struct changes_pair *p = &f->pairs.v[i];
		const struct changes_file *was = p->was != CHANGES_NO_FILE ? &f->files.v[p->was] : NULL;
		const struct changes_file *is = p->is != CHANGES_NO_FILE ? &f->files.v[p->is] : NULL;

		if (i % 1024 == 0 && stop_check(err) < 0)
			return -1;
		if (was != NULL && is == NULL && p->left_out) {
			w->g->left_out += growth_of_files(w, was->dir, CHANGES_BEFORE) >= 0;
			continue;
		}
		if (was != NULL)
			growth_add(w, was->dir, CHANGES_BEFORE, 1, was->size);
		if (is != NULL) {
			growth_add(w, is->dir, CHANGES_AFTER, 1, is->size);
			moved[is->dir].files--;
			moved[is->dir].bytes = num_sub(moved[is->dir].bytes, is->size);
		}
	}
	for (size_t dir = 0; dir < f->dirs.v.n; dir++) {
		if (f->fresh.v[dir].n > 0)
			growth_add(w, dir, CHANGES_AFTER, f->fresh.v[dir].n, f->fresh.v[dir].bytes);
	}
	return 0;
}

/* Count what moved along with directories: all that does not differ. */
static int
growth_count_moved(struct growth_work *w, struct db *db, struct growth_moved *moved, struct err *err)
{
	const struct changes_files *f = w->f;
	struct stmt st = stmt_get(db, SQL_FILE_SUMS, err);
	int ret;

	while ((ret = stmt_step(&st)) == 1) {
		const size_t dir = changes_dirs_find(&f->dirs, stmt_col_int(&st, 0));

		if (dir == CHANGES_NO_DIR || !moved[dir].is)
			continue;
		moved[dir].files += stmt_col_int(&st, 1);
		moved[dir].bytes = num_add(moved[dir].bytes, stmt_col_int(&st, 2));
	}
	for (size_t dir = 0; ret == 0 && dir < f->dirs.v.n; dir++) {
		if (!moved[dir].is)
			continue;
		moved[dir].files += f->later.v[dir].n;
		moved[dir].bytes = num_add(moved[dir].bytes, f->later.v[dir].bytes);
		growth_add(w, dir, CHANGES_BEFORE, moved[dir].files, moved[dir].bytes);
		growth_add(w, dir, CHANGES_AFTER, moved[dir].files, moved[dir].bytes);
	}
	return ret;
}

/* Note the roots that the former state lacks, where it is the state after some run. */
static int
growth_find_first(struct growth_work *w, struct db *db, struct err *err)
{
	struct roots roots = { 0 };
	const int ret = roots_load(&roots, db, err);

	for (size_t i = 0; ret == 0 && w->q->from > 0 && i < roots.n; i++) {
		const size_t dir = changes_dirs_find(&w->f->dirs, roots.v[i].dir);

		if (dir != CHANGES_NO_DIR && !w->f->dirs.v.v[dir].at[CHANGES_BEFORE].is &&
		    path_is_around_any(roots.v[i].path, w->q->below, w->q->n_below) &&
		    !path_is_below_any(roots.v[i].path, w->q->exclude, w->q->n_exclude))
			vec_push(&w->g->first, arena_str(&w->g->memory, roots.v[i].path));
	}
	roots_release(&roots);
	return ret;
}

static int
growth_cmp(const void *a, const void *b)
{
	const struct growth_entry *x = a, *y = b;
	const int cmp = strcmp(x->path, y->path);

	return cmp != 0 ? cmp : y->is_files - x->is_files;
}

/* Keep what has changed, in order, and add it up. */
static void
growth_settle(struct growth *g)
{
	size_t n = 0;

	for (size_t i = 0; i < g->entries.n; i++) {
		const struct growth_entry e = g->entries.v[i];

		if (e.files == 0 && e.bytes == 0)
			continue;
		g->files += e.files;
		g->bytes = num_add(g->bytes, e.bytes);
		g->entries.v[n++] = e;
	}
	g->entries.n = n;
	if (n > 1)
		qsort(g->entries.v, n, sizeof(*g->entries.v), growth_cmp);
}

int
growth_count(struct growth *g, struct index *ix, struct changes_files *f, const struct growth_query *q, struct err *err)
{
	const size_t n = f->dirs.v.n;
	struct growth_work w = { .g = g, .f = f, .q = q };
	struct growth_moved *moved = mem_zalloc(n + 1, sizeof(*moved));
	bool any = false;
	int ret;

	for (int t = 0; t < CHANGES_TIMES; t++) {
		w.slots[t] = mem_alloc((n + 1) * sizeof(*w.slots[t]));
		w.own[t] = mem_alloc((n + 1) * sizeof(*w.own[t]));
		for (size_t i = 0; i < n; i++)
			w.slots[t][i] = w.own[t][i] = GROWTH_UNKNOWN;
	}
	for (size_t i = 0; i < n; i++) {
		moved[i].is = f->dirs.v.v[i].at[CHANGES_BEFORE].is && f->dirs.v.v[i].at[CHANGES_AFTER].is &&
		              growth_of_files(&w, i, CHANGES_BEFORE) != growth_of_files(&w, i, CHANGES_AFTER);
		any |= moved[i].is;
	}
	ret = growth_count_pairs(&w, moved, err);
	if (ret == 0 && any)
		ret = growth_count_moved(&w, ix->db, moved, err);
	if (ret == 0)
		ret = growth_find_first(&w, ix->db, err);
	if (ret == 0)
		growth_settle(g);
	for (int t = 0; t < CHANGES_TIMES; t++) {
		free(w.slots[t]);
		free(w.own[t]);
	}
	table_release(&w.by_path);
	free(moved);
	return ret;
}

int
growth_load(struct growth *g, struct index *ix, const struct growth_query *q, struct err *err)
{
	const int64_t runs[CHANGES_TIMES] = { q->from, q->to };
	struct changes_files f = { .keys = { 0 } };
	int ret = changes_files_load(&f, ix->db, runs, false, err);

	if (ret == 0)
		ret = growth_count(g, ix, &f, q, err);
	changes_files_release(&f);
	return ret;
}

void
growth_release(struct growth *g)
{
	vec_release(&g->entries);
	vec_release(&g->first);
	arena_release(&g->memory);
}

const struct growth_entry *
growth_find(const struct growth *g, const char *path, bool is_files)
{
	const struct growth_entry key = { .path = path, .is_files = is_files };
	size_t at;

	ORDER_FIRST(at, g->entries.n, growth_cmp(&g->entries.v[at], &key) < 0);
	return at < g->entries.n && growth_cmp(&g->entries.v[at], &key) == 0 ? &g->entries.v[at] : NULL;
}
