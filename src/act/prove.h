/* SPDX-License-Identifier: MIT */
/* prove - that victims equal their keeper now, byte by byte, many groups at a time. */
#ifndef ACT_PROVE_H
#define ACT_PROVE_H

#include <stdatomic.h>

#include "act/act.h"
#include "act/locked_file.h"
#include "act/verdict.h"

/** A victim on its way. */
struct prove_victim {
	const struct act_file *file;
	struct locked_file held;          /* open while the verdict is pending */
	struct verdict verdict;    /* ACT_PENDING: proven equal to the keeper */
	bool differs;              /* the bytes differ although the index has one hash for both */
};

/** The part of a keeper that may not be on the disk yet. */
enum prove_unwritten {
	PROVE_BYTES,           /* its bytes, and its name */
	PROVE_NAME,            /* its name */
	PROVE_NOTHING
};

/** A group, or a part of one: its victims and one keeper. */
struct prove_job {
	const struct act_group *group;
	struct locked_file keeper;        /* open if a victim is proven */
	const struct act_file *keeper_file;
	struct prove_victim *victims;
	size_t n;
	bool trust_cache;          /* the keeper is not read from the disk where memory has it */
	bool done;                 /* false: a signal came before */
	/* private */
	enum prove_unwritten unwritten;
};

/**
 * Work on all jobs in threads: open the first keeper that is as the index says, open the victims
 * that are, compare their bytes, and see the keeper and its name to the disk before anything that
 * relies on it goes: of many keepers on a volume, with all of that volume.  What is open stays
 * open for prove_release.  The threads have ended when it returns; meanwhile they add the bytes of
 * victims that were compared to *compared.
 */
void prove_run(struct prove_job *jobs, size_t n, _Atomic int64_t *compared);

/**
 * Close what all jobs have open and free their verdicts, in threads, too: closing the last
 * descriptor of a removed file is what frees its blocks, which may wait for the disk.
 */
void prove_release(struct prove_job *jobs, size_t n);

#endif
