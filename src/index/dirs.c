/* SPDX-License-Identifier: MIT */
#include <config.h>

#include "index/dirs.h"

#include <stdlib.h>
#include <string.h>

#include "base/buf.h"
#include "base/err.h"
#include "base/mem.h"
#include "base/name.h"
#include "base/path.h"
#include "db/stmt.h"
#include "index/index.h"

/* A tree deeper than this is a cycle, that is, damage. */
#define DIRS_MAX_DEPTH 100000

struct dirs_cached {
	int64_t dir;     /* 0: free */
	char *path;      /* owned */
};

void
dirs_release(struct dirs *d)
{
	for (size_t i = 0; i < d->cap; i++)
		free(d->cache[i].path);
	free(d->cache);
	d->cache = NULL;
	d->n = d->cap = 0;
}

static struct dirs_cached *
dirs_slot(struct dirs_cached *cache, size_t cap, int64_t dir)
{
	size_t at = ((uint64_t)dir * 0x9e3779b97f4a7c15u) >> 20;

	while (cache[at % cap].dir != 0 && cache[at % cap].dir != dir)
		at++;
	return &cache[at % cap];
}

static void
dirs_grow(struct dirs *d)
{
	const size_t cap = d->cap != 0 ? d->cap * 2 : 256;
	struct dirs_cached *cache = mem_zalloc(cap, sizeof(*cache));

	for (size_t i = 0; i < d->cap; i++) {
		if (d->cache[i].dir != 0)
			*dirs_slot(cache, cap, d->cache[i].dir) = d->cache[i];
	}
	free(d->cache);
	d->cache = cache;
	d->cap = cap;
}

const char *
dirs_read_name(const struct stmt *st, int col, int64_t id, int64_t parent, size_t *len, struct err *err)
{
	const char *name = stmt_col_text(st, stmt_col_is_null(st, col + 1) ? col : col + 1, len);

	/* One that was moved aside (parent -1) has a name that begins with a slash, too. */
	if (id >= 1 && id <= INDEX_MAX_ID &&
	    (parent > 0 ? name_is_entry(name, *len) : *len > 0 && name[0] == '/' && memchr(name, '\0', *len) == NULL))
		return name;
	err_set(err, ERR_BAD_INDEX, "index '%s' is damaged: the row of directory %lld holds what it must not", st->db->path, (long long)id);
	return NULL;
}

/* Get a directory's parent and append its name as bytes. */
static int
dirs_get(struct db *db, int64_t dir, int64_t *parent, struct buf *name, struct err *err)
{
	struct stmt st = stmt_get(db, SQL_DIR_GET, err);
	const char *text;
	size_t len;
	int ret;

	stmt_int(&st, ":dir", dir);
	ret = stmt_step(&st);
	if (ret == 1) {
		*parent = stmt_col_int(&st, 0);
		text = dirs_read_name(&st, 1, dir, *parent, &len, err);
		if (text != NULL)
			buf_add(name, text, len);
		else
			ret = -1;
	}
	stmt_done(&st);
	if (ret == 0)
		return err_set(err, ERR_BAD_INDEX, "index '%s' is damaged: directory %lld is missing", db->path, (long long)dir);
	return ret < 0 ? -1 : 0;
}

const char *
dirs_path_cached(struct dirs *d, int64_t dir, struct err *err)
{
	struct buf path = { 0 }, name = { 0 };
	struct dirs_cached *slot;
	int64_t parent = 0, at = dir;
	struct { int64_t *v; size_t n, cap; } chain = { 0 };
	const char *ret = NULL;

	if (d->cap == 0)
		dirs_grow(d);
	/* Up to the nearest directory whose path is known, then down again. */
	while ((slot = dirs_slot(d->cache, d->cap, at))->dir == 0) {
		if (chain.n == chain.cap) {
			chain.cap = chain.cap * 2 + 16;
			chain.v = mem_resize(chain.v, chain.cap, sizeof(*chain.v));
		}
		chain.v[chain.n++] = at;
		buf_cut(&name, 0);
		if (chain.n > DIRS_MAX_DEPTH) {
			err_set(err, ERR_BAD_INDEX, "index '%s' is damaged: a directory lies in itself", d->db->path);
			goto out;
		}
		if (dirs_get(d->db, at, &parent, &name, err) < 0)
			goto out;
		if (parent <= 0)
			break;
		at = parent;
	}
	if (slot->dir != 0)
		buf_adds(&path, slot->path);
	while (chain.n > 0) {
		at = chain.v[--chain.n];
		buf_cut(&name, 0);
		if (dirs_get(d->db, at, &parent, &name, err) < 0)
			goto out;
		if (parent <= 0)
			buf_cut(&path, 0);
		if (parent <= 0)
			buf_add(&path, name.data, name.len);
		else
			path_append(&path, name.data, name.len);
		if (d->n * 2 >= d->cap)
			dirs_grow(d);
		slot = dirs_slot(d->cache, d->cap, at);
		*slot = (struct dirs_cached){ at, mem_dup(path.data, path.len) };
		d->n++;
	}
	ret = dirs_slot(d->cache, d->cap, dir)->path;
out:
	free(chain.v);
	buf_release(&path);
	buf_release(&name);
	return ret;
}

int
dirs_path(struct dirs *d, int64_t dir, struct buf *path, struct err *err)
{
	const char *cached = dirs_path_cached(d, dir, err);

	if (cached == NULL)
		return -1;
	buf_adds(path, cached);
	return 0;
}

void
dirs_store_name(struct buf *text, const char *name, size_t len, int64_t parent)
{
	if (name_is_utf8(name, len))
		buf_add(text, name, len);
	else if (parent != 0)
		name_store(text, name, len);
	else {
		/* A path has slashes of its own; one at the end is what no path in normal form has. */
		name_show(text, name, len);
		buf_addc(text, '/');
	}
}

static int
dirs_child(struct db *db, int64_t parent, const char *name, size_t len, int64_t *dir, struct err *err)
{
	struct stmt st = stmt_get(db, SQL_DIR_CHILD, err);
	struct buf text = { 0 };
	int ret;

	dirs_store_name(&text, name, len, parent);
	stmt_int(&st, ":parent", parent);
	stmt_text(&st, ":name", text.data, text.len);
	ret = stmt_step(&st);
	if (ret == 1)
		*dir = stmt_col_int(&st, 0);
	stmt_done(&st);
	buf_release(&text);
	return ret;
}

/* Go down from top along rest. */
static int
dirs_descend(struct db *db, int64_t top, const char *rest, int64_t *dir, struct err *err)
{
	const char *name;
	size_t len;
	int ret = 1;

	*dir = top;
	while (ret == 1 && path_next(&rest, &name, &len))
		ret = dirs_child(db, *dir, name, len, dir, err);
	return ret;
}

int
dirs_find(struct db *db, const char *path, int64_t *dir, struct err *err)
{
	struct { int64_t id; size_t len; } tops[64];
	struct stmt st = stmt_get(db, SQL_DIR_TOPS, err);
	size_t n = 0;
	int ret;

	while ((ret = stmt_step(&st)) == 1) {
		size_t len;
		const char *name = dirs_read_name(&st, 1, stmt_col_int(&st, 0), 0, &len, err);

		if (name == NULL) {
			stmt_done(&st);
			return -1;
		}
		if (n < sizeof(tops) / sizeof(tops[0]) && path_is_below(path, name)) {
			tops[n].id = stmt_col_int(&st, 0);
			tops[n++].len = len;
		}
	}
	/* Tops may lie in one another: the innermost first, which is the last of them in the order of names. */
	while (ret == 0 && n > 0) {
		n--;
		ret = dirs_descend(db, tops[n].id, path + tops[n].len, dir, err);
	}
	return ret;
}

int
dirs_forget_digest(struct db *db, int64_t dir, struct err *err)
{
	struct stmt st = stmt_get(db, SQL_DIR_DIGEST_FORGET, err);

	stmt_int(&st, ":dir", dir);
	return stmt_run(&st);
}
