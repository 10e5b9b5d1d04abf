/* SPDX-License-Identifier: MIT */
/*
 * Three tables over one array: by number, by (parent, name), by (volume, inode).  Names lie in one
 * buffer.  The tables are only written when no thread walks.
 */
#include "base/base.h"

#include "scan/dirmap.h"

#include <stdatomic.h>
#include <xxhash.h>

#include "db/db.h"
#include "db/stmt.h"
#include "index/contents.h"
#include "index/dirs.h"
#include "index/fleeting.h"

enum dirmap_table { BY_ID, BY_PLACE, BY_INODE, DIRMAP_TABLES };

struct dirmap {
	VEC(struct dirmap_dir) dirs;
	struct buf names;
	struct table tables[DIRMAP_TABLES];
	_Atomic int64_t next_id;
};

static uint64_t
dirmap_hash_id(int64_t id)
{
	return table_hash((uint64_t)id, 0);
}

static uint64_t
dirmap_hash_place(int64_t parent, const char *name, size_t len)
{
	return XXH3_64bits_withSeed(name, len, (uint64_t)parent);
}

/*
 * Add a directory under its present key, unless it is there.  Its old key stays and never matches.
 */
static void
dirmap_insert(struct dirmap *map, enum dirmap_table t, const struct dirmap_dir *d)
{
	const uint64_t hash = t == BY_ID ? dirmap_hash_id(d->id) : t == BY_INODE ? inode_hash(d->inode) :
	                      dirmap_hash_place(d->parent, map->names.data + d->name, d->name_len);
	const size_t position = (size_t)(d - map->dirs.v);

	TABLE_EACH(i, &map->tables[t], hash) {
		if (i == position)
			return;
	}
	table_add(&map->tables[t], hash, position);
}

void
dirmap_reserve(struct dirmap *map, size_t n)
{
	for (int t = 0; t < DIRMAP_TABLES; t++)
		table_reserve(&map->tables[t], n);
}

/* Append a directory; the tables do not have it yet. */
static struct dirmap_dir *
dirmap_append(struct dirmap *map, int64_t id, int64_t parent, const char *name, size_t len, struct inode inode)
{
	struct dirmap_dir *d = vec_add(&map->dirs);

	memset(d, 0, sizeof(*d));
	d->id = id;
	d->parent = parent;
	d->inode = inode;
	d->name = (uint32_t)map->names.len;
	d->name_len = (uint32_t)len;
	buf_add(&map->names, name, len);
	buf_addc(&map->names, '\0');
	return d;
}

/* Add the directories from this position on to the tables. */
static void
dirmap_index(struct dirmap *map, size_t first)
{
	dirmap_reserve(map, map->dirs.n - first);
	for (size_t i = first; i < map->dirs.n; i++) {
		for (int t = 0; t < DIRMAP_TABLES; t++)
			dirmap_insert(map, (enum dirmap_table)t, &map->dirs.v[i]);
	}
}

struct dirmap_dir *
dirmap_by_id(const struct dirmap *map, int64_t id)
{
	const uint64_t hash = dirmap_hash_id(id);

	TABLE_EACH(i, &map->tables[BY_ID], hash) {
		if (map->dirs.v[i].id == id)
			return &map->dirs.v[i];
	}
	return NULL;
}

/*
 * Check that no directory lies in itself.  round[i] is 0 until a search has gone up through the
 * directory at position i, then the number of that search: one that meets its own number has found
 * a circle.
 */
static int
dirmap_check(const struct dirmap *map, const struct db *db, struct err *err)
{
	const size_t n = map->dirs.n;
	uint32_t *round = mem_zalloc(n + 1, sizeof(*round));
	int ret = 0;

	for (size_t i = 0; ret == 0 && i < n; i++) {
		const struct dirmap_dir *d = &map->dirs.v[i];

		while (d != NULL && round[d - map->dirs.v] == 0) {
			round[d - map->dirs.v] = (uint32_t)i + 1;
			d = d->parent > 0 ? dirmap_by_id(map, d->parent) : NULL;
		}
		if (d != NULL && round[d - map->dirs.v] == i + 1)
			ret = db_corrupt(db, err, "dir", d->id, NULL, "lies in itself");
	}
	free(round);
	return ret;
}

int
dirmap_load(struct dirmap **result, struct db *db, struct err *err)
{
	struct dirmap *map = mem_zalloc(1, sizeof(*map));
	struct stmt st = stmt_get(db, SQL_DIR_ALL, err);
	int64_t max = 0;
	int ret;

	while ((ret = stmt_step(&st)) == 1) {
		const int64_t id = stmt_col_int(&st, COL_DIR_ID), parent = stmt_col_int(&st, COL_DIR_PARENT);
		const struct inode inode = { stmt_col_int(&st, COL_DIR_VOLUME), stmt_col_int(&st, COL_DIR_INODE) };
		struct dirmap_dir *d;
		size_t len, digest_len;
		const char *name = dirs_read_name(&st, COL_DIR_NAME, id, parent, &len, err);
		const void *digest;

		if (name == NULL) {
			stmt_done(&st);
			ret = -1;
			break;
		}
		d = dirmap_append(map, id, parent, name, len, inode);
		digest = stmt_col_blob(&st, COL_DIR_DIGEST, &digest_len);
		d->has_digest = digest != NULL && digest_len == DIGEST_SIZE;
		if (d->has_digest)
			memcpy(d->digest, digest, DIGEST_SIZE);
		d->error = (int32_t)stmt_col_int(&st, COL_DIR_ERROR);
		if (d->id > max)
			max = d->id;
	}
	atomic_store(&map->next_id, max + 1);
	/* With their number known no table has to grow. */
	dirmap_index(map, 0);
	if (ret < 0 || dirmap_check(map, db, err) < 0) {
		dirmap_free(map);
		return -1;
	}
	*result = map;
	return 0;
}

void
dirmap_free(struct dirmap *map)
{
	if (map == NULL)
		return;
	for (int t = 0; t < DIRMAP_TABLES; t++)
		table_release(&map->tables[t]);
	vec_release(&map->dirs);
	buf_release(&map->names);
	free(map);
}

bool
dirmap_is_at(const struct dirmap *map, const struct dirmap_dir *dir, int64_t parent, const char *name, size_t len)
{
	return dir->parent == parent && dir->name_len == len && memcmp(map->names.data + dir->name, name, len) == 0;
}

struct dirmap_dir *
dirmap_by_place(const struct dirmap *map, int64_t parent, const char *name, size_t len)
{
	const uint64_t hash = dirmap_hash_place(parent, name, len);

	TABLE_EACH(i, &map->tables[BY_PLACE], hash) {
		struct dirmap_dir *d = &map->dirs.v[i];

		if (dirmap_is_at(map, d, parent, name, len))
			return d;
	}
	return NULL;
}

struct dirmap_dir *
dirmap_by_inode(const struct dirmap *map, struct inode inode, const struct dirmap_dir *after)
{
	const uint64_t hash = inode_hash(inode);
	bool behind = after == NULL;

	TABLE_EACH(i, &map->tables[BY_INODE], hash) {
		struct dirmap_dir *d = &map->dirs.v[i];

		if (behind && inode_same(d->inode, inode))
			return d;
		behind |= d == after;
	}
	return NULL;
}

struct dirmap_dir *
dirmap_by_path(const struct dirmap *map, const char *path, size_t len)
{
	struct dirmap_dir *d = NULL;

	/* A directory without parent has an absolute path for a name. */
	for (size_t base_len = len; d == NULL && base_len > 0; base_len = path_up_len(path, base_len)) {
		const char *rest = path + base_len, *name;
		size_t name_len;

		d = dirmap_by_place(map, 0, path, base_len);
		while (d != NULL && rest < path + len && path_next(&rest, &name, &name_len))
			d = dirmap_by_place(map, d->id, name, name_len);
	}
	return d;
}

bool
dirmap_claim(struct dirmap_dir *dir)
{
	return !atomic_exchange(&dir->claimed, true);
}

int64_t
dirmap_new_id(struct dirmap *map)
{
	return atomic_fetch_add(&map->next_id, 1);
}

void
dirmap_skip_ids(struct dirmap *map, int64_t last)
{
	if (last >= atomic_load(&map->next_id))
		atomic_store(&map->next_id, last + 1);
}

int64_t
dirmap_next_id(const struct dirmap *map)
{
	return atomic_load(&map->next_id);
}

void
dirmap_hang(struct dirmap *map, struct dirmap_dir *d, int64_t parent, const char *name, size_t len)
{
	if (dirmap_is_at(map, d, parent, name, len))
		return;
	d->parent = parent;
	d->name = (uint32_t)map->names.len;
	d->name_len = (uint32_t)len;
	buf_add(&map->names, name, len);
	buf_addc(&map->names, '\0');
	dirmap_insert(map, BY_PLACE, d);
}

void
dirmap_put(struct dirmap *map, int64_t id, int64_t parent, const char *name, size_t len, struct inode inode)
{
	struct dirmap_dir *d = dirmap_by_id(map, id);

	if (d == NULL) {
		d = dirmap_append(map, id, parent, name, len, inode);
		dirmap_index(map, map->dirs.n - 1);
	} else {
		const bool other_inode = !inode_same(d->inode, inode);

		dirmap_hang(map, d, parent, name, len);
		d->inode = inode;
		if (other_inode)
			dirmap_insert(map, BY_INODE, d);
	}
	atomic_store(&d->claimed, true);
}

size_t
dirmap_path(const struct dirmap *map, int64_t id, struct buf *path)
{
	VEC(const struct dirmap_dir *) chain = { 0 };
	const size_t before = path->len;
	size_t base_len = 0;
	const struct dirmap_dir *d = dirmap_by_id(map, id);

	while (d != NULL) {
		vec_push(&chain, d);
		d = d->parent > 0 ? dirmap_by_id(map, d->parent) : NULL;
	}
	while (chain.n > 0) {
		d = chain.v[--chain.n];
		if (d->parent <= 0) {
			buf_add(path, map->names.data + d->name, d->name_len);
			base_len = path->len - before;
		} else
			path_append(path, map->names.data + d->name, d->name_len);
	}
	vec_release(&chain);
	return base_len;
}

size_t
dirmap_count(const struct dirmap *map)
{
	return map->dirs.n;
}

struct dirmap_dir *
dirmap_at(const struct dirmap *map, size_t i)
{
	return &map->dirs.v[i];
}

const char *
dirmap_name(const struct dirmap *map, const struct dirmap_dir *dir)
{
	return map->names.data + dir->name;
}

/* Whether a directory is a trash by its own name; the outermost by its path. */
static bool
dirmap_is_trash(const struct dirmap *map, const struct dirmap_dir *d)
{
	const struct dirmap_dir *up;
	const char *name = dirmap_name(map, d), *parent;

	if (d->parent <= 0)
		return (fleeting_of_path(name) & FLEETING_TRASH) != 0;
	/* Most names rule it out in any parent. */
	if (!path_is_trash(name, d->name_len, "Trash", strlen("Trash")))
		return false;
	up = dirmap_by_id(map, d->parent);
	parent = up != NULL ? path_base(dirmap_name(map, up)) : "";
	return path_is_trash(name, d->name_len, parent, strlen(parent));
}

void
dirmap_find_trash(const struct dirmap *map, struct contents_without *without)
{
	uint8_t *is = bits_new(dirmap_count(map));
	bool any = false;

	for (size_t i = 0; i < dirmap_count(map); i++) {
		if (dirmap_is_trash(map, dirmap_at(map, i))) {
			bits_set(is, i, true);
			any = true;
		}
	}
	for (size_t i = 0; any && i < dirmap_count(map); i++) {
		const struct dirmap_dir *d = dirmap_at(map, i), *up = d;

		while (up != NULL && !bits_has(is, (size_t)(up - map->dirs.v)))
			up = dirmap_by_id(map, up->parent);
		if (up != NULL)
			vec_push(&without->dirs, d->id);
	}
	if (without->dirs.n > 1)
		qsort(without->dirs.v, without->dirs.n, sizeof(*without->dirs.v), order_cmp_int64);
	free(is);
}
