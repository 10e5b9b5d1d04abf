/* SPDX-License-Identifier: MIT */
/* rows - all files of one directory as the index has them, in memory. */
#ifndef INDEX_ROWS_H
#define INDEX_ROWS_H

#include "index/file.h"

struct db;

/** Zero it, rows_load() it, rows_release() it. */
struct rows {
	struct file_row *v;   /* in order of the names' bytes */
	size_t n, cap;
	struct arena names;   /* private: what the rows' names point to */
};

/** Read the files of a directory.  Returns 0 or -1. */
int rows_load(struct rows *r, struct db *db, int64_t dir, struct err *err);
/** Free the memory. */
void rows_release(struct rows *r);

#endif
