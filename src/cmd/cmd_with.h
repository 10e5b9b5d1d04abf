/* SPDX-License-Identifier: MIT */
/* cmd_with - the other indexes of --with: what they know, and what they could not judge. */
#ifndef CMD_CMD_WITH_H
#define CMD_CMD_WITH_H

#include "index/gaps.h"
#include "query/indexes.h"
#include "query/list.h"

struct cmd_call;

/** Whether this index or another has the absolute path or something below it.  1, 0 or -1. */
int cmd_with_knows(const struct cmd_call *c, const char *path, struct err *err);

/**
 * Find the index that answers for an absolute path: the first that has it, else the first that has
 * something below it.  Without mine, this index is not asked.  Returns 1 with *of, NULL for this
 * index, 0 if none knows it, or -1.
 */
int cmd_with_of(const struct cmd_call *c, const char *path, bool mine, const struct indexes_other **of, struct err *err);

/**
 * Count what each index that knows an absolute path could not judge at and below it, as
 * list_count_gaps.
 */
int cmd_with_gaps(const struct cmd_call *c, const char *path, list_gap_fn *gap, void *arg, struct gaps *gaps, struct err *err);

#endif
