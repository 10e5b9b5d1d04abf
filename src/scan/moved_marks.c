/* SPDX-License-Identifier: MIT */
#include "base/base.h"

#include "scan/moved_marks.h"

#include <stdatomic.h>

#include "index/dirs.h"
#include "index/file.h"
#include "index/index.h"
#include "index/mark.h"
#include "scan/dirmap.h"
#include "scan/missing_mount.h"

/* State of noting the directories above marks. */
struct moved_marks_noting {
	struct moved_marks *m;
	const struct dirmap *map;
	uint8_t *noted, *begins;   /* by position in the map */
};

static void
moved_marks_add(struct moved_marks *m, const struct dirmap *map, const struct dirmap_dir *d, bool begins)
{
	struct buf path = { 0 };

	dirmap_path(map, d->id, &path);
	vec_push(&m->v, ((struct moved_marks_place){ .dir = d->id, .up = d->parent, .path = buf_take(&path), .begins = begins }));
}

/* mark_fn: note all directories of the index above a mark. */
static int
moved_marks_note(void *arg, const struct mark *mark)
{
	struct moved_marks_noting *n = arg;
	const struct dirmap_dir *d = NULL;
	size_t len = strlen(mark->path);

	while (d == NULL && len > 1) {
		while (len > 1 && mark->path[len - 1] != '/')
			len--;
		len -= len > 1;
		d = dirmap_by_path(n->map, mark->path, len);
	}
	for (; d != NULL; d = dirmap_by_id(n->map, d->parent)) {
		const size_t at = (size_t)(d - dirmap_at(n->map, 0));

		if (bits_has(n->noted, at))
			break;
		bits_set(n->noted, at, true);
		moved_marks_add(n->m, n->map, d, bits_has(n->begins, at));
	}
	return 0;
}

/* The place of a directory, or NULL. */
static struct moved_marks_place *
moved_marks_find(const struct moved_marks *m, int64_t dir)
{
	return m->v.n > 0 ? bsearch(&dir, m->v.v, m->v.n, sizeof(*m->v.v), order_cmp_int64) : NULL;
}

int
moved_marks_load(struct moved_marks *m, struct index *ix, const struct dirmap *map, const struct mount_points *points, struct err *err)
{
	struct moved_marks_noting n = { m, map, bits_new(dirmap_count(map)), bits_new(dirmap_count(map)) };
	int ret;

	for (size_t i = 0; i < points->n; i++)
		bits_set(n.begins, points->v[i], true);
	ret = mark_each(ix, "/", moved_marks_note, &n, err);
	for (size_t i = 0; i < points->n; i++) {
		if (!bits_has(n.noted, points->v[i]))
			moved_marks_add(m, map, dirmap_at(map, points->v[i]), true);
	}
	free(n.noted);
	free(n.begins);
	if (m->v.n > 0)
		qsort(m->v.v, m->v.n, sizeof(*m->v.v), order_cmp_int64);
	return ret;
}

/* Set path to the new path of below, which lies in from, when that moves to another path. */
static void
moved_marks_path(struct buf *path, const char *below, const char *from, const char *to)
{
	const char *rest = below + strlen(from);

	buf_cut(path, 0);
	buf_adds(path, to);
	rest += *rest == '/';
	if (*rest != '\0')
		path_append(path, rest, strlen(rest));
}

/* Whether a directory has moved by itself, and not only with the one above it. */
static bool
moved_marks_moved(const struct moved_marks *m, const struct moved_marks_place *p)
{
	const struct moved_marks_place *up = moved_marks_find(m, p->up);
	struct buf path = { 0 };
	bool moved;

	if (p->to == NULL || *p->path != '/')
		return false;
	if (up == NULL)
		return strcmp(p->path, p->to) != 0;
	moved_marks_path(&path, p->path, up->path, up->to != NULL ? up->to : up->path);
	moved = strcmp(buf_str(&path), p->to) != 0;
	buf_release(&path);
	return moved;
}

/* The argument of moved_marks_is_there. */
struct moved_marks_proof {
	struct index *ix;
	const struct moved_marks_place *place;
	struct buf path;
	struct err *err;
};

/* mark_fn: 1 if the marked file is in the directory at its new place. */
static int
moved_marks_is_there(void *arg, const struct mark *mark)
{
	struct moved_marks_proof *p = arg;
	struct file_row row;
	int found;

	moved_marks_path(&p->path, mark->path, p->place->path, p->place->to);
	found = dirs_find_file(p->ix->db, buf_str(&p->path), &row, p->err);
	return found == 1 ? mark_fits(mark, row.size, fs_time_key(row.mtime), row.has_hash ? row.hash : NULL) : found;
}

int
moved_marks_follow(struct moved_marks *m, struct index *ix, const struct dirmap *map, struct err *err)
{
	VEC(struct mark_move) moves = { 0 };
	int ret = 0;

	for (size_t i = 0; i < m->v.n; i++) {
		struct moved_marks_place *p = &m->v.v[i];
		const struct dirmap_dir *d = dirmap_by_id(map, p->dir);
		struct buf path = { 0 };

		if (d == NULL || d->dropped || !atomic_load(&d->claimed) || d->parent < 0)
			continue;
		dirmap_path(map, d->id, &path);
		free(p->to);
		p->to = buf_take(&path);
	}
	for (size_t i = 0; ret == 0 && i < m->v.n; i++) {
		const struct moved_marks_place *p = &m->v.v[i];
		struct moved_marks_proof proof = { .ix = ix, .place = p, .err = err };
		/* Unless it is known to be the same one, it must still hold a marked file. */
		const int goes = !moved_marks_moved(m, p) ? 0 : p->begins ? 1 : mark_each(ix, p->path, moved_marks_is_there, &proof, err);

		buf_release(&proof.path);
		if (goes == 1)
			vec_push(&moves, ((struct mark_move){ p->path, p->to }));
		ret = goes < 0 ? -1 : 0;
	}
	if (ret == 0 && moves.n > 0)
		ret = mark_follow(ix, moves.v, moves.n, err);
	vec_release(&moves);
	return ret;
}

void
moved_marks_release(struct moved_marks *m)
{
	for (size_t i = 0; i < m->v.n; i++) {
		free(m->v.v[i].path);
		free(m->v.v[i].to);
	}
	vec_release(&m->v);
}
