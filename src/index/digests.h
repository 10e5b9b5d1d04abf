/* SPDX-License-Identifier: MIT */
/* digests - SHA-256 and other digests of inodes, which hold as long as their rows do not change. */
#ifndef INDEX_DIGESTS_H
#define INDEX_DIGESTS_H

#include "index/inode.h"
#include "sys/digest.h"
#include "sys/fs.h"

struct db;
struct file_row;
struct index;

/** Digests of one read of an inode. */
struct digests_entry {
	struct inode inode;
	int64_t size;
	struct fs_time mtime, ctime;
	int64_t read;              /* as digest.read */
};

/** Digests that are to be written.  Set kinds and window of a zeroed one, digests_release() it. */
struct digests {
	unsigned kinds;            /* DIGEST_BIT()s */
	int64_t window;            /* the racy window, in seconds, rounded up */
	VEC(struct digests_entry) v;
	struct buf bytes;          /* digest_sizes(kinds) of each entry */
};

/** Make the table, if it is missing.  Inside a transaction.  Returns 0 or -1. */
int digests_make(struct index *ix, struct err *err);
/** Drop what holds for no file any more; once in a run.  Inside a transaction.  Returns 0 or -1. */
int digests_drop_orphans(struct index *ix, struct err *err);

/**
 * Note the digests, of all kinds of d, of a file that was read now and had this stat before; many
 * are written at once.  racy is content_result.racy of the reading.  Inside a transaction.  Returns
 * 0 or -1.
 */
int digests_add(struct digests *d, struct index *ix, struct inode inode, const struct fs_stat *st, bool racy, const uint8_t *bytes,
                struct err *err);
/**
 * Write all that were noted, and forget them; the table is made if need be.  Inside a transaction.
 * Returns 0 or -1.
 */
int digests_write(struct digests *d, struct index *ix, struct err *err);
/** Free what it owns. */
void digests_release(struct digests *d);

/**
 * Get the digest of a row's content: digest_size() bytes, if there is one and the row still has
 * the size and times of the file that was read.  Returns 1, 0 without one, -1 with *err.
 */
int digests_get(struct index *ix, const struct file_row *row, enum digest_kind kind, uint8_t *bytes, struct err *err);

/** Count the inodes that have a digest of each kind.  Returns 0 or -1. */
int digests_count(struct index *ix, int64_t counts[DIGEST_KINDS], struct err *err);

#endif
