/* SPDX-License-Identifier: MIT */
/* link_groups - a plan for links within volumes: its groups cut by the volumes of their files. */
#ifndef ACT_LINK_GROUPS_H
#define ACT_LINK_GROUPS_H

#include "act/plan.h"

/**
 * Let victims have a keeper of their own volume first.  For hard links, where their volume has no
 * keeper and several victims, the last victim by path becomes the keeper, of which stay is told.
 * A victim that is alone on its volume keeps its keepers: the act finds out.  Where no act follows
 * (untried), a hard link to another volume is told to stay instead, and it is no victim any more.
 */
void link_groups(struct plan *p, enum act_kind kind, bool untried, plan_stay_fn *stay, void *arg);

#endif
