/* SPDX-License-Identifier: MIT */
/* decide_totals - what a dialogue of decide came to. */
#ifndef SHELL_DECIDE_TOTALS_H
#define SHELL_DECIDE_TOTALS_H

/** What a dialogue came to. */
struct decide_totals {
	int64_t n_sets;      /* asked about, and decided before */
	int64_t n_decided;   /* ... of these, in the end */
	int64_t n_drop;      /* files that it has marked drop */
	int64_t frees;       /* bytes of their inodes */
};

#endif
