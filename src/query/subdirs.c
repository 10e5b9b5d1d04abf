/* SPDX-License-Identifier: MIT */
#include "base/base.h"

#include "query/subdirs.h"

#include "db/stmt.h"
#include "index/dirs.h"

void
subdirs_release(struct subdirs *s)
{
	for (size_t i = 0; i < s->n; i++)
		free(s->v[i].name);
	vec_release(s);
}

int
subdirs_load(struct subdirs *s, struct db *db, int64_t dir, struct err *err)
{
	struct stmt st = stmt_get(db, SQL_DIR_CHILDREN, err);
	int ret;

	assert(dir != 0);
	stmt_int(&st, ":parent", dir);
	while ((ret = stmt_step(&st)) == 1) {
		const int64_t id = stmt_col_int(&st, 0);
		size_t len;
		const char *name = dirs_read_name(&st, 1, id, dir, &len, err);

		if (name == NULL) {
			stmt_done(&st);
			return -1;
		}
		vec_push(s, ((struct subdir){ id, mem_dup(name, len) }));
	}
	return ret;
}

int
subdirs_load_tops(struct subdirs *tops, struct db *db, const char *path, int64_t but, struct err *err)
{
	struct stmt st = stmt_get(db, SQL_DIR_TOPS, err);
	int ret;

	assert(tops->n == 0);
	while ((ret = stmt_step(&st)) == 1) {
		const int64_t id = stmt_col_int(&st, 0);
		size_t len;
		const char *top = dirs_read_name(&st, 1, id, 0, &len, err);

		if (top == NULL) {
			stmt_done(&st);
			return -1;
		}
		if (id != but && path_is_below(top, path))
			vec_push(tops, ((struct subdir){ id, mem_dup(top, len) }));
	}
	subdirs_sort(tops);
	return ret;
}

const struct subdir *
subdirs_next_top(const struct subdirs *tops, const char *path, const struct subdir *after)
{
	const size_t len = strlen(path);
	size_t at = 0;

	if (after != NULL)
		at = (size_t)(after - tops->v) + 1;
	else
		ORDER_FIRST(at, tops->n, strcmp(tops->v[at].name, path) <= 0);
	/* Those that begin with path come together; "/a b" among them is not below "/a". */
	for (; at < tops->n && strncmp(tops->v[at].name, path, len) == 0; at++) {
		if (path_is_below(tops->v[at].name, path))
			return &tops->v[at];
	}
	return NULL;
}

void
subdirs_add_tops(struct subdirs *s, const struct subdirs *tops, const char *path)
{
	for (const struct subdir *top = NULL; (top = subdirs_next_top(tops, path, top)) != NULL;) {
		const char *rest = path_below(top->name, path), *name;
		size_t len;

		if (path_next(&rest, &name, &len))
			vec_push(s, ((struct subdir){ *rest == '\0' ? top->id : 0, mem_dup(name, len) }));
	}
}

static int
subdirs_cmp(const void *a, const void *b)
{
	const struct subdir *x = a, *y = b;
	const int cmp = strcmp(x->name, y->name);

	return cmp != 0 ? cmp : (x->id == 0) - (y->id == 0);
}

void
subdirs_sort(struct subdirs *s)
{
	size_t n = 0;

	if (s->n > 1)
		qsort(s->v, s->n, sizeof(*s->v), subdirs_cmp);
	for (size_t i = 0; i < s->n; i++) {
		if (n > 0 && strcmp(s->v[n - 1].name, s->v[i].name) == 0)
			free(s->v[i].name);
		else
			s->v[n++] = s->v[i];
	}
	s->n = n;
}

bool
subdirs_has(const struct subdirs *s, const char *name)
{
	size_t at;

	ORDER_FIRST(at, s->n, strcmp(s->v[at].name, name) < 0);
	return at < s->n && strcmp(s->v[at].name, name) == 0;
}
