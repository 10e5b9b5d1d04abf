/* SPDX-License-Identifier: MIT */
/* progress - one status line of a scan on a terminal, and messages that do not run into it. */
#ifndef UI_PROGRESS_H
#define UI_PROGRESS_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

#include "scan/stats.h"

/** Zero it, progress_init() it. */
struct progress {
	FILE *f;
	bool on;               /* f is a terminal and nobody wants quiet */
	bool shown;            /* a line stands there */
	int64_t start_ns;      /* monotonic */
	int64_t expected;      /* files of the last scan, or 0 */
	enum stats_phase phase;
	int64_t phase_ns;      /* when it began */
};

/** Set up for stream f; quiet shows nothing. */
void progress_init(struct progress *p, FILE *f, bool quiet, int64_t expected_files);
/** A scan hook: show the state, at most ten times a second, after half a second. */
void progress_tick(struct progress *p, enum stats_phase phase, const struct stats *counts);
/** Remove the line, before a message and at the end. */
void progress_clear(struct progress *p);

/** The columns of the terminal that f is, or 0. */
int progress_columns(FILE *f);

#endif
