/* SPDX-License-Identifier: MIT */
/* foresee - what an act would refuse of a plan. */
#ifndef ACT_FORESEE_H
#define ACT_FORESEE_H

#include "act/plan.h"

/**
 * Take out of a plan what the act itself would refuse, as far as that is known without comparing
 * and writing (refuse_act), and tell why it stays.
 */
void foresee_refused(struct plan *p, enum act_kind kind, bool any_attributes, plan_stay_fn *stay, void *arg);

#endif
