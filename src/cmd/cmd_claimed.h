/* SPDX-License-Identifier: MIT */
/* cmd_claimed - contained DIR --in NAME: does who was imported say to have all files of DIR? */
#ifndef CMD_CMD_CLAIMED_H
#define CMD_CMD_CLAIMED_H

struct cmd_call;
struct opt_list;

/**
 * List the files of the one operand that no source of in ("cloud:") claims to have, and tell of how
 * many they do, by what.  Returns an answer for cmd_exit_status(): CMD_CLAIMED if all are claimed
 * with an equal digest, CMD_NO, CMD_OK where no file has content; or -1.
 */
int cmd_claimed(const struct cmd_call *c, const struct opt_list *in, struct err *err);

#endif
