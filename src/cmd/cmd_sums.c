/* SPDX-License-Identifier: MIT */
#include <config.h>

#include "cmd/cmd_sums.h"

#include "cmd/cmd.h"
#include "cmd/cmd_paths.h"
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
