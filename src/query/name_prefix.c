/* SPDX-License-Identifier: MIT */
/*
 * A name counts once one of its places still has it, at or below the path.  Somebody waits for Tab:
 * after NAME_PREFIX_LOOKS places the rest is left to "more".
 */
#include "base/base.h"

#include "query/name_prefix.h"

#include "db/stmt.h"
#include "index/dirs.h"
#include "index/index.h"
#include "index/name_index.h"

/* Places looked at, at most: some ten milliseconds. */
#define NAME_PREFIX_LOOKS 4000

struct name_prefix {
	struct prefix *names;
	struct index *ix;
	const struct prefix_query *q;
	struct dirs dirs;
	struct buf path;
	size_t before, looks;
	struct err *err;
};

/* Whether a directory has a file of that name.  Returns 1, 0 or -1. */
static int
name_prefix_has_file(struct name_prefix *p, int64_t dir, const char *name, size_t len)
{
	struct stmt st = stmt_get(p->ix->db, SQL_FILE_SIZE_AT, p->err);
	struct buf stored = { 0 };
	int ret;

	name_store(&stored, name, len);
	stmt_int(&st, ":dir", dir);
	stmt_text(&st, ":name", buf_str(&stored), stored.len);
	ret = stmt_step(&st);
	stmt_done(&st);
	buf_release(&stored);
	return ret;
}

/* Whether a place still has the name, and lies where it is asked for.  Returns 1, 0 or -1. */
static int
name_prefix_holds(struct name_prefix *p, const char *name, size_t len, int64_t dir, bool is_dir)
{
	struct err gone = { 0 };

	buf_cut(&p->path, 0);
	if (dirs_path(&p->dirs, dir, &p->path, &gone) < 0)
		return 0;
	if (path_below(buf_str(&p->path), p->q->path) == NULL)
		return 0;
	return is_dir ? strcmp(path_base(buf_str(&p->path)), name) == 0 : name_prefix_has_file(p, dir, name, len);
}

/* name_index_fn: add a name, unless another place has done so.  Returns 1 when it is enough. */
static int
name_prefix_place(void *arg, const char *name, size_t len, int64_t dir, bool is_dir)
{
	struct name_prefix *p = arg;
	struct prefix *names = p->names;
	int ret;

	if (names->n > p->before && strcmp(names->v[names->n - 1].name, name) == 0)
		return 0;
	if (p->looks++ == NAME_PREFIX_LOOKS || names->n - p->before >= p->q->max) {
		names->more = true;
		return 1;
	}
	ret = name_prefix_holds(p, name, len, dir, is_dir);
	if (ret == 1)
		vec_push(names, ((struct name_found){ mem_dup(name, len), false, NULL }));
	return ret < 0 ? -1 : 0;
}

int
name_prefix_load(struct prefix *names, struct index *ix, const struct prefix_query *q, struct err *err)
{
	struct name_prefix p = { .names = names, .ix = ix, .q = q, .dirs = { .db = ix->db, .paths_only = true }, .before = names->n, .err = err };
	char *begin = mem_dup(q->prefix, q->prefix_len);
	int ret = 0;

	if (ix->names && q->prefix_len > 0)
		ret = name_index_each(ix->db, &(struct name_index_query){ .begin = begin, .part = "" }, name_prefix_place, &p, err);
	free(begin);
	dirs_release(&p.dirs);
	buf_release(&p.path);
	return ret < 0 ? -1 : 0;
}
