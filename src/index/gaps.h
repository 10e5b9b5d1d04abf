/* SPDX-License-Identifier: MIT */
/* gaps - what an answer about directories could not judge, counted by reason. */
#ifndef INDEX_GAPS_H
#define INDEX_GAPS_H

#include "index/rules.h"

/**
 * Why something was not judged: an enum skip, or one of the
 * reasons behind those.  GAP_NONE: it was judged.
 */
enum gap {
	GAP_NONE = SKIP_NO,
	GAP_UNREADABLE = SKIP_COUNT, /* it, or all its links, could not be looked at, or be read */
	GAP_NEW,                     /* there, below a root, and not in the index */
	GAP_NEVER,                   /* there, below no root */
	GAP_MOVED,                   /* the same; the index has it where its disk was before */
	GAP_CHANGED,                 /* differs now from what was indexed */
	GAP_GONE,                    /* indexed and gone, where the answer has counted it */
	GAP_UNPROVEN,                /* indexed, but neither a copy nor uniqueness is proven */
	GAP_OFFLINE,                 /* judged as of the last scan: its root or volume is missing */
	GAP_TIMELESS,                /* judged by a signature that proves nothing: index/timeless */
	GAP_COUNT
};

/** The word for a reason in machine formats ("too_small"). */
const char *gap_key(enum gap gap);

/** Counters by reason.  Zero it. */
struct gaps {
	int64_t files[GAP_COUNT];
	int64_t dirs[GAP_COUNT];     /* not gone into: whatever lies in them was not judged */
};

/** Count a file, or a directory. */
static inline void
gaps_count(struct gaps *g, enum gap gap, bool dir)
{
	(dir ? g->dirs : g->files)[gap]++;
}

/** Add other counts. */
void gaps_join(struct gaps *g, const struct gaps *more);

/**
 * Whether content may lie there that no answer covers; symbolic links,
 * special files and the index itself hold none.
 */
bool gap_matters(enum gap gap);

/** How many files and directories there are that matter. */
int64_t gaps_matter(const struct gaps *g);

/**
 * Append one line for people without its end: "not judged: 2 hidden, ...; besides 3 symbolic
 * links".  Nothing without gaps.
 */
void gaps_show(struct buf *b, const struct gaps *g);

#endif
