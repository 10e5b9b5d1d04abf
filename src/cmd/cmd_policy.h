/* SPDX-License-Identifier: MIT */
/* cmd_policy - the [policy DIR] sections of the config file. */
#ifndef CMD_CMD_POLICY_H
#define CMD_CMD_POLICY_H

#include "trees/policy.h"

struct cmd_call;
struct cmd_paths;

/**
 * Read the policy of the config file.  Its strings are the memory's.  Returns 0, or -1 with
 * ERR_USAGE: a line is wrong, or there is no policy.
 */
int cmd_policy_read(const struct cmd_call *c, struct policy *p, struct arena *memory, struct err *err);

/**
 * Find the directories that a call is about: trees of the policy, and of its operands what lies in
 * these.  Lines about others go.  A tree that the index does not have, or that is not there, is
 * counted as not judged.  Returns 0, or -1: ERR_USAGE if no line is about the operands.
 */
int cmd_policy_dirs(const struct cmd_call *c, struct policy *p, struct cmd_paths *dirs, struct err *err);

#endif
