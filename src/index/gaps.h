/* SPDX-License-Identifier: MIT */
/* gaps - files and directories that an answer could not judge, counted by reason. */
#ifndef INDEX_GAPS_H
#define INDEX_GAPS_H

#include "index/rules.h"

/** Why a file was not judged: an enum skip, or one of the reasons below.  GAP_NONE: it was. */
enum gap {
	GAP_NONE = SKIP_NO,
	GAP_UNREADABLE = SKIP_COUNT, /* neither it nor any link to it could be stat-ed or read */
	GAP_NEW,                     /* exists below a root, not in the index */
	GAP_NEVER,                   /* exists below no root */
	GAP_MOVED,                   /* as GAP_NEVER; indexed where its disk was mounted before */
	GAP_CHANGED,                 /* differs now from what was indexed */
	GAP_GONE,                    /* indexed and gone, but counted by the answer */
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
	int64_t dirs[GAP_COUNT];     /* not entered: nothing in them was judged */
};

/** Count a file, or a directory. */
static inline void
gaps_count(struct gaps *g, enum gap gap, bool dir)
{
	(dir ? g->dirs : g->files)[gap]++;
}

/** Add other counts. */
void gaps_join(struct gaps *g, const struct gaps *more);

/** Whether content may be missed there: symbolic links, special files and the index have none. */
bool gap_matters(enum gap gap);

/** Count the files and directories that matter. */
int64_t gaps_matter(const struct gaps *g);

/**
 * Append one line without newline: "not judged: 2 hidden, ...; ignored: 3 symbolic links".  Nothing
 * without gaps.
 */
void gaps_show(struct buf *b, const struct gaps *g);

#endif
