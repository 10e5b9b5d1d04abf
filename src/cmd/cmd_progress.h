/* SPDX-License-Identifier: MIT */
/* cmd_progress - what a command that reads files shows meanwhile: a status line, and problems. */
#ifndef CMD_CMD_PROGRESS_H
#define CMD_CMD_PROGRESS_H

#include <stdint.h>

#include "scan/stats.h"
#include "ui/progress.h"

struct cmd_call;

/** It must not move while hooks are in use. */
struct cmd_progress {
	struct stats_hooks hooks;    /* for scan_run and the like */
	struct progress line;        /* progress_clear() it before anything else is printed */
	/* private */
	const struct cmd_call *c;
};

/** Begin to show; expected_files as for progress_init. */
void cmd_progress_begin(struct cmd_progress *p, const struct cmd_call *c, int64_t expected_files);

#endif
