/* SPDX-License-Identifier: MIT */
/* protocol - the one way in which files are removed, and linked. */
#ifndef ACT_PROTOCOL_H
#define ACT_PROTOCOL_H

#include "act/act.h"
#include "act/verdict.h"

struct index;

/** What came of a victim.  Borrowed for the call. */
struct protocol_told {
	enum act_kind kind;
	const struct act_file *victim;
	const char *keeper;      /* the path of the copy that stays; NULL: none was found */
	enum act_outcome outcome;
	const char *why;         /* unless it is done */
	int64_t freed;           /* bytes on the disk */
	bool at_most;            /* or less, for a lower layer may keep them */
};

/**
 * Called for every victim, in order, when the index and the journal know of it.  Returns 0 to go
 * on, another value to stop.
 */
typedef int protocol_told_fn(void *arg, const struct protocol_told *told);

/**
 * How far the run is: files of which it is known what comes of them, and bytes of files that were
 * compared.  Called between two acts, and ten times a second while nothing can be done.
 */
typedef void protocol_tick_fn(void *arg, int64_t files, int64_t bytes);

/** A run of acts. */
struct protocol {
	struct index *ix;        /* open for writing, not in a transaction */
	enum act_kind kind;
	bool any_attributes;     /* of links: whatever owner, mode and attributes the keeper has */
	bool trust_cache;        /* keepers are not read from the disk where memory has them */
	const char *command;     /* for the journal */
	protocol_told_fn *told;
	protocol_tick_fn *tick;
	void *arg;
};

/**
 * Do it: batch by batch, each in the nine steps of src/act/README.
 *
 * Returns 0, what told returned, or -1 with *err: ERR_INTERRUPTED (what was done has been told),
 * ERR_SYS when the journal cannot be written, ERR_DB when the index cannot.  No victim is then
 * left between two states.
 */
int protocol_run(const struct protocol *p, struct act_group *groups, size_t n, struct err *err);

#endif
