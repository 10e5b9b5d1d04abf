/* SPDX-License-Identifier: MIT */
/* cmd_sums - the sums of all directories, which a shell keeps between commands. */
#ifndef CMD_CMD_SUMS_H
#define CMD_CMD_SUMS_H

#include <stdbool.h>

struct cmd_call;
struct cmd_paths;
struct err;
struct usage;

/**
 * Load the sums as if what is excluded did not exist, or take those that the shell has kept.
 * Those of the directory asked and below it count what copies share; NULL: none need to.
 *
 * Returns 0 with *u, of which *keeps says that it is not the caller's to free, or -1.
 */
int cmd_sums_load(const struct cmd_call *c, const struct cmd_paths *exclude, const char *asked, struct usage **u, bool *keeps,
                  struct err *err);

#endif
