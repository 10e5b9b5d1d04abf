/* SPDX-License-Identifier: MIT */
#include "base/base.h"

#include "cmd/cmd_sums.h"

#include "cmd/cmd.h"
#include "index/index.h"
#include "index/roots.h"
#include "query/dirtree.h"
#include "query/usage.h"

/* Whether a directory is a trash, or lies in one. */
static bool
cmd_sums_is_trash(const char *path)
{
	struct buf in = { 0 };
	bool is;

	/* What is in "Trash" lies in its "files". */
	buf_addf(&in, "%s/files/name", path);
	is = path_trash_len(buf_str(&in)) > 0;
	buf_release(&in);
	return is;
}

static int
cmd_sums_load(struct cmd_sums *s, const struct cmd_call *c, const char *path, bool look,
              struct err *err)
{
	const char *asked = !look ? NULL : path != NULL ? path : "/";
	const bool trash = path != NULL && cmd_sums_is_trash(path);
	struct usage **kept = c->target->exclude.n == 0 && c->ix == c->env->ix && look && !trash ? c->env->usage : NULL;

	if (kept != NULL && *kept != NULL) {
		const uint32_t dir = dirtree_find(usage_dirs(*kept), asked);

		if (dir != DIRTREE_NONE && !usage_asked(*kept, dir)) {
			usage_free(*kept);
			*kept = NULL;
		}
	}
	s->keeps = kept != NULL;
	s->u = kept != NULL ? *kept : NULL;
	if (s->u != NULL)
		return 0;
	if (usage_load_without(&s->u, c->ix, c->target->exclude.v, c->target->exclude.n, asked, trash ? path : NULL, false, err) < 0)
		return -1;
	if (kept != NULL)
		*kept = s->u;
	return 0;
}

/* The lowest directory that all roots are, or are below. */
static int
cmd_sums_roots(struct cmd_sums *s, const struct cmd_call *c, struct err *err)
{
	const struct dirtree *dirs = usage_dirs(s->u);
	struct roots roots = { 0 };

	if (roots_load(&roots, c->ix->db, err) < 0)
		return -1;
	s->n_roots = roots.n;
	for (size_t i = 0; i < roots.n; i++) {
		const uint32_t root = dirtree_find(dirs, roots.v[i].path);

		if (root != DIRTREE_NONE)
			s->dir = s->dir == DIRTREE_NONE ? root : dirtree_common(dirs, s->dir, root);
	}
	roots_release(&roots);
	return 0;
}

int
cmd_sums_open(struct cmd_sums *s, const struct cmd_call *c, const char *path, bool look,
              struct err *err)
{
	*s = (struct cmd_sums){ .dir = DIRTREE_NONE };
	if (cmd_sums_load(s, c, path, look, err) < 0)
		return -1;
	if (path == NULL)
		return cmd_sums_roots(s, c, err);
	s->dir = dirtree_find(usage_dirs(s->u), path);
	return 0;
}

void
cmd_sums_close(struct cmd_sums *s)
{
	if (!s->keeps)
		usage_free(s->u);
	s->u = NULL;
}
