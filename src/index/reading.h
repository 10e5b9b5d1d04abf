/* SPDX-License-Identifier: MIT */
/* reading - read what a plan wants, in the order of the disk, and write the hashes to the index. */
#ifndef INDEX_READING_H
#define INDEX_READING_H

struct err;
struct plan;

/**
 * Read every file of the plan whose want is set, and give each a head, a
 * hash, or up.  Writes in transactions of about two seconds (none in a dry run, which only counts).
 *
 * Returns 0, or -1 with *err; what was read by then is written.
 */
int reading_run(struct plan *p, struct err *err);

#endif
