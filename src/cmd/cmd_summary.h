/* SPDX-License-Identifier: MIT */
/* cmd_summary - the first screen of report: the answer, where most of it lies, what to do next. */
#ifndef CMD_CMD_SUMMARY_H
#define CMD_CMD_SUMMARY_H

struct cmd_call;
struct set_totals;
struct sets_query;

/**
 * Print it, of what the query asks for, which names at most one directory; *totals are those of
 * its sets.
 *
 * Returns 1; 0 with nothing printed where a listing is as short; or -1.
 */
int cmd_summary(const struct cmd_call *c, const struct sets_query *q, struct set_totals *totals,
                struct err *err);

#endif
