/* SPDX-License-Identifier: MIT */
/*
 * Every index numbers file systems by itself.  Two numbers mean one file system if it has one
 * device now, or one key where at least one of the indexes does not find it.  So an inode is one,
 * whichever index says so: it is no copy of itself.
 */
#include "base/base.h"

#include "query/indexes.h"

#include "db/stmt.h"
#include "index/dirs.h"
#include "index/file.h"
#include "index/index.h"
#include "index/journal.h"
#include "index/schema.h"
#include "index/volumes.h"

/* Find where the volumes of an index are now. */
static int
indexes_find_volumes(struct volumes **v, struct index *ix, struct err *err)
{
	if (volumes_load(v, ix->db, err) < 0)
		return -1;
	if (volumes_recognize_all(*v, ix->db, err) < 0) {
		volumes_free(*v);
		return -1;
	}
	volumes_look(*v);
	return 0;
}

static int64_t
indexes_new_volume(struct indexes *s, const struct volume_now *now, int64_t number)
{
	vec_push(&s->volumes, ((struct indexes_volume){ number, mem_str(now->key), now->here, now->dev }));
	return number;
}

/* The number here of another index's volume; a new one is added. */
static int64_t
indexes_number(struct indexes *s, const struct volume_now *now)
{
	for (size_t i = 0; i < s->volumes.n; i++) {
		const struct indexes_volume *v = &s->volumes.v[i];

		if (v->here && now->here ? v->dev == now->dev : strcmp(v->key, now->key) == 0)
			return v->number;
	}
	return indexes_new_volume(s, now, SCHEMA_MAX_ID + 1 + (int64_t)s->volumes.n);
}

int
indexes_open(struct indexes *s, struct index *ix, struct err *err)
{
	struct volumes *volumes;
	struct volume_now now;

	s->ix = ix;
	if (indexes_find_volumes(&volumes, ix, err) < 0)
		return -1;
	for (size_t i = 0; volumes_nth(volumes, i, &now); i++)
		indexes_new_volume(s, &now, now.number);
	volumes_free(volumes);
	return 0;
}

int
indexes_add(struct indexes *s, struct index *ix, const char *name, struct err *err)
{
	struct indexes_other *o = mem_zalloc(1, sizeof(*o));
	struct journal_entry last = { .finished = 0 };
	struct volumes *volumes;
	struct volume_now now;

	o->ix = ix;
	o->name = mem_str(name);
	vec_push(&s->others, o);
	if (memcmp(ix->secret, s->ix->secret, sizeof(ix->secret)) != 0)
		return err_set(err, ERR_USAGE, "'%s' can't be compared: its hashes have another secret; make it again with "
		               "'%s --db %s --secret-from %s scan DIR'", name, prog_name(), name, s->ix->path);
	if (journal_recent(ix, 0, &last, err) < 0)
		return -1;
	o->seen = last.finished;
	if (presence_open(&o->check, ix, err) < 0 || indexes_find_volumes(&volumes, ix, err) < 0)
		return -1;
	for (size_t i = 0; volumes_nth(volumes, i, &now); i++)
		vec_push(&o->volumes, ((struct indexes_pair){ now.number, indexes_number(s, &now), now.here, now.dev }));
	volumes_free(volumes);
	return 0;
}

void
indexes_close(struct indexes *s)
{
	for (size_t i = 0; i < s->others.n; i++) {
		struct indexes_other *o = s->others.v[i];

		presence_release(&o->check);
		index_close(o->ix);
		vec_release(&o->volumes);
		buf_release(&o->place);
		buf_release(&o->path);
		free(o->name);
		free(o);
	}
	for (size_t i = 0; i < s->volumes.n; i++)
		free(s->volumes.v[i].key);
	vec_release(&s->others);
	vec_release(&s->volumes);
}

int64_t
indexes_ours(const struct indexes_other *o, int64_t theirs)
{
	for (size_t i = 0; i < o->volumes.n; i++) {
		if (o->volumes.v[i].theirs == theirs)
			return o->volumes.v[i].ours;
	}
	return -1;
}

struct indexes_other *
indexes_nth(const struct indexes *s, size_t i)
{
	return i > 0 ? s->others.v[i - 1] : NULL;
}

struct presence_view *
indexes_view(struct indexes_other *o, struct presence_view *here)
{
	return o != NULL ? &o->check : here;
}

void
indexes_take_row(const struct indexes_other *o, struct file_row *row)
{
	if (o == NULL)
		return;
	row->dir = -row->dir;
	row->inode.volume = indexes_ours(o, row->inode.volume);
}

int64_t
indexes_theirs(const struct indexes_other *o, int64_t ours)
{
	for (size_t i = 0; i < o->volumes.n; i++) {
		if (o->volumes.v[i].ours == ours)
			return o->volumes.v[i].theirs;
	}
	return 0;
}

const char *
indexes_disk(const struct indexes_other *o, const struct index *here, int64_t volume)
{
	const char *words = drawer_words(&here->drawer, volume);

	return words != NULL || o == NULL ? words : drawer_words(&o->ix->drawer, indexes_theirs(o, volume));
}

int64_t
indexes_position(const struct indexes *s, int64_t ours)
{
	for (size_t i = 0; i < s->volumes.n; i++) {
		if (s->volumes.v[i].number == ours)
			return (int64_t)i + 1;
	}
	return -1;
}

int64_t
indexes_of_device(const struct indexes *s, uint64_t dev)
{
	for (size_t i = 0; i < s->volumes.n; i++) {
		if (s->volumes.v[i].here && s->volumes.v[i].dev == dev)
			return s->volumes.v[i].number;
	}
	return 0;
}

int
indexes_has_here(struct presence_view *here, const char *path, struct err *err)
{
	enum presence presence;
	struct file_row row;
	char *copy = mem_str(path);
	int ret = dirs_find_file(here->ix->db, copy, &row, err);

	if (ret == 1)
		ret = presence_row(here, &row, &presence, NULL, err) < 0 ? -1 : presence == PRESENCE_HERE;
	free(copy);
	return ret;
}

/* Find where this index has the directory at path, with stat st, at another path.  1, 0 or -1. */
static int
indexes_find_here(struct indexes_other *o, struct presence_view *here, const char *path, const struct fs_stat *st, struct err *err)
{
	int found;

	buf_cut(&o->place, 0);
	found = dirs_elsewhere(&here->dirs, path, st, &o->place, err);
	return found == 1 ? dirs_find(here->ix->db, buf_str(&o->place), &o->dir_here, err) : found;
}

/* The same by what the other index says of the directory, if its volume is here.  1, 0 or -1. */
static int
indexes_find_moved(struct indexes_other *o, struct presence_view *here, int64_t dir, const char *path, struct err *err)
{
	struct stmt st = stmt_get(o->ix->db, SQL_DIR_GET, err);
	struct fs_stat then = { .inode = 0 };
	int64_t volume;
	int ret;

	stmt_int(&st, ":dir", dir);
	ret = stmt_step(&st);
	if (ret != 1)
		return ret;
	volume = stmt_col_int(&st, 3);
	then.inode = (uint64_t)stmt_col_int(&st, 4);
	stmt_done(&st);
	for (size_t i = 0; i < o->volumes.n; i++) {
		if (o->volumes.v[i].theirs != volume || !o->volumes.v[i].here)
			continue;
		then.dev = o->volumes.v[i].dev;
		ret = indexes_find_here(o, here, path, &then, err);
		o->dir_moved = ret == 1;
		return ret;
	}
	return 0;
}

/* Find the directory of this index that is one of another, where this one lacks its path. */
static int
indexes_find_dir(struct indexes_other *o, struct presence_view *here, int64_t dir, struct err *err)
{
	struct buf path = { 0 };
	struct fs_stat st;
	int64_t same;
	int found;

	if (o->dir == dir)
		return 0;
	o->dir = o->dir_here = 0;
	o->dir_moved = false;
	found = dirs_path(&o->check.dirs, dir, &path, err) < 0 ? -1 : dirs_find(here->ix->db, buf_str(&path), &same, err);
	if (found == 0 && fs_stat_path(buf_str(&path), &st) == 0)
		found = indexes_find_here(o, here, buf_str(&path), &st, err);
	if (found == 0)
		found = indexes_find_moved(o, here, dir, buf_str(&path), err);
	buf_release(&path);
	if (found >= 0)
		o->dir = dir;
	return found < 0 ? -1 : 0;
}

int
indexes_dir_here(struct indexes_other *o, struct presence_view *here, const struct file_row *taken, int64_t *dir, const char **path,
                 struct err *err)
{
	struct file_row row;
	int known = 1;

	*dir = 0;
	/* On a file system that this index does not know it has nothing. */
	if (taken->inode.volume > SCHEMA_MAX_ID)
		return 0;
	if (indexes_find_dir(o, here, -taken->dir, err) < 0)
		return -1;
	if (o->dir_here != 0 && o->dir_moved)
		known = file_get(here->ix->db, o->dir_here, taken->name, taken->name_len, &row, err);
	if (o->dir_here == 0 || known <= 0)
		return known < 0 ? -1 : 0;
	*dir = o->dir_here;
	buf_cut(&o->path, 0);
	buf_add(&o->path, o->place.data, o->place.len);
	path_append(&o->path, taken->name, taken->name_len);
	*path = buf_str(&o->path);
	return 0;
}

int
indexes_look(struct indexes_other *o, struct presence_view *here, const struct file_row *taken, const struct presence_where *where,
             enum presence *kind, const char **path, struct err *err)
{
	struct file_row row = *taken;
	const char *at;
	int64_t dir;
	int known;

	if (o == NULL)
		return presence_member(here, taken, where, kind, path, err);
	row.dir = -row.dir;
	if (presence_member(&o->check, &row, where, kind, &at, err) < 0 || indexes_dir_here(o, here, taken, &dir, &at, err) < 0)
		return -1;
	if (path != NULL)
		*path = at;
	known = (int)presence_counts(where, at);
	if (known != PRESENCE_HERE)
		*kind = (enum presence)known;
	if (*kind != PRESENCE_CHANGED && (*kind != PRESENCE_OFFLINE || dir == 0))
		return 0;
	known = indexes_has_here(here, at, err);
	if (known == 1)
		*kind = PRESENCE_GONE;
	return known < 0 ? -1 : 0;
}

int
indexes_path(struct indexes_other *o, struct presence_view *here, const struct file_row *taken, const char **path,
             struct err *err)
{
	struct file_row row = *taken;
	int64_t dir;

	if (o == NULL)
		return presence_path(here, taken, path, err);
	row.dir = -row.dir;
	return presence_path(&o->check, &row, path, err) < 0 ? -1 : indexes_dir_here(o, here, taken, &dir, path, err);
}
