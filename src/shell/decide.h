/* SPDX-License-Identifier: MIT */
/* decide - the dialogue by which sets of duplicates are decided: groups first, then sets. */
#ifndef SHELL_DECIDE_H
#define SHELL_DECIDE_H

struct cmd_call;
struct keys;
struct decide_groups_query;

/** What a dialogue came to. */
struct decide_totals {
	int64_t n_sets;      /* asked about, and decided before */
	int64_t n_decided;   /* ... of these, in the end */
	int64_t n_drop;      /* files that it has marked drop */
	int64_t frees;       /* bytes of their inodes */
};

/**
 * Ask on c->msg about the sets that q asks for, with answers from keys; each answer is written to
 * the index at once, as marks.  Paths below base are shown from there.
 *
 * Returns 0, or -1 with *err: ERR_INTERRUPTED when a signal ended it.  *totals is filled in both
 * cases.
 */
int decide_run(const struct cmd_call *c, const struct decide_groups_query *q, const char *base, struct keys *keys,
               struct decide_totals *totals, struct err *err);

#endif
