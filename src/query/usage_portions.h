/* SPDX-License-Identifier: MIT */
/* usage_portions - what is redundant in a directory, divided among all directories below it. */
#ifndef QUERY_USAGE_PORTIONS_H
#define QUERY_USAGE_PORTIONS_H

struct usage_inodes;

/** What is to be divided.  All borrowed. */
struct usage_portions {
	const struct usage_inodes *in;  /* its names are in order */
	const int64_t *frees;  /* by inode: bytes that go with its last name; 0: does not count */
	const int64_t *stays;  /* by content: bytes that one of its copies keeps, or 0 */
};

/**
 * Add to portions, by number of the directory: each copy frees its bytes less an equal part of
 * those that stay, and each of its names has an equal part of that.  The sum of what is added is
 * that of all frees less that of all stays: what a division leaves goes to the first copies and
 * names.
 * A content of which something stays needs all its copies to count.
 */
void usage_portions_add(const struct usage_portions *s, uint64_t *portions);

#endif
