/* SPDX-License-Identifier: MIT */
/* refuse - which files a kind of act is not for, whatever their bytes are. */
#ifndef ACT_REFUSE_H
#define ACT_REFUSE_H

#include "act/act.h"

struct locked_file;
struct verdict;

/**
 * Check that an act may be done to a victim: that undo could give it its owner and group back,
 * unless it keeps its inode, and that it may become a link (link_check).  Of what goes, nothing
 * but the stat of the victim is looked at.  Returns 0, or -1 with the verdict.
 */
int refuse_act(enum act_kind kind, bool any_attributes, const struct locked_file *keeper, const struct locked_file *victim, struct verdict *v);

#endif
