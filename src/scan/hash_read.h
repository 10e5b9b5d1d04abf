/* SPDX-License-Identifier: MIT */
/* hash_read - read what a plan wants, in the order of the disk, round by round. */
#ifndef SCAN_HASH_READ_H
#define SCAN_HASH_READ_H

struct hash_plan;
struct volumes;

/**
 * Read every wanted file of the plan: each gets a head or a hash, or is given up.  Renews the
 * transaction when it is old.
 *
 * Returns 0, or -1 with *err; what was read by then is written.
 */
int hash_read(struct hash_plan *p, struct err *err);

/**
 * The read phase: read what must be read, round by round, until every claim is proven, and write
 * it to the index, in the caller's transaction, which is renewed when it is old.  A dry run only
 * counts.
 *
 * Returns 0, or -1 with *err (ERR_INTERRUPTED: what was read is written).
 */
int hash_run(struct hash_plan *p, struct err *err);

/** Threads that read ahead from a rotating disk. */
#define HASH_READ_THREADS_ROTATIONAL 2

/**
 * How many threads are to read the files below an absolute path: HASH_READ_THREADS_ROTATIONAL where
 * a disk turns.  most is the number for the paths before, or 0: as many as the slowest disk bears.
 */
int hash_read_threads(struct volumes *volumes, const char *path, int most);

#endif
