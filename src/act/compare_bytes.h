/* SPDX-License-Identifier: MIT */
/* compare_bytes - the bytes of open files: a keeper is read once for all its victims. */
#ifndef ACT_COMPARE_BYTES_H
#define ACT_COMPARE_BYTES_H

#include <stdatomic.h>

struct locked_file;
struct verdict;

/** Bytes that are read at a time of each file. */
#define COMPARE_BLOCK (256 * 1024)
/** The memory of a comparison: two blocks, each with room for a byte behind the end of a file. */
#define COMPARE_MEMORY (2 * (COMPARE_BLOCK + 64))

/** A file that is compared with the keeper. */
struct compare_bytes_with {
	const struct locked_file *held;
	struct verdict *verdict;   /* ACT_PENDING as long as all bytes so far are equal */
	int64_t differs;           /* the first byte that differs, or -1 */
};

/**
 * Read the keeper and those of v whose verdict is pending, from the first byte to the end behind
 * the last, side by side.  One that differs, is longer or shorter than its stat said, can't be
 * read, or is in use by a writer, gets its verdict and is read no further.  A file whose verdict
 * is still pending is equal.  Bytes of v that were compared are added to *compared.
 *
 * Returns 0, or -1 when the keeper's own verdict is reached (it can't be read, is in use), or a
 * signal came: then no file of v is known to be equal.
 */
int compare_bytes_files(const struct locked_file *keeper, struct verdict *keeper_verdict, struct compare_bytes_with *v, size_t n,
                  uint8_t *memory, _Atomic int64_t *compared);

#endif
