/* SPDX-License-Identifier: MIT */
/* cmd_digest - the kinds of digests that an option names. */
#ifndef CMD_CMD_DIGEST_H
#define CMD_CMD_DIGEST_H

struct err;
struct opt_list;

/**
 * Read lists of kinds with commas between them, the values of an option, into *kinds, a
 * DIGEST_BIT() for each; none: 0.  Returns 0, or -1 with ERR_USAGE.
 */
int cmd_digest_kinds(const char *option, const struct opt_list *list, unsigned *kinds, struct err *err);

#endif
