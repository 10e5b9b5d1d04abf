/* SPDX-License-Identifier: MIT */
/*
 * Hides how a former tree is made of the rows and of the entries in dir_before: after run N a
 * directory was where the first entry of a later run has it, and where it is now if none does.
 * A directory with the number of a later run's new ones, or a larger one, did not exist.
 */
#include "base/base.h"

#include "query/changes_dirs.h"

#include "db/db.h"
#include "db/stmt.h"
#include "index/dirs.h"
#include "sys/stop.h"

/* FNV-1a: it goes on from a directory's path to those below. */
#define CHANGES_HASH_START 0xcbf29ce484222325u
#define CHANGES_HASH_PRIME 0x100000001b3u

static uint64_t
changes_hash(uint64_t hash, const char *text, size_t len)
{
	for (size_t i = 0; i < len; i++)
		hash = (hash ^ (unsigned char)text[i]) * CHANGES_HASH_PRIME;
	return hash;
}

/* Read a place from the columns parent, name, name_raw. */
static int
changes_place_read(struct changes_dirs *d, const struct stmt *st, int col, int64_t id, struct changes_place *p, struct err *err)
{
	const int64_t parent = stmt_col_int(st, col);
	const char *name;
	size_t len;

	*p = (struct changes_place){ .parent = parent };
	/* A run that was cut off has left it without a place. */
	if (parent < 0)
		return 0;
	name = dirs_read_name(st, col + 1, id, parent, &len, err);
	if (name == NULL)
		return -1;
	*p = (struct changes_place){ .parent = parent, .name = arena_dup(&d->names, name, len), .name_len = len, .is = true };
	return 0;
}

/* The directories of the index as they are. */
static int
changes_dirs_now(struct changes_dirs *d, struct db *db, struct err *err)
{
	struct stmt st = stmt_get(db, SQL_DIR_TREE, err);
	int ret;

	while ((ret = stmt_step(&st)) == 1) {
		struct changes_dir dir = { .id = stmt_col_int(&st, 0) };

		if (stop_check(err) < 0 || changes_place_read(d, &st, 1, dir.id, &dir.at[CHANGES_AFTER], err) < 0) {
			stmt_done(&st);
			return -1;
		}
		dir.at[CHANGES_BEFORE] = dir.at[CHANGES_AFTER];
		vec_push(&d->v, dir);
	}
	return ret;
}

/* Apply the entries: of each directory the first behind a run counts. */
static int
changes_dirs_entries(struct changes_dirs *d, struct db *db, const int64_t runs[CHANGES_TIMES], struct err *err)
{
	struct stmt st = stmt_get(db, SQL_BEFORE_PLACES, err);
	const size_t n_now = d->v.n;
	VEC(struct changes_dir) gone = { 0 };
	int64_t last = 0;
	bool later = false;
	int ret;

	stmt_int(&st, ":run", runs[CHANGES_BEFORE]);
	while ((ret = stmt_step(&st)) == 1) {
		const int64_t id = stmt_col_int(&st, 0), run = stmt_col_int(&st, 1);
		struct changes_place place;
		struct changes_dir *dir;
		size_t at;

		ORDER_FIRST(at, n_now, d->v.v[at].id < id);
		if (changes_place_read(d, &st, 2, id, &place, err) < 0) {
			ret = -1;
			break;
		}
		if (at == n_now || d->v.v[at].id != id) {
			if (id != last)
				vec_push(&gone, ((struct changes_dir){ .id = id }));
			dir = &gone.v[gone.n - 1];
		} else
			dir = &d->v.v[at];
		if (id != last) {
			dir->at[CHANGES_BEFORE] = place;
			later = false;
		}
		if (!later && run > runs[CHANGES_AFTER]) {
			dir->at[CHANGES_AFTER] = place;
			later = true;
		}
		last = id;
	}
	stmt_done(&st);
	for (size_t i = 0; i < gone.n; i++)
		vec_push(&d->v, gone.v[i]);
	vec_release(&gone);
	return ret;
}

static int
changes_dirs_cmp(const void *a, const void *b)
{
	ORDER_CMP(((const struct changes_dir *)a)->id, ((const struct changes_dir *)b)->id);
	return 0;
}

/* The smallest number of a directory that is new behind run. */
static int
changes_dirs_born(struct db *db, int64_t run, int64_t *born, struct err *err)
{
	struct stmt st = stmt_get(db, SQL_BEFORE_BORN, err);
	int ret;

	stmt_int(&st, ":run", run);
	ret = stmt_step(&st);
	*born = ret == 1 && !stmt_col_is_null(&st, 0) ? stmt_col_int(&st, 0) : INT64_MAX;
	stmt_done(&st);
	return ret < 0 ? -1 : 0;
}

int
changes_dirs_load(struct changes_dirs *d, struct db *db, const int64_t runs[CHANGES_TIMES], struct err *err)
{
	if (changes_dirs_now(d, db, err) < 0 || changes_dirs_entries(d, db, runs, err) < 0)
		return -1;
	if (d->v.n > 1)
		qsort(d->v.v, d->v.n, sizeof(*d->v.v), changes_dirs_cmp);
	for (int t = 0; t < CHANGES_TIMES; t++) {
		if (changes_dirs_born(db, runs[t], &d->born[t], err) < 0)
			return -1;
		for (size_t i = d->v.n; i > 0 && d->v.v[i - 1].id >= d->born[t]; i--)
			d->v.v[i - 1].at[t].is = false;
	}
	return 0;
}

void
changes_dirs_release(struct changes_dirs *d)
{
	vec_release(&d->v);
	vec_release(&d->chain);
	arena_release(&d->names);
}

size_t
changes_dirs_find(const struct changes_dirs *d, int64_t id)
{
	size_t at;

	ORDER_FIRST(at, d->v.n, d->v.v[at].id < id);
	return at < d->v.n && d->v.v[at].id == id ? at : CHANGES_NO_DIR;
}

size_t
changes_dirs_up(const struct changes_dirs *d, size_t i, int time)
{
	const struct changes_place *p = &d->v.v[i].at[time];

	return p->parent > 0 ? changes_dirs_find(d, p->parent) : CHANGES_NO_DIR;
}

/*
 * Collect the directories from i upwards, until one whose path is hashed if hashed; a damaged
 * index may have a circle of them.
 */
static void
changes_dirs_climb(struct changes_dirs *d, size_t i, int time, bool hashed)
{
	d->chain.n = 0;
	while (i != CHANGES_NO_DIR && d->chain.n <= d->v.n && !(hashed && d->v.v[i].at[time].hashed)) {
		vec_push(&d->chain, i);
		i = changes_dirs_up(d, i, time);
	}
}

void
changes_dirs_path(struct changes_dirs *d, size_t i, int time, struct buf *path)
{
	changes_dirs_climb(d, i, time, false);
	for (size_t n = d->chain.n; n > 0; n--) {
		const struct changes_place *p = &d->v.v[d->chain.v[n - 1]].at[time];

		if (p->parent > 0)
			path_append(path, p->name, p->name_len);
		else if (p->name != NULL)
			buf_add(path, p->name, p->name_len);
	}
}

uint64_t
changes_dirs_hash_name(uint64_t dir, const char *name, size_t len)
{
	return changes_hash(changes_hash(dir, "/", 1), name, len);
}

uint64_t
changes_dirs_hash(struct changes_dirs *d, size_t i, int time)
{
	changes_dirs_climb(d, i, time, true);
	for (size_t n = d->chain.n; n > 0; n--) {
		struct changes_place *p = &d->v.v[d->chain.v[n - 1]].at[time];
		const size_t up = changes_dirs_up(d, d->chain.v[n - 1], time);

		if (up != CHANGES_NO_DIR)
			p->hash = changes_dirs_hash_name(d->v.v[up].at[time].hash, p->name, p->name_len);
		else if (p->name != NULL)
			p->hash = changes_hash(CHANGES_HASH_START, p->name, p->name_len == 1 ? 0 : p->name_len);
		p->hashed = true;
	}
	return d->v.v[i].at[time].hash;
}
