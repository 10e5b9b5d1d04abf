/* SPDX-License-Identifier: MIT */
/*
 * Hides what becomes of a directory whose place another one took: two were swapped, or one was
 * renamed to the name of another.  The taker is known by its inode (moved_dir).  The other may have
 * been met elsewhere; otherwise it may lie where its taker came from, which the scan of a part need
 * not have visited.  If it is not there either, sweep drops it.  Main thread only.
 */
#include "base/base.h"

#include "scan/displaced.h"

#include <stdatomic.h>
#include <unistd.h>

#include "db/stmt.h"
#include "index/dirs.h"
#include "index/index.h"
#include "index/name_added.h"
#include "index/roots.h"
#include "index/row_history.h"
#include "index/volumes.h"
#include "scan/dirmap.h"
#include "scan/listing.h"
#include "scan/mounted_twice.h"
#include "scan/root_place.h"
#include "sys/fs.h"

/* A place in the index: -1: nowhere; 0: the name is an absolute path. */
struct displaced_place {
	int64_t parent;
	const char *name;
};

void
displaced_release(struct displaced *p)
{
	vec_release(&p->v);
	arena_release(&p->names);
}

int
displaced_take_place(struct displaced *p, const struct dirmap *map, struct index *ix, const struct listing *l, struct err *err)
{
	const struct dirmap_dir *there = dirmap_by_place(map, l->parent, l->name, l->name_len);
	const struct dirmap_dir *taker = dirmap_by_id(map, l->dir);
	struct displaced_dir d = { .taker = l->dir, .parent = -1, .new_parent = -1 };
	struct buf text = { 0 }, waits = { 0 };
	struct stmt st;
	int ret;

	if (there == NULL || there->id == l->dir)
		return 0;
	if (row_history_dir(ix, there->id, err) < 0)
		return -1;
	d.dir = there->id;
	if (taker != NULL) {
		d.parent = taker->parent;
		d.name = arena_dup(&p->names, dirmap_name(map, taker), taker->name_len);
	}
	if (there->root != NULL && there->root->leads_to != ROOT_PATH_LOST && there->root->leads_to != ROOT_PATH_MOVED) {
		d.new_parent = 0;
		buf_adds(&waits, there->root->path);
	} else {
		/* No query can ask for this name. */
		buf_addf(&waits, "/%lld", (long long)there->id);
	}
	d.new_name = arena_dup(&p->names, waits.data, waits.len);
	vec_push(&p->v, d);
	buf_cut(&waits, 0);
	dirs_store_name(&waits, d.new_name, strlen(d.new_name), d.new_parent);
	dirs_store_name(&text, l->name, l->name_len, l->parent);
	st = stmt_get(ix->db, SQL_DIR_MOVE_ASIDE, err);
	stmt_int(&st, ":dir", there->id);
	stmt_int(&st, ":parent", l->parent);
	stmt_text(&st, ":name", text.data, text.len);
	stmt_int(&st, ":new_parent", d.new_parent);
	stmt_text(&st, ":new_name", waits.data, waits.len);
	if (!name_is_utf8(d.new_name, strlen(d.new_name)))
		stmt_blob(&st, ":new_raw", d.new_name, strlen(d.new_name));
	ret = stmt_run(&st);
	if (ret == 0)
		ret = name_added_put_dir(ix, d.dir, d.new_parent, d.new_name, strlen(d.new_name), err);
	buf_release(&text);
	buf_release(&waits);
	return ret;
}

void
displaced_hang(struct displaced *p, struct dirmap *map)
{
	for (size_t i = 0; i < p->v.n; i++) {
		const struct displaced_dir *d = &p->v.v[i];

		dirmap_hang(map, dirmap_by_id(map, d->dir), d->new_parent, d->new_name, strlen(d->new_name));
	}
	if (p->v.n > 0)
		qsort(p->v.v, p->v.n, sizeof(*p->v.v), order_cmp_int64);
}

/* How the directory with this number gave up its place, or NULL. */
static const struct displaced_dir *
displaced_by_id(const struct displaced *p, int64_t dir)
{
	return p->v.n > 0 ? bsearch(&dir, p->v.v, p->v.n, sizeof(*p->v.v), order_cmp_int64) : NULL;
}

/*
 * The place that became free when the directory d left its own: its own if nobody took it, else
 * that of the taker, or of the taker's taker, and so on.
 */
static struct displaced_place
displaced_free_place(struct displaced *p, const struct dirmap *map, const struct dirmap_dir *d)
{
	const struct displaced_dir *a = d->parent < 0 ? displaced_by_id(p, d->id) : NULL, *next = a;

	if (a == NULL)
		return (struct displaced_place){ d->parent, arena_dup(&p->names, dirmap_name(map, d), d->name_len) };
	/* No two have the same taker, and d has taken no place: this comes to an end. */
	while ((next = displaced_by_id(p, next->taker)) != NULL)
		a = next;
	return (struct displaced_place){ a->parent, a->name };
}

/* Whether the directory with this number has a place outside d. */
static bool
displaced_is_beside(const struct dirmap *map, int64_t dir, const struct dirmap_dir *d)
{
	const struct dirmap_dir *up = dirmap_by_id(map, dir);

	while (up != NULL && up != d && up->parent > 0)
		up = dirmap_by_id(map, up->parent);
	return up != NULL && up != d && up->parent == 0;
}

/* The directory of the index that lies at a free place now, and nowhere else; or NULL. */
static struct dirmap_dir *
displaced_find(const struct dirmap *map, struct volumes *volumes, struct displaced_place place)
{
	struct buf path = { 0 };
	struct dirmap_dir *d = NULL;
	struct fs_stat st;
	int fd;

	if (place.parent <= 0 || dirmap_by_place(map, place.parent, place.name, strlen(place.name)) != NULL ||
	    !displaced_is_beside(map, place.parent, NULL))
		return NULL;
	dirmap_path(map, place.parent, &path);
	path_append(&path, place.name, strlen(place.name));
	fd = fs_enter_dir(buf_str(&path));
	if (fd >= 0 && fs_stat_fd(fd, &st) == 0) {
		const struct dir_here here = { .start = buf_str(&path), .rel = "", .dev = st.dev,
		                               .inode = { volumes_known(volumes, st.dev), (int64_t)st.inode } };

		while ((d = dirmap_by_inode(map, here.inode, d)) != NULL) {
			/*
			 * Skip directories that were met, unless they have no place: they could
			 * not be read.
			 */
			if (d->root == NULL && !d->pinned && (d->parent < 0 || !atomic_load(&d->claimed)) &&
			    displaced_is_beside(map, place.parent, d) && !mounted_twice_at_both(map, d, &here))
				break;
		}
	}
	if (fd >= 0)
		close(fd);
	buf_release(&path);
	return d;
}

int
displaced_return(struct displaced *p, struct dirmap *map, struct index *ix, struct volumes *volumes, bool *wrote, struct err *err)
{
	bool any = true;

	/* One may lie in another: repeat until nothing changes. */
	while (any) {
		any = false;
		for (size_t i = 0; i < p->v.n; i++) {
			const struct dirmap_dir *first = dirmap_by_id(map, p->v.v[i].dir);
			struct displaced_place place;
			struct dirmap_dir *d = NULL;

			if (first->parent >= 0)
				continue;
			/* Hang it where it lies now, then the next of its chain of takers. */
			place = displaced_free_place(p, map, first);
			while (d != first && (d = displaced_find(map, volumes, place)) != NULL) {
				const struct displaced_place next = displaced_free_place(p, map, d);

				if (root_place_hang_at(map, ix, d, place.parent, place.name, strlen(place.name), err) < 0)
					return -1;
				*wrote = true;
				place = next;
			}
			any |= first->parent >= 0;
		}
	}
	return 0;
}
