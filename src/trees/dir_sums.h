/* SPDX-License-Identifier: MIT */
/* dir_sums - files and bytes below every directory, of contents that a question is about. */
#ifndef TREES_DIR_SUMS_H
#define TREES_DIR_SUMS_H

struct contents_map;
struct stat_results;

/** Of a directory and all below it. */
struct dir_sum {
	uint64_t files;          /* names that are there */
	uint64_t bytes;          /* of their inodes, each once */
	uint64_t frees;          /* of inodes that have no name outside of it */
};

/**
 * Sum up the names of wanted contents that were there by a look, or, without looks, all names of
 * the map.  Returns an array by number of the
 * directory, for free().
 */
struct dir_sum *dir_sums_make(const struct contents_map *m, const struct stat_results *l);

/** The bytes of wanted inodes all of whose names lie in directories for which going is true. */
uint64_t dir_sums_frees(const struct contents_map *m, const struct stat_results *l, const bool *going);

#endif
