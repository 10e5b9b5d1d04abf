/* SPDX-License-Identifier: MIT */
/* volume_pick - which disk of the index a person means. */
#ifndef QUERY_VOLUME_PICK_H
#define QUERY_VOLUME_PICK_H

struct index;

/**
 * Find the disk that a word means: its name (index/drawer), else its key or its label, else a
 * directory on it; path is the word as an absolute path.  *volume becomes the first volume of the
 * index on that disk.  Returns 0, or -1: ERR_NO_PATH when no disk is meant, ERR_USAGE when several
 * are.
 */
int volume_pick(struct index *ix, const char *word, const char *path, int64_t *volume, struct err *err);

#endif
