/* SPDX-License-Identifier: MIT */
/* sets_unread - files without a hash that may be copies of another index's: read for the sets. */
#ifndef QUERY_SETS_UNREAD_H
#define QUERY_SETS_UNREAD_H

#include "index/file.h"
#include "query/sets_query.h"

struct presence_view;

/** A file that was read, or could not be. */
struct sets_unread_file {
	/** With its hash if it was read; directory and volume as its index numbers them. */
	struct file_row row;
	uint8_t of;              /* the number of that index */
};

/** Zero it, sets_unread_load() it, sets_unread_release() it. */
struct sets_unread {
	/** Those that were read, in the order of sizes and hashes, then the others. */
	VEC(struct sets_unread_file) files;
	size_t n_read;
	/* private */
	struct arena names;
};

/**
 * Read the files of the indexes of a query that have no hash and of which another index may have a
 * copy, each inode once; here is the view of this index.  What can't be read is told to q->gap.
 * Returns 0, or -1: ERR_INTERRUPTED, ERR_BAD_INDEX, ERR_DB.
 */
int sets_unread_load(struct sets_unread *u, const struct sets_query *q, struct presence_view *here, struct err *err);

/** Free what it owns. */
void sets_unread_release(struct sets_unread *u);

#endif
