/* SPDX-License-Identifier: MIT */
#include "base/base.h"

#include "trees/disks.h"

#include "db/stmt.h"
#include "index/index.h"
#include "index/volumes.h"
#include "query/dirtree.h"
#include "query/indexes.h"
#include "sys/mounted.h"
#include "sys/volume.h"

/* A volume of the index. */
struct disks_volume {
	int64_t id, disk;
	bool splits;
};

struct disks_volumes {
	struct disks_volume *v;
	size_t n, cap;
};

/* Numbers of disks. */
struct disks_numbers {
	int64_t *v;
	size_t n, cap;
};

/* The first volume with the identity of the i-th: one image twice, or a clone. */
static size_t
disks_identity(const struct volumes *all, size_t i)
{
	struct volume_now now, first;
	size_t len, at = 0;

	if (!volumes_nth(all, i, &now))
		return i;
	len = volume_key_identity(now.key);
	while (at < i && volumes_nth(all, at, &first) && (volume_key_identity(first.key) != len || memcmp(now.key, first.key, len) != 0))
		at++;
	return at;
}

/* Read all volumes; those of one disk have the number of the first. */
static int
disks_load_volumes(struct disks_volumes *volumes, struct index *ix, struct err *err)
{
	struct volumes *all = NULL;
	struct volume_now now, first;
	int ret = volumes_load(&all, ix->db, err);
	size_t *grounds = ret == 0 ? volumes_grounds(all) : NULL;

	for (size_t i = 0; ret == 0 && volumes_nth(all, i, &now) && volumes_nth(all, grounds[i], &first); i++) {
		const enum volume_view view = volume_key_view(now.key);
		const int64_t disk = view == VOLUME_VIEW ? -first.number : first.number + (view == VOLUME_VIEW_REMOTE ? DISKS_REMOTE : 0);
		const size_t one = disks_identity(all, i);

		vec_push(volumes, ((struct disks_volume){ now.number, disk, volume_key_mirrors(now.key) || one != i }));
		volumes->v[one].splits |= one != i;
	}
	free(grounds);
	volumes_free(all);
	return ret;
}

int
disks_load(struct disks *d, struct index *ix, const struct dirtree *t, struct err *err)
{
	struct disks_volumes volumes = { 0 };
	int64_t id = 0, disk = 0;
	bool splits = false;
	struct stmt st;
	int ret = disks_load_volumes(&volumes, ix, err);

	d->of = mem_zalloc(dirtree_count(t), sizeof(*d->of));
	d->splits = mem_zalloc(dirtree_count(t), sizeof(*d->splits));
	for (size_t i = 0; i < volumes.n; i++)
		d->views |= volumes.n > 1 && (volumes.v[i].disk < 0 || volumes.v[i].disk >= DISKS_REMOTE);
	if (ret == 0)
		st = stmt_get(ix->db, SQL_DIR_VOLUMES, err);
	while (ret >= 0 && (ret = stmt_step(&st)) == 1) {
		const uint32_t dir = dirtree_by_id(t, stmt_col_int(&st, 0));

		/* Most directories lie on the volume of the one before. */
		for (size_t i = 0; stmt_col_int(&st, 1) != id && i < volumes.n; i++) {
			if (volumes.v[i].id != stmt_col_int(&st, 1))
				continue;
			id = volumes.v[i].id;
			disk = volumes.v[i].disk;
			splits = volumes.v[i].splits;
		}
		if (dir == DIRTREE_NONE || stmt_col_int(&st, 1) != id)
			continue;
		d->of[dir] = disk;
		d->splits[dir] = splits;
	}
	vec_release(&volumes);
	return ret;
}

void
disks_release(struct disks *d)
{
	free(d->of);
	free(d->splits);
	d->of = NULL;
	d->splits = NULL;
}

/* What mounts are noted for. */
struct disks_mounted {
	const struct dirtree *t;
	bool *v;
};

/* mounted_fn: note a directory of the tree. */
static bool
disks_note_mount(void *arg, const struct mounted *m)
{
	const struct disks_mounted *w = arg;
	struct buf path = { 0 };
	uint32_t dir;

	mounted_name(&path, m->point);
	dir = dirtree_find(w->t, buf_str(&path));
	if (dir != DIRTREE_NONE)
		w->v[dir] = true;
	buf_release(&path);
	return false;
}

bool *
disks_mounted(const struct dirtree *t)
{
	struct disks_mounted w = { t, mem_zalloc(dirtree_count(t), sizeof(*w.v)) };

	(void)mounted_each(disks_note_mount, &w);
	return w.v;
}

/* Append the disks of the directories from first to below end, each once. */
static void
disks_list(const struct disks *d, uint32_t first, uint32_t end, struct disks_numbers *list)
{
	for (uint32_t dir = first; dir < end; dir++) {
		size_t at = 0;

		while (at < list->n && list->v[at] != d->of[dir])
			at++;
		if (at == list->n && d->of[dir] != 0)
			vec_push(list, d->of[dir]);
	}
}

/* The same of a path: of what is at and below it, but not at and below another one, or NULL. */
static void
disks_list_path(const struct disks *d, const struct dirtree *t, const char *path, const char *but, struct disks_numbers *list)
{
	const uint32_t skip = but != NULL && path_is_below(but, path) ? dirtree_find(t, but) : DIRTREE_NONE;
	uint32_t dir = dirtree_find(t, path);
	struct buf up = { 0 };

	if (dir != DIRTREE_NONE) {
		disks_list(d, dir, skip != DIRTREE_NONE ? skip : dirtree_end(t, dir), list);
		if (skip != DIRTREE_NONE)
			disks_list(d, dirtree_end(t, skip), dirtree_end(t, dir), list);
		return;
	}
	buf_add(&up, path, path_parent_len(path));
	dir = dirtree_find(t, buf_str(&up));
	if (dir != DIRTREE_NONE)
		disks_list(d, dir, dir + 1, list);
	buf_release(&up);
}

/* Whether one of them is a view, and the other is not that one. */
static bool
disks_any_share(const struct disks_numbers *a, const struct disks_numbers *b)
{
	bool shared = false;

	for (size_t i = 0; i < a->n; i++) {
		for (size_t k = 0; k < b->n; k++)
			shared = shared || disks_numbers_may_be_one(a->v[i], b->v[k]);
	}
	return shared;
}

/* Whether an index has a view, be it the only volume.  Returns 1, 0 or -1. */
static int
disks_has_view(struct index *ix, struct err *err)
{
	struct disks_volumes volumes = { 0 };
	int ret = disks_load_volumes(&volumes, ix, err);

	for (size_t i = 0; ret == 0 && i < volumes.n; i++)
		ret = volumes.v[i].disk < 0 || volumes.v[i].disk >= DISKS_REMOTE;
	vec_release(&volumes);
	return ret;
}

bool
disks_dirs_may_share(const struct disks *d, const struct dirtree *t, uint32_t a, uint32_t b)
{
	struct disks_numbers in_a = { 0 }, in_b = { 0 };
	bool shared;

	if (!d->views)
		return false;
	disks_list(d, a, dirtree_end(t, a), &in_a);
	disks_list(d, b, dirtree_end(t, b), &in_b);
	shared = disks_any_share(&in_a, &in_b);
	vec_release(&in_a);
	vec_release(&in_b);
	return shared;
}

/* Append the disks of a path, but for what lies below another one, as this index numbers them. */
static int
disks_list_of(struct index *ix, const struct indexes_other *of, const char *path, const char *but, struct disks_numbers *list,
              struct err *err)
{
	struct index *its = of != NULL ? of->ix : ix;
	struct disks d = { .of = NULL };
	struct dirtree *t = NULL;
	int ret = dirtree_load(&t, its->db, err);

	if (ret == 0)
		ret = disks_load(&d, its, t, err);
	if (ret == 0)
		disks_list_path(&d, t, path, but, list);
	for (size_t i = 0; of != NULL && i < list->n; i++)
		list->v[i] = list->v[i] < 0 ? -indexes_ours(of, -list->v[i]) :
		             list->v[i] >= DISKS_REMOTE ? indexes_ours(of, list->v[i] - DISKS_REMOTE) + DISKS_REMOTE : indexes_ours(of, list->v[i]);
	disks_release(&d);
	dirtree_free(t);
	return ret;
}

int
disks_may_share(struct index *ix, const char *a, const struct indexes_other *of_a, const char *b,
                const struct indexes_other *of_b, struct err *err)
{
	const bool here = of_a == NULL && of_b == NULL;
	struct disks_numbers in_a = { 0 }, in_b = { 0 };
	int ret = disks_has_view(of_a != NULL ? of_a->ix : ix, err);

	if (ret == 0 && !here)
		ret = disks_has_view(of_b != NULL ? of_b->ix : ix, err);
	/* Most indexes have no view: then directories need not be loaded. */
	if (ret <= 0)
		return ret;
	ret = disks_list_of(ix, of_a, a, here ? b : NULL, &in_a, err);
	if (ret == 0)
		ret = disks_list_of(ix, of_b, b, here ? a : NULL, &in_b, err);
	if (ret == 0)
		ret = disks_any_share(&in_a, &in_b);
	vec_release(&in_a);
	vec_release(&in_b);
	return ret;
}
