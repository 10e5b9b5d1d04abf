/* SPDX-License-Identifier: MIT */
/* cmd_sums - the sums of all directories, which a shell keeps between commands. */
#ifndef CMD_CMD_SUMS_H
#define CMD_CMD_SUMS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

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

/**
 * The directory that a question is about: the one at path, or, where that is NULL, the lowest one
 * above all roots, of which *n_roots says how many there are.  Returns 0 with *dir, DIRTREE_NONE
 * for a file, or -1.
 */
int cmd_sums_dir(const struct cmd_call *c, const struct usage *u, const char *path, uint32_t *dir, size_t *n_roots, struct err *err);

#endif
