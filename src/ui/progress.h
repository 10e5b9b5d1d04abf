/* SPDX-License-Identifier: MIT */
/* progress - how far a command is: one line on a terminal that no message runs into, or a log. */
#ifndef UI_PROGRESS_H
#define UI_PROGRESS_H

#include "scan/stats.h"

/** Values of --progress. */
enum progress_when { PROGRESS_AUTO, PROGRESS_PLAIN, PROGRESS_NEVER };
/** Their words, NULL at the end. */
extern const char *const progress_words[];

/** Zero it, progress_init() it. */
struct progress {
	FILE *f;
	int64_t period_ns;     /* between two lines; 0: only on a signal */
	bool plain;            /* lines for a log; else one that stands on a terminal */
	bool shown;            /* it stands there */
	int64_t expected;      /* files of the last scan, or 0 */
	const char *act;       /* what STATS_ACT and STATS_COUNT are called */
	enum stats_phase phase;
	int64_t phase_ns;      /* when it began, monotonic; 0: none has */
	int64_t due_ns;        /* when the next line is to come */
};

/**
 * Set up for stream f.  With PROGRESS_AUTO one line is shown if f is a terminal; with
 * PROGRESS_PLAIN a line is written as each phase begins, and every ten seconds.
 */
void progress_init(struct progress *p, FILE *f, enum progress_when when, int64_t expected_files);
/**
 * A scan hook: show the state, on a terminal at most ten times a second, after half a second; and,
 * in a line that stays, whenever a signal has asked (sys/status_signal).
 */
void progress_tick(struct progress *p, enum stats_phase phase, const struct stats *counts);
/** Remove the line of a terminal, before a message and at the end. */
void progress_clear(struct progress *p);

/** The columns of the terminal that f is, or 0. */
int progress_columns(FILE *f);

#endif
