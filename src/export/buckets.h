/* SPDX-License-Identifier: MIT */
/*
 * buckets - records divided by the top byte of a hash, and kept in files that have no name until
 * all of a bucket are wanted: what is in memory is one bucket of 256.
 */
#ifndef EXPORT_BUCKETS_H
#define EXPORT_BUCKETS_H

#define BUCKETS 256

/** Zero it, buckets_open() it, buckets_release() it. */
struct buckets {
	FILE *files[BUCKETS];   /* private; NULL: nothing was added */
	const char *dir;        /* private */
};

/** Records go to files in this directory, which is borrowed. */
void buckets_open(struct buckets *b, const char *dir);
/** Add a record.  Returns 0, or -1 with *err. */
int buckets_add(struct buckets *b, int bucket, const void *record, size_t len, struct err *err);
/** Read all records of a bucket into a buffer, whose content goes.  Returns 0, or -1 with *err. */
int buckets_read(struct buckets *b, int bucket, struct buf *records, struct err *err);
void buckets_release(struct buckets *b);

#endif
