/* SPDX-License-Identifier: MIT */
/* cmd_keep - what the options of CMD_CHOOSES mean: which copies stay, and where files may go. */
#ifndef CMD_CMD_KEEP_H
#define CMD_CMD_KEEP_H

#include "cmd/cmd.h"
#include "query/keep.h"

struct index;

/** Whether any was given. */
bool cmd_keep_given(const struct cmd_choice *a);

/** What they mean.  Zero it, cmd_keep_open() it, cmd_keep_release() it. */
struct cmd_keep {
	struct keep keep;
	struct cmd_paths only;     /* what is at and below these goes; none: everything */
	/* private: what keep borrows */
	struct cmd_paths protect, in, from_backup;
};

/**
 * Find out what the call asks for; every DIR must be known to ix, or there.  Returns 0, or -1:
 * ERR_USAGE, ERR_NO_PATH ...
 */
int cmd_keep_open(struct cmd_keep *k, const struct cmd_call *c, struct index *ix, struct err *err);
/** Free it. */
void cmd_keep_release(struct cmd_keep *k);

/**
 * Restrict paths, of which none lies in another, to --only: without paths its directories remain.
 * Returns 0, or -1 with ERR_USAGE: nothing remains.
 */
int cmd_keep_restrict(const struct cmd_keep *k, struct cmd_paths *paths, struct err *err);

#endif
