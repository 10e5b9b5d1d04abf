/* SPDX-License-Identifier: MIT */
#include "base/base.h"

#include "trees/tree_answer.h"

const char *const tree_states[TREE_STATES] = {
	[TREE_REDUNDANT] = "redundant", [TREE_LEANED_ON] = "leaned-on", [TREE_UNPROVEN] = "unproven", [TREE_LIVE] = "live", [TREE_ALL_BUT] = "all-but",
	[TREE_AT_RISK] = "at-risk", [TREE_FILES_AT_RISK] = "files-at-risk",
	[TREE_IN_ARCHIVE] = "in-archive", [TREE_ARCHIVE] = "archive",
};
