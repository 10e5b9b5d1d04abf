/* SPDX-License-Identifier: MIT */
/* cmd_dirty - the paths of scan --dirty-from. */
#ifndef CMD_CMD_DIRTY_H
#define CMD_CMD_DIRTY_H

#include "scan/dirty.h"

struct cmd_call;

/** Paths to look at; zero it, cmd_dirty_read() it, cmd_dirty_release() it. */
struct cmd_dirty {
	struct dirty_path *v;   /* borrowed from the arena */
	size_t n, cap;
	struct arena arena;
};

/**
 * Read the paths in a file ("-": standard input), each ended by a NUL byte; empty ones are left
 * out.  The last component of a path is never followed as a link: the list may say that it has
 * become one.
 *
 * Returns 0, or -1: ERR_NO_PATH, ERR_SYS, ERR_INTERRUPTED.
 */
int cmd_dirty_read(const struct cmd_call *c, const char *file, struct cmd_dirty *dirty, struct err *err);
/** Free the paths. */
void cmd_dirty_release(struct cmd_dirty *dirty);

#endif
