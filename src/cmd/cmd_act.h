/* SPDX-License-Identifier: MIT */
/* cmd_act - what commands do that act on files: plan, ask, act, and tell; or write a script. */
#ifndef CMD_CMD_ACT_H
#define CMD_CMD_ACT_H

#include "act/act.h"

struct cmd_call;

/** The options. */
struct cmd_act_args {
	bool recursive, dry_run, interactive, yes, marked, hidden;
	bool prune, trash;                         /* of rm */
	bool trust_cache;                          /* of rm and link */
	bool hard, soft, reflink, any_attributes;  /* of link */
	bool portable;                             /* of rmsh, with hard, soft and reflink */
	const char *plan;                          /* of rm and link: the document to act on */
};

/**
 * Run a command whose arguments are struct cmd_act_args, for a kind of act; script: nothing is
 * done, what would be is written as a script.  Returns an exit status, or -1 with *err.
 */
int cmd_act_run(const struct cmd_call *c, enum act_kind kind, bool script, struct err *err);

#endif
