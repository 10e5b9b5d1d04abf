/* SPDX-License-Identifier: MIT */
/* cmd_newcomers - what came into directories of which all else is marked keep. */
#ifndef CMD_CMD_NEWCOMERS_H
#define CMD_CMD_NEWCOMERS_H

struct cmd_call;
struct index;

/** Say on msg how many files came into such directories, if some did.  Returns 0 or -1. */
int cmd_newcomers(const struct cmd_call *c, struct index *ix, struct err *err);

#endif
