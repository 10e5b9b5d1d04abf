/* SPDX-License-Identifier: MIT */
/* acts_read - the journal of acts, read back. */
#ifndef ACT_ACTS_READ_H
#define ACT_ACTS_READ_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "act/act.h"
#include "base/arena.h"
#include "base/vec.h"

struct err;
struct index;

/** An act of the journal. */
struct acts_line {
	enum act_kind kind;
	int64_t run, number;    /* run: nanoseconds since 1970 */
	int64_t size, mtime_ns;
	const char *hash;       /* of the content, in hexadecimal digits */
	const char *victim, *keeper; /* absolute; bytes as on disk */
	bool undone;            /* it did not happen, after all */
	bool ended;             /* its run came to its end; else it may not have happened */
};

/** All acts in their order; zero it, acts_read(), acts_read_release(). */
struct acts_read {
	VEC(struct acts_line) lines;
	int64_t n_torn;         /* lines that are none of ours, or not whole */
	struct arena memory;    /* private */
};

/** Read the journal of an index; one that is not there has no acts.  Returns 0 or -1 with *err. */
int acts_read(struct acts_read *r, const struct index *ix, struct err *err);
/** Free the memory. */
void acts_read_release(struct acts_read *r);

#endif
