/* SPDX-License-Identifier: MIT */
#include "base/base.h"

#include "trees/tree_answer.h"

const char *
tree_state_name(enum tree_state state)
{
	static const char *const names[TREE_STATES] = {
		[TREE_REDUNDANT] = "redundant", [TREE_LEANED_ON] = "leaned-on", [TREE_UNPROVEN] = "unproven",
		[TREE_AT_RISK] = "at-risk", [TREE_FILES_AT_RISK] = "files-at-risk",
	};

	return names[state];
}
