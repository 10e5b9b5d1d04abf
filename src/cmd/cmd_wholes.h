/* SPDX-License-Identifier: MIT */
/* cmd_wholes - the options of CMD_WHOLES: what belongs together, and stays so. */
#ifndef CMD_CMD_WHOLES_H
#define CMD_CMD_WHOLES_H

#include "cmd/cmd.h"

/** Check them.  Returns 0, or -1 with ERR_USAGE. */
int cmd_wholes_check(const struct cmd_wholes *w, struct err *err);

/** Tell how many files stay in wholes of these kinds, if some do. */
void cmd_wholes_tell(const struct cmd_call *c, int64_t files, unsigned kinds);

#endif
