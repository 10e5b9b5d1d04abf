/* SPDX-License-Identifier: MIT */
#include "base/base.h"

#include "act/refuse.h"

#include "act/link.h"
#include "act/locked_file.h"
#include "act/verdict.h"
#include "sys/attrs.h"

int
refuse_act(enum act_kind kind, bool any_attributes, const struct locked_file *keeper, const struct locked_file *victim, struct verdict *v)
{
	const bool keeps_inode = kind == ACT_REFLINK || kind == ACT_TRASH;

	if (act_is_link(kind) && link_check(kind, any_attributes, keeper, victim, v) < 0)
		return -1;
	return keeps_inode || attrs_may_give(victim->st.uid, victim->st.gid) ? 0 :
	       verdict_set(v, ACT_STAYS, "undo could not restore its owner and group");
}
