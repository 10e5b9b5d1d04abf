/* SPDX-License-Identifier: MIT */
/* payloads - what inodes hold without their tags, by hash, as long as their rows do not change. */
#ifndef INDEX_PAYLOADS_H
#define INDEX_PAYLOADS_H

#include "index/file.h"
#include "payload/payload.h"

struct index;

/** The payload of an inode. */
struct payloads_entry {
	enum payload_format format;   /* PAYLOAD_NONE: it has none */
	uint8_t hash[HASH_SIZE];      /* of the payload, by the secret of the index */
	int64_t bytes;                /* of the payload */
};

/**
 * Make the table, if it is missing, and drop what holds for no file any more.  Inside a
 * transaction.  Returns 0 or -1.
 */
int payloads_begin(struct index *ix, struct err *err);

/** Note the payload of an inode that was read now, and had this stat.  Inside a transaction. */
int payloads_put(struct index *ix, struct inode inode, const struct fs_stat *st, const struct payloads_entry *e, struct err *err);

/** Get the payload of a row's content.  Returns 1, 0 without one that holds, -1 with *err. */
int payloads_get(struct index *ix, const struct file_row *row, struct payloads_entry *e, struct err *err);

/** A file with a payload.  Its row's name is borrowed for the call.  Returns 0, or -1 to stop. */
typedef int payloads_fn(void *arg, const struct file_row *row, const struct payloads_entry *e, struct err *err);

/** Deliver all names of files with a payload.  Returns 0, or -1 with *err. */
int payloads_same(struct index *ix, const uint8_t hash[HASH_SIZE], payloads_fn *fn, void *arg, struct err *err);

/**
 * Deliver all names of files whose payload other inodes have, too: one payload after another, in
 * no order that means anything.  Returns 0, or -1 with *err.
 */
int payloads_shared(struct index *ix, payloads_fn *fn, void *arg, struct err *err);

#endif
