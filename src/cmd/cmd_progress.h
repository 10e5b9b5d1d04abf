/* SPDX-License-Identifier: MIT */
/* cmd_progress - what a command that reads files shows meanwhile: a status line, and problems. */
#ifndef CMD_CMD_PROGRESS_H
#define CMD_CMD_PROGRESS_H

#include "scan/stats.h"
#include "ui/progress.h"

struct cmd_call;
struct doc;

/** It must not move while hooks are in use. */
struct cmd_progress {
	struct stats_hooks hooks;    /* for scan_run and the like */
	struct progress line;        /* progress_clear() it before anything else is printed */
	struct doc *problems;        /* problems are added to its open list, too; or NULL */
	/* private */
	const struct cmd_call *c;
	struct stats counts;         /* of cmd_progress_count, cmd_progress_act */
};

/** Begin to show; expected_files as for progress_init. */
void cmd_progress_begin(struct cmd_progress *p, const struct cmd_call *c, int64_t expected_files);

/** Begin to show, under this word (borrowed), how many files are dealt with. */
void cmd_progress_begin_count(struct cmd_progress *p, const struct cmd_call *c, const char *word);
/** tick_fn: show it; arg is a struct cmd_progress. */
void cmd_progress_count(void *arg, int64_t done, int64_t all);

/** Begin to show, under this word (borrowed), how much of a number of files and bytes is done. */
void cmd_progress_begin_act(struct cmd_progress *p, const struct cmd_call *c, const char *word, int64_t files, int64_t bytes);
/** Show it; files and bytes are those done. */
void cmd_progress_act(struct cmd_progress *p, int64_t files, int64_t bytes);

#endif
