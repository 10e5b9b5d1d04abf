/* SPDX-License-Identifier: MIT */
/* undo - acts of the journal are taken back, while their content still exists somewhere. */
#ifndef ACT_UNDO_H
#define ACT_UNDO_H

#include "act/verdict.h"
#include "sys/tick.h"

struct acts_line;
struct index;

/** What came of an act.  Borrowed for the call. */
struct undo_told {
	const struct acts_line *act;
	enum act_outcome outcome;   /* ACT_DONE, ACT_UNSURE; ACT_PENDING with dry */
	const char *why;            /* the failure; or a remark on an act that is done */
};

/** Called for each act, the latest first. */
typedef void undo_fn(void *arg, const struct undo_told *told);

/** What is to be taken back. */
struct undo {
	struct index *ix;      /* open for writing, not in a transaction, unless dry */
	int64_t most;          /* the number of acts, the latest ones; 0: all of the last run */
	const char *const *paths;  /* absolute: only acts on files at and below; none: on all */
	size_t n_paths;
	bool dry;              /* only tell of them */
	undo_fn *fn;
	tick_fn *tick;         /* before each act, unless dry */
	void *arg;
};

/** How many acts there were, were taken back, and have rows in the index again. */
struct undo_sums {
	int64_t acts, done, rows;
	int64_t unindexed;       /* files back in directories that the index does not have */
	int64_t reach;           /* acts of the last run and the one before; 0: none, or a choice */
};

/**
 * Take acts back.  A removed name becomes a file with the content that it had, copied from
 * whatever file has it, with owner, mode, attributes and time; a link becomes such a file of its
 * own; a file in the trash moves back; the copy of a rescue is removed while its original is there
 * (rescue_undo), and so are the directories made for it.  Nothing is replaced but the link that the
 * act made, and in the place of a hard link a file with its content.
 *
 * Returns 0, or -1 with *err, with the sums in either case: ERR_INTERRUPTED, ERR_NO_PATH
 * (acts_read_check_paths), ERR_SYS when the journal cannot be read or written, ERR_DB.
 */
int undo_run(const struct undo *u, struct undo_sums *sums, struct err *err);

#endif
