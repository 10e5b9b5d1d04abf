/* SPDX-License-Identifier: MIT */
/* forget - drop a part of the index; files are not touched. */
#ifndef SCAN_FORGET_H
#define SCAN_FORGET_H

struct index;

/**
 * Drop everything at and below the absolute path, roots and marks included, in
 * one transaction.  Returns 0 with the numbers of *files and *dirs dropped, or -1:
 * ERR_NO_PATH when the index has no such path.
 */
int forget_path(struct index *ix, const char *path, int64_t *files, int64_t *dirs, struct err *err);

/**
 * Count what forget_path would drop, marks as well, and change nothing.  Returns as
 * forget_path.
 */
int forget_count(struct index *ix, const char *path, int64_t *files, int64_t *dirs, int64_t *marks, struct err *err);

#endif
