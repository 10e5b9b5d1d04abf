/* SPDX-License-Identifier: MIT */
/* cmd_since - which states of the index a question compares, and what the history lacks of them. */
#ifndef CMD_CMD_SINCE_H
#define CMD_CMD_SINCE_H

struct cmd_call;
struct cmd_paths;

/** The states of a call. */
struct cmd_since {
	const struct cmd_call *c;
	const struct cmd_paths *below; /* what is asked about; none: all */
	int64_t from, to;              /* after these runs; CHANGES_NOW: as it is */
};

/** Whether the index keeps a history; if it is too old for one, that is said and counted. */
bool cmd_since_has_history(const struct cmd_call *c);
/**
 * Read a word: the number of a run, or an age: the last run that had ended by then.  Returns 0, or
 * -1 with ERR_USAGE.
 */
int cmd_since_run_of(const struct cmd_since *w, const char *text, int64_t *run, struct err *err);
/**
 * Say where the history begins if it does not reach back to w->from, which becomes that.  Returns 0
 * or -1.
 */
int cmd_since_reach(struct cmd_since *w, struct err *err);
/** Count roots that no scan has met since, and directories that none could read. */
int cmd_since_gaps(struct cmd_since *w, struct err *err);
/** Append "after scan 12, 2026-11-21 03:32".  Returns 0 or -1. */
int cmd_since_name_run(const struct cmd_since *w, struct buf *b, int64_t run, struct err *err);

#endif
