/* SPDX-License-Identifier: MIT */
/* cmd_verdict - the exit status and the verdict of an answer: one precedence for all commands. */
#ifndef CMD_CMD_VERDICT_H
#define CMD_CMD_VERDICT_H

#include "index/gaps.h"

struct cmd_call;

/**
 * Compose the exit status of a question: of several reasons the gravest counts.  missing: a path
 * that was named does not exist; left, gaps: CMD_OK, or CMD_PARTLY because a scan is unfinished or
 * something was not judged; answer: what the files themselves lead to.  A left of -1 stays.
 * Scans and validate are no questions: corrupt contents are graver than what they left undone.
 */
int cmd_verdict_status(bool missing, int left, int gaps, int answer);

/**
 * Count things that were not judged, and were told of otherwise than by cmd_gaps(), for the end of
 * JSON.  Returns CMD_PARTLY if n is above 0, else CMD_OK.
 */
int cmd_not_judged(const struct cmd_call *c, enum gap gap, int64_t n);

/**
 * Warn about files whose signatures cannot prove that they were not rewritten (index/timeless), in
 * an answer by which files may go.  status is the exit status without them, or -1, which stays.
 * Returns the exit status.
 */
int cmd_timeless(const struct cmd_call *c, int status);

/** Report on msg how many files lie in a trash and do not count as copies, if any. */
void cmd_trash(const struct cmd_call *c, int64_t n);
/** Report on msg how many files have only copies that may go by themselves, if any, and why. */
void cmd_fleeting(const struct cmd_call *c, int64_t n, unsigned why);

#endif
