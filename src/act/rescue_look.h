/* SPDX-License-Identifier: MIT */
/* rescue_look - what a rescue would do, and whether there is room for it. */
#ifndef ACT_RESCUE_LOOK_H
#define ACT_RESCUE_LOOK_H

#include "act/rescue_told.h"

/**
 * Look at each file and at the name of its copy, and tell what would be done: RESCUE_PLANNED,
 * RESCUE_THERE, whose bytes were compared only if compare is set, RESCUE_TAKEN or RESCUE_FAILED.
 * Returns 0, or -1 with *err: ERR_USAGE when a copy would lie at or below away, ERR_SYS with ENOSPC
 * when TO has no room for all, ERR_INTERRUPTED.
 */
int rescue_look(const struct rescue *r, const char *away, bool compare, struct rescue_sums *sums, struct err *err);

#endif
