/* SPDX-License-Identifier: MIT */
/* usage_top - the few directories that say most of where redundant bytes are. */
#ifndef QUERY_USAGE_TOP_H
#define QUERY_USAGE_TOP_H

#include "query/usage.h"

/** A directory with what lies below it, or the files that are directly in it. */
struct usage_place {
	uint32_t dir;
	bool within;             /* only the files directly in it */
	struct usage_sum sum;
};

/** Places; release with vec_release(). */
struct usage_places {
	struct usage_place *v;
	size_t n, cap;
};

/** Which of the sums counts. */
enum usage_amount { USAGE_REDUNDANT, USAGE_PORTION };

/**
 * Append what is in a directory and has such bytes: its subdirectories and the files directly in
 * it, the most bytes first.
 */
void usage_places_in(const struct usage *u, uint32_t dir, enum usage_amount amount, struct usage_places *places);

/**
 * Fill v with at most max places below a directory, none within another, the most such bytes
 * first: its subdirectories, or, in place of one that holds most of it, what is in that.  Returns
 * how many; 0 when there are no such bytes.
 */
size_t usage_top(const struct usage *u, uint32_t dir, enum usage_amount amount, struct usage_place *v, size_t max);

#endif
