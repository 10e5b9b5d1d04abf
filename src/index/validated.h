/* SPDX-License-Identifier: MIT */
/* validated - when each inode was last read again, and whether its bytes were still the same. */
#ifndef INDEX_VALIDATED_H
#define INDEX_VALIDATED_H

struct file_row;
struct index;

/** How much of an index has been validated.  Inodes, of which names count once. */
struct validated_counts {
	int64_t hashed, hashed_bytes;  /* have a hash */
	int64_t good, good_bytes;      /* of these, had that hash when last read */
	int64_t oldest;                /* the earliest of these reads: seconds since 1970 */
	int64_t bad;                   /* had another hash, or could not be read */
};

/**
 * Make the table if it is missing, and drop its rows of inodes that the index no longer has.
 * Inside a transaction.  Returns 0 or -1.
 */
int validated_begin(struct index *ix, struct err *err);

/**
 * Note that the content of a row, which has a hash, was read at a time in seconds since 1970, and
 * found to be good (error 0) or not: as file.error.  Inside a transaction.  Returns 0 or -1.
 */
int validated_put(struct index *ix, const struct file_row *row, int64_t when, int error, struct err *err);

/** Count.  Returns 1; 0: nothing has been validated yet; or -1. */
int validated_count(struct index *ix, struct validated_counts *counts, struct err *err);

#endif
