/* SPDX-License-Identifier: MIT */
#include "base/base.h"

#include "act/foresee.h"

#include "act/locked_dir.h"
#include "act/locked_file.h"
#include "act/refuse.h"
#include "act/verdict.h"

/* Open the first keeper that is as the index says.  Returns whether there is one. */
static bool
foresee_keeper(const struct act_group *g, struct locked_file_dirs *dirs, struct locked_file *keeper)
{
	for (size_t i = 0; i < g->n_keepers; i++) {
		struct verdict v = { .outcome = ACT_PENDING };
		const bool open = locked_file_open(keeper, g->keepers[i].path, dirs, &v) == 0;

		verdict_release(&v);
		if (open && file_same(&g->keepers[i].row, &keeper->st, g->keepers[i].trust_mtime))
			return true;
		locked_file_close(keeper);
	}
	return false;
}

/* Look at a victim as its kind of act does; without a keeper the act will say what is wrong. */
static void
foresee_victim(const struct act_file *f, enum act_kind kind, bool any_attributes, const struct locked_file *keeper,
               struct locked_file_dirs *dirs, struct verdict *v)
{
	struct locked_file victim = LOCKED_FILE_NONE;
	const int looked = act_is_link(kind) ? locked_file_open(&victim, f->path, dirs, v) : fs_stat_path(f->path, &victim.st);

	if (looked == 0)
		(void)refuse_act(kind, any_attributes, keeper, &victim, v);
	locked_file_close(&victim);
}

void
foresee_refused(struct plan *p, enum act_kind kind, bool any_attributes, plan_stay_fn *stay, void *arg)
{
	struct locked_file_dirs dirs = { 0 };

	for (size_t i = 0; i < p->groups.n; i++) {
		struct act_group *g = &p->groups.v[i];
		struct locked_file keeper = LOCKED_FILE_NONE;

		if (act_is_link(kind) && !foresee_keeper(g, &dirs, &keeper))
			continue;
		for (size_t j = 0; j < g->n; j++) {
			struct verdict v = { .outcome = ACT_PENDING };

			foresee_victim(&g->victims[j].file, kind, any_attributes, &keeper, &dirs, &v);
			g->victims[j].skip = v.outcome != ACT_PENDING;
			if (g->victims[j].skip)
				stay(arg, g->victims[j].file.path, v.outcome == ACT_STAYS ? PLAN_STAYS : PLAN_UNSURE, buf_str(&v.why));
			verdict_release(&v);
		}
		locked_file_close(&keeper);
	}
	locked_file_dirs_release(&dirs);
	plan_drop_skipped(p);
}
