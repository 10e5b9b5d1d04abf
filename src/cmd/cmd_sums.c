/* SPDX-License-Identifier: MIT */
#include <config.h>

#include "cmd/cmd_sums.h"

#include "cmd/cmd.h"
#include "cmd/cmd_paths.h"
#include "index/index.h"
#include "index/roots.h"
#include "query/dirtree.h"
#include "query/usage.h"

int
cmd_sums_load(const struct cmd_call *c, const struct cmd_paths *exclude, const char *asked, struct usage **u, bool *keeps,
              struct err *err)
{
	struct usage **kept = exclude->n == 0 && c->ix == c->env->ix && asked != NULL ? c->env->usage : NULL;

	*keeps = kept != NULL;
	if (kept != NULL && *kept != NULL) {
		const uint32_t dir = dirtree_find(usage_dirs(*kept), asked);

		if (dir == DIRTREE_NONE || usage_asked(*kept, dir)) {
			*u = *kept;
			return 0;
		}
		usage_free(*kept);
		*kept = NULL;
	}
	if (usage_load_without(u, c->ix, (const char *const *)exclude->v, exclude->n, asked, err) < 0)
		return -1;
	if (kept != NULL)
		*kept = *u;
	return 0;
}

int
cmd_sums_dir(const struct cmd_call *c, const struct usage *u, const char *path, uint32_t *dir, size_t *n_roots, struct err *err)
{
	const struct dirtree *dirs = usage_dirs(u);
	struct roots roots = { 0 };

	*n_roots = 0;
	*dir = path != NULL ? dirtree_find(dirs, path) : DIRTREE_NONE;
	if (path != NULL)
		return 0;
	if (roots_load(&roots, c->ix->db, err) < 0)
		return -1;
	*n_roots = roots.n;
	for (size_t i = 0; i < roots.n; i++) {
		const uint32_t root = dirtree_find(dirs, roots.v[i].path);

		if (root != DIRTREE_NONE)
			*dir = *dir == DIRTREE_NONE ? root : dirtree_common(dirs, *dir, root);
	}
	roots_release(&roots);
	return 0;
}
