/* SPDX-License-Identifier: MIT */
#include "base/base.h"

#include "cmd/cmd_sums.h"

#include "cmd/cmd.h"
#include "index/index.h"
#include "index/roots.h"
#include "query/dirtree.h"
#include "query/usage.h"

static int
cmd_sums_load(struct cmd_sums *s, const struct cmd_call *c, const char *path, bool look,
              bool divide, struct err *err)
{
	const char *top = path != NULL ? path : "/", *asked = look ? top : NULL;
	struct usage_query q;
	struct usage **kept;
	struct buf in = { 0 };
	bool trash;

	/* Whether it is a trash, or lies in one: what is in "Trash" lies in its "files". */
	buf_addf(&in, "%s/files/name", path != NULL ? path : "");
	trash = path_trash_len(buf_str(&in)) > 0;
	buf_release(&in);
	kept = c->target->exclude.n == 0 && c->ix == c->env->ix && c->globals->backups == c->env->globals.backups && look && !divide &&
	       !trash ? c->env->usage : NULL;
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
	q = (struct usage_query){ .exclude = c->target->exclude.v, .n_exclude = c->target->exclude.n, .asked = asked,
	                          .meant = trash ? path : NULL, .divided = divide ? top : NULL };
	if (usage_load(&s->u, c->ix, &q, err) < 0)
		return -1;
	if (kept != NULL)
		*kept = s->u;
	return 0;
}

int
cmd_sums_open(struct cmd_sums *s, const struct cmd_call *c, const char *path, bool look,
              bool divide, struct err *err)
{
	const struct dirtree *dirs;
	struct roots roots = { 0 };

	*s = (struct cmd_sums){ .dir = DIRTREE_NONE };
	if (cmd_sums_load(s, c, path, look, divide, err) < 0 || (path == NULL && roots_load(&roots, c->ix->db, err) < 0))
		return -1;
	dirs = usage_dirs(s->u);
	if (path != NULL)
		s->dir = dirtree_find(dirs, path);
	/* Of the whole index: the lowest directory that all roots are, or are below. */
	s->n_roots = roots.n;
	for (size_t i = 0; i < roots.n; i++) {
		const uint32_t root = dirtree_find(dirs, roots.v[i].path);

		if (root != DIRTREE_NONE)
			s->dir = s->dir == DIRTREE_NONE ? root : dirtree_common(dirs, s->dir, root);
	}
	roots_release(&roots);
	return 0;
}

void
cmd_sums_close(struct cmd_sums *s)
{
	if (!s->keeps)
		usage_free(s->u);
	s->u = NULL;
}
