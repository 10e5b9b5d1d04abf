/* SPDX-License-Identifier: MIT */
/* verify - compare byte by byte the copies of every set that were not compared yet. */
#ifndef SCAN_VERIFY_H
#define SCAN_VERIFY_H

struct index;
struct stats;

/**
 * Compare the members of every set that has one that was not compared since
 * it was read.  Equal ones are marked verified; one whose bytes differ from
 * its set's loses its hash and counts as a collision.  Names of one inode are
 * no set.
 *
 * Returns 0 or -1 with *err; what was compared by then is remembered.
 */
int verify_run(struct index *ix, struct stats *counts, int n_threads, struct err *err);

#endif
