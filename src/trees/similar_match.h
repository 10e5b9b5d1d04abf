/* SPDX-License-Identifier: MIT */
/* similar_match - what two directories have in common: pairs of directories at and below them. */
#ifndef TREES_SIMILAR_MATCH_H
#define TREES_SIMILAR_MATCH_H

#include "trees/dir_digest.h"
#include "trees/similar_tops.h"

/** A directory that is considered, and what of it is in the other top. */
struct similar_seen {
	uint32_t dir;
	uint64_t bytes;          /* of its inodes with contents of the other side */
	uint64_t other;          /* for narrowing: bytes of the other side that are here */
	bool whole;              /* bytes and other are complete, else without common contents */
};

/** Directories that are considered on a side, found by number. */
struct similar_view {
	VEC(struct similar_seen) all;
	uint32_t *stamp, *at;    /* by directory: the turn it was seen in, and where in all */
	uint32_t turn;
	uint32_t top;
};

/** What one directory of a pair has in common with the other. */
struct similar_side {
	uint32_t dir;
	int64_t files;           /* names whose content is in the other */
	uint64_t bytes;          /* of their inodes, each once */
};

/** Two directories that share content; neither lies in the other. */
struct similar_pair {
	struct similar_side left, right;
	int64_t contents;        /* that are in both, each once */
	uint64_t bytes;          /* theirs */
	int64_t linked;          /* inodes with a name in both: removing one frees nothing */
	uint64_t linked_bytes;
};

struct similar_pairs {
	struct similar_pair *v;
	size_t n, cap;
};

/** A content in both directories. */
struct similar_shared {
	uint32_t content;
	struct dir_digest_range left, right;  /* its names there */
	uint64_t left_bytes;     /* of its inodes in the left one */
};

struct similar_shareds {
	struct similar_shared *v;
	size_t n, cap;
};

/** Where a common content lies in the left top. */
struct similar_place {
	uint32_t left_turn;      /* when it was met there, */
	uint32_t turn, at;       /* and in both, and where in shared */
	struct dir_digest_range left;
};

/**
 * Working memory for many pairs of tops.  Set tops, min_share and min_size, zero the rest,
 * similar_match_release() it.
 */
struct similar_match {
	const struct similar_tops *tops;
	int64_t min_share;       /* percent of one of the two directories: 1 to 100 */
	uint64_t min_size;       /* bytes of shared contents */
	/* private */
	struct similar_view left, right;
	struct similar_shareds shared, part;
	VEC(uint32_t) part_common; /* positions in part: those that are common */
	struct similar_pairs found;
	uint32_t left_top;       /* of the pair of tops before */
	struct similar_place *places; /* by content */
	uint32_t turn, left_turn;
	VEC(uint32_t) chosen;
	VEC(uint64_t) parts;     /* position in chosen << 32 | position in shared */
	struct dir_digest_parts split; /* the bytes of the content in hand */
	struct table by_pair;
};

/**
 * Append the pairs at and below the pair of tops at a position that say more than others.  Those
 * with the same left top best come one after another.  Stops for no signal.
 */
void similar_match_top(struct similar_match *m, size_t at, struct similar_pairs *pairs);

/** Free the working memory. */
void similar_match_release(struct similar_match *m);

#endif
