/* SPDX-License-Identifier: MIT */
/* cmd_page - report --html: a report as a page, in a file. */
#ifndef CMD_CMD_PAGE_H
#define CMD_CMD_PAGE_H

struct cmd_call;
struct set_totals;
struct sets_query;

/**
 * Write the page to file ("-": standard output), of what the query asks for, which names at most
 * one directory and counts gaps in the call's verdict.  A regular file is replaced as a whole,
 * anything else is written to.
 *
 * Returns 0 with *totals, those of the sets, or -1: ERR_USAGE for a file of the index, ...
 */
int cmd_page(const struct cmd_call *c, const struct sets_query *q, const char *file,
             struct set_totals *totals, struct err *err);

#endif
