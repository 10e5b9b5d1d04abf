/* SPDX-License-Identifier: MIT */
/*
 * A walk over all contents gives all sums without a table of files.  If all names of a content are
 * on one disk, that alone holds it.  A file without a hash is on its own: proven different, or not
 * judged.  A name on another disk counts only if it may be relied on: see volume_list_alone.
 *
 * Disks are numbered apart from volumes, because subvolumes of one btrfs are one disk.  An overlay,
 * or a program in user space, may show files that lie on another disk.  One thread.
 */
#include "base/base.h"

#include "query/volume_list.h"

#include <fcntl.h>
#include <unistd.h>

#include "db/stmt.h"
#include "index/dirs.h"
#include "index/fleeting.h"
#include "index/index.h"
#include "index/schema.h"
#include "index/timeless.h"
#include "index/volumes.h"
#include "query/answer.h"
#include "query/content_walk.h"
#include "sys/fs.h"

/* The record of one disk. */
struct volume_list_disk {
	struct volume_answer a;
	char *label, *type, *key, *point, *path;  /* owned, where a lacks one */
	bool mounted;            /* point is of this moment */
	enum volume_view view;   /* whose files it may show */
	bool at_place;           /* it is where the index has it */
	size_t ground;           /* the first of those that are lost with it: volumes_grounds() */
	int64_t names;           /* of the content in hand */
	uint64_t why;            /* their sets of reasons (index/fleeting), a bit each */
};

/* A volume of the index, and the disk that it is on. */
struct volume_list_volume {
	int64_t id;
	size_t disk;
};

struct volume_list {
	struct index *ix;
	bool online;             /* only what is here counts */
	VEC(struct volume_list_disk) disks;
	VEC(struct volume_list_volume) volumes;   /* in the order of their ids */
	struct dirs dirs;        /* where names lie, if there are several disks */
	struct volumes *now;
};

/* The volume with this number, or NULL. */
static struct volume_list_volume *
volume_list_find(const struct volume_list *l, int64_t id)
{
	size_t at;

	ORDER_FIRST(at, l->volumes.n, l->volumes.v[at].id < id);
	return at < l->volumes.n && l->volumes.v[at].id == id ? &l->volumes.v[at] : NULL;
}

/* Whether a disk does not count. */
static bool
volume_list_left_out(const struct volume_list *l, const struct volume_list_disk *d)
{
	return l->online && !d->a.online;
}

static int
volume_list_load_volumes(struct volume_list *l, struct err *err)
{
	struct timeless timeless = { .n = 0 };
	struct volume_now now;
	size_t *grounds;

	if (volumes_load(&l->now, l->ix->db, err) < 0 || timeless_load_all(&timeless, l->ix->db, err) < 0)
		return -1;
	grounds = volumes_grounds(l->now);
	for (size_t i = 0; volumes_nth(l->now, i, &now); i++) {
		const size_t first = volumes_disk(l->now, i);

		vec_push(&l->volumes, ((struct volume_list_volume){ now.number, first < i ? l->volumes.v[first].disk : l->disks.n }));
		if (first == i) {
			const struct volume_list_disk disk = {
				.type = mem_str(now.type),
				.key = mem_str(now.key),
				.view = volume_key_view(now.key),
				.ground = grounds[i],
				.a = { .volume = now.number, .memory = now.memory, .lost = now.memory && volume_key_in_memory(now.key), .capacity = -1, .available = -1, .seen = -1,
				       .timeless = timeless_has(&timeless, now.number) },
			};

			vec_push(&l->disks, disk);
		}
	}
	free(grounds);
	timeless_release(&timeless);
	return 0;
}

/* A name that was written by name_show, owned; NULL for none. */
static char *
volume_list_name(const struct stmt *st, int col)
{
	struct buf name = { 0 };
	size_t len;
	const char *text = stmt_col_text(st, col, &len);

	if (len == 0)
		return NULL;
	if (name_unshow(&name, text, len) < 0) {
		buf_cut(&name, 0);
		buf_add(&name, text, len);
	}
	return buf_take(&name);
}

/* Read the records of volumes; of subvolumes of one disk the one seen last counts. */
static int
volume_list_load_details(struct volume_list *l, struct err *err)
{
	struct stmt st;
	int ret;

	if (l->ix->version < SCHEMA_HISTORY)
		return 0;
	st = stmt_get(l->ix->db, SQL_VOLUME_DETAILS, err);
	while ((ret = stmt_step(&st)) == 1) {
		const int64_t seen = stmt_col_is_null(&st, 4) ? -1 : stmt_col_int(&st, 4);
		const struct volume_list_volume *v = volume_list_find(l, stmt_col_int(&st, 0));
		struct volume_list_disk *d;

		if (v == NULL)
			continue;
		d = &l->disks.v[v->disk];
		if (seen < d->a.seen || (d->point != NULL && stmt_col_is_null(&st, 5)))
			continue;
		d->a.seen = seen;
		free(d->label);
		free(d->point);
		d->label = volume_list_name(&st, 1);
		d->point = volume_list_name(&st, 5);
		d->a.capacity = stmt_col_is_null(&st, 2) ? -1 : stmt_col_int(&st, 2);
		d->a.available = stmt_col_is_null(&st, 3) ? -1 : stmt_col_int(&st, 3);
	}
	return ret;
}

/* Find out which volumes are here, and where. */
static int
volume_list_look(struct volume_list *l, struct err *err)
{
	if (volumes_recognize_all(l->now, l->ix->db, err) < 0)
		return -1;
	for (size_t i = 0; i < l->volumes.n; i++) {
		const char *point;

		l->disks.v[l->volumes.v[i].disk].at_place |= volumes_where(l->now, l->volumes.v[i].id, &point);
	}
	volumes_look(l->now);
	for (size_t i = 0; i < l->volumes.n; i++) {
		struct volume_list_disk *d = &l->disks.v[l->volumes.v[i].disk];
		const char *point;

		if (!volumes_where(l->now, l->volumes.v[i].id, &point))
			continue;
		/* Of subvolumes the first that is mounted. */
		if (point != NULL && !d->mounted) {
			const int fd = fs_open_dir(AT_FDCWD, point);

			d->mounted = true;
			free(d->point);
			d->point = mem_str(point);
			if (fd >= 0) {
				(void)volume_room(fd, &d->a.capacity, &d->a.available);
				close(fd);
			}
		}
		d->a.online = true;
	}
	return 0;
}

/* Find the first directory of each in the index, and whether that leads to it. */
static int
volume_list_places(struct volume_list *l, struct err *err)
{
	struct dirs_rows r = dirs_rows(l->ix->db, SQL_VOLUME_PLACES, err);
	int ret;

	while ((ret = dirs_rows_next(&r)) == 1) {
		const struct volume_list_volume *v = volume_list_find(l, stmt_col_int(&r.st, 1));
		struct volume_list_disk *d;

		if (v == NULL)
			continue;
		d = &l->disks.v[v->disk];
		d->at_place |= d->mounted && path_is_below(buf_str(&r.path), d->point);
		if (d->path == NULL || strcmp(buf_str(&r.path), d->path) < 0) {
			free(d->path);
			d->path = mem_str(buf_str(&r.path));
		}
	}
	return ret;
}

/*
 * Whether a disk has a name of the content in hand for which those on other disks are no copy to
 * rely on.  A view may show the files of any of them, a share those of another share: it keeps
 * nothing that lies there.
 */
static bool
volume_list_alone(const struct volume_list *l, const struct volume_list_disk *d)
{
	uint64_t others = 0;
	bool alone = false;

	for (size_t i = 0; i < l->disks.n; i++) {
		const struct volume_list_disk *other = &l->disks.v[i];
		const bool shown = other->view == VOLUME_VIEW || (other->view == VOLUME_VIEW_REMOTE && d->view == VOLUME_VIEW_REMOTE);

		others |= other->ground != d->ground && !shown ? other->why : 0;
	}
	for (unsigned r = 0; r < 1U << FLEETING_REASONS; r++)
		alone |= (d->why >> r & 1) != 0 && !fleeting_any_keeps(others, r);
	return alone;
}

/*
 * Count a name of the content in hand; first: of its inode, which rows of different scans may give
 * several contents.  Returns 0 or -1.
 */
static int
volume_list_count_name(struct volume_list *l, int64_t size, const struct content_walk_name *n, bool first, struct err *err)
{
	const struct volume_list_volume *v = volume_list_find(l, n->inode.volume);
	/* The first one has the volumes that are not in the index. */
	struct volume_list_disk *d = &l->disks.v[v != NULL ? v->disk : 0];
	const struct dirs_prefix *prefix = NULL;

	if (volume_list_left_out(l, d))
		return 0;
	d->a.files++;
	d->names++;
	d->a.bytes = num_add(d->a.bytes, first ? size : 0);
	if (n->read && l->disks.n > 1) {
		prefix = dirs_prefix(&l->dirs, n->id, err);
		if (prefix == NULL)
			return -1;
	}
	if (n->read)
		d->why |= UINT64_C(1) << (prefix != NULL ? prefix->fleeting : 0);
	return 0;
}

/* content_walk_fn */
static int
volume_list_count(void *arg, const struct content_walk_content *c, const struct content_walk_name *v, struct err *err)
{
	struct volume_list *l = arg;

	for (uint32_t i = 0; i < c->n; i++) {
		const bool first = (i == 0 || v[i].copy != v[i - 1].copy) && (v[i].link == NULL || v[i].link->copy++ == 0);

		if (volume_list_count_name(l, c->size, &v[i], first, err) < 0)
			return -1;
	}
	for (size_t i = 0; i < l->disks.n; i++) {
		struct volume_list_disk *d = &l->disks.v[i];

		if (d->names > 0 && c->size > 0 && (!c->has_hash || volume_list_alone(l, d))) {
			d->a.only_files += d->names;
			d->a.only_bytes = num_add(d->a.only_bytes, c->size);
		}
	}
	for (size_t i = 0; i < l->disks.n; i++) {
		l->disks.v[i].names = 0;
		l->disks.v[i].why = 0;
	}
	return 0;
}

static int
volume_list_cmp(const void *x, const void *y)
{
	const struct volume_list_disk *a = x, *b = y;

	if (a->a.online != b->a.online)
		return a->a.online ? -1 : 1;
	if (a->a.bytes != b->a.bytes)
		return a->a.bytes > b->a.bytes ? -1 : 1;
	return strcmp(a->path != NULL ? a->path : "", b->path != NULL ? b->path : "");
}

static int
volume_list_deliver(struct volume_list *l, volume_list_fn *fn, void *arg)
{
	int ret = 0;

	if (l->disks.n > 1)
		qsort(l->disks.v, l->disks.n, sizeof(*l->disks.v), volume_list_cmp);
	for (size_t i = 0; ret == 0 && i < l->disks.n; i++) {
		struct volume_list_disk *d = &l->disks.v[i];
		const struct drawer_disk *known;

		/* A volume stays in the index when its files are forgotten. */
		if ((d->a.files == 0 && d->path == NULL) || volume_list_left_out(l, d))
			continue;
		d->a.label = d->label;
		d->a.type = d->type;
		d->a.key = d->key;
		known = drawer_find(&l->ix->drawer, d->a.volume);
		if (known != NULL) {
			d->a.name = known->name;
			d->a.place = known->place;
			d->a.note = known->note;
		}
		d->a.point = d->point;
		d->a.path = d->path;
		d->a.lost = d->a.lost && !d->a.online;
		d->a.elsewhere = d->a.online && !d->at_place && d->path != NULL;
		ret = fn(arg, &d->a);
	}
	return ret;
}

int
volume_list_each(struct index *ix, bool online, volume_list_fn *fn, void *arg, struct err *err)
{
	struct volume_list l = { .ix = ix, .online = online, .dirs = { .db = ix->db } };
	struct content_walk walk = { .ix = ix, .min_size = 1, .fn = volume_list_count, .arg = &l };
	int ret = volume_list_load_volumes(&l, err);

	if (ret == 0 && l.disks.n > 0 &&
	    ((l.disks.n > 1 && dirs_load(&l.dirs, err) < 0) ||
	     volume_list_load_details(&l, err) < 0 || volume_list_look(&l, err) < 0 || volume_list_places(&l, err) < 0 ||
	     content_walk(&walk, err) < 0))
		ret = -1;
	if (ret == 0)
		ret = volume_list_deliver(&l, fn, arg);
	for (size_t i = 0; i < l.disks.n; i++) {
		free(l.disks.v[i].label);
		free(l.disks.v[i].type);
		free(l.disks.v[i].key);
		free(l.disks.v[i].point);
		free(l.disks.v[i].path);
	}
	vec_release(&l.disks);
	vec_release(&l.volumes);
	content_walk_release(&walk);
	volumes_free(l.now);
	dirs_release(&l.dirs);
	return ret;
}
