/* SPDX-License-Identifier: MIT */
/* stat_batch - whether many files have their signatures: stat in threads, while more are found. */
#ifndef QUERY_STAT_BATCH_H
#define QUERY_STAT_BATCH_H

struct dirs_prefix;
struct file_row;
struct stat_batch;

/**
 * Called in the calling thread for each file that is not there as its row
 * says (or can't be looked at): n is the number it was given.  Of the row
 * only the directory, the name and the signature are filled in.  Returns 0,
 * or -1 with *err to stop.
 */
typedef int stat_batch_fn(void *arg, size_t n, const struct file_row *row, struct err *err);

/** Begin; never NULL. */
struct stat_batch *stat_batch_new(stat_batch_fn *differs, void *arg);

/**
 * Have the file of a row looked at, best directory by directory.  dir is its
 * directory.  Both are copied.  May deliver earlier files.
 * Returns 0, or -1 with *err.
 */
int stat_batch_add(struct stat_batch *l, size_t n, const struct file_row *row, const struct dirs_prefix *dir,
              struct err *err);

/** Wait until all were looked at, and deliver the rest.  Returns 0 or -1 (ERR_INTERRUPTED). */
int stat_batch_finish(struct stat_batch *l, struct err *err);

/** Free it, finished or not.  Accepts NULL. */
void stat_batch_free(struct stat_batch *l);

#endif
