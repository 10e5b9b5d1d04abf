/* SPDX-License-Identifier: MIT */
/*
 * Hides which directories a partial scan lists, enters or leaves alone.  The walk begins at the
 * roots as always; dirmap_dir.look says of each directory of the index how far it goes.  Every
 * directory above a dirty one has LOOK_NAMES at least, with the next one down among its names.
 *
 * Marked in the main thread before the walk; threads only read.
 */
#include "base/base.h"

#include "scan/dirty.h"

#include "index/file.h"
#include "index/roots.h"

static void
dirty_name(struct dirty *t, struct dirmap_dir *d, const char *name, size_t len, bool known)
{
	vec_push(&t->names, ((struct dirty_name){ d->id, arena_dup(&t->arena, name, len), len, known }));
	if (d->look < LOOK_NAMES)
		d->look = LOOK_NAMES;
}

void
dirty_dir(struct dirty *t, struct dirmap *map, struct dirmap_dir *d, enum look look)
{
	if (d->look < look)
		d->look = (uint8_t)look;
	while (!d->on_way && d->parent > 0) {
		struct dirmap_dir *parent = dirmap_by_id(map, d->parent);

		d->on_way = true;
		if (parent == NULL)
			return;
		dirty_name(t, parent, dirmap_name(map, d), d->name_len, true);
		d = parent;
	}
}

/* Mark a name in a directory of the index that has no directory of that name. */
static int
dirty_in_dir(struct dirty *t, struct dirmap *map, struct dirmap_dir *d, struct db *db, const char *name, size_t len, struct err *err)
{
	char *copy = mem_dup(name, len);
	struct file_row row;
	const int known = file_get(db, d->id, copy, len, &row, err);

	free(copy);
	if (known < 0)
		return -1;
	dirty_name(t, d, name, len, known == 1);
	dirty_dir(t, map, d, LOOK_NAMES);
	return 0;
}

/* Mark one form of a path.  Returns 1, 0 if it lies below no root, or -1. */
static int
dirty_at(struct dirty *t, struct dirmap *map, const struct roots *roots, struct db *db, const char *path, struct err *err)
{
	const struct root *root = roots_above(roots, path);
	const size_t least = root != NULL ? strlen(root->path) : 0;
	size_t len = strlen(path), below = len;
	struct dirmap_dir *d = root != NULL ? dirmap_by_path(map, path, len) : NULL;

	while (root != NULL && d == NULL && len > least) {
		below = len;
		len = path_up_len(path, len);
		d = dirmap_by_path(map, path, len);
	}
	if (d == NULL)
		return 0;
	if (below > len) {
		const char *name = path + len + (path[len] == '/');

		return dirty_in_dir(t, map, d, db, name, (size_t)(path + below - name), err) < 0 ? -1 : 1;
	}
	dirty_dir(t, map, d, LOOK_WHOLE);
	return 1;
}

int
dirty_add(struct dirty *t, struct dirmap *map, const struct roots *roots, struct db *db, const struct dirty_path *path,
          struct err *err)
{
	const int as_written = dirty_at(t, map, roots, db, path->path, err);
	const int real = as_written >= 0 && path->real != NULL ? dirty_at(t, map, roots, db, path->real, err) : as_written;

	if (as_written == 0 && real == 0 && t->n_outside++ == 0)
		t->outside = mem_str(path->path);
	return as_written < 0 || real < 0 ? -1 : 0;
}

static int
dirty_cmp(const void *a, const void *b)
{
	const struct dirty_name *x = a, *y = b;

	return x->dir != y->dir ? (x->dir > y->dir) - (x->dir < y->dir) : strcmp(x->name, y->name);
}

void
dirty_seal(struct dirty *t)
{
	size_t n = 0;

	if (t->names.n > 0)
		qsort(t->names.v, t->names.n, sizeof(*t->names.v), dirty_cmp);
	for (size_t i = 0; i < t->names.n; i++) {
		if (n > 0 && dirty_cmp(&t->names.v[n - 1], &t->names.v[i]) == 0)
			t->names.v[n - 1].known |= t->names.v[i].known;
		else
			t->names.v[n++] = t->names.v[i];
	}
	t->names.n = n;
}

const struct dirty_name *
dirty_names(const struct dirty *t, int64_t dir, size_t *n)
{
	size_t first, end;

	ORDER_FIRST(first, t->names.n, t->names.v[first].dir < dir);
	for (end = first; end < t->names.n && t->names.v[end].dir == dir; end++)
		;
	*n = end - first;
	return t->names.v + first;
}

void
dirty_release(struct dirty *t)
{
	vec_release(&t->names);
	arena_release(&t->arena);
	free(t->outside);
	t->outside = NULL;
}
