/* SPDX-License-Identifier: MIT */
/* look - whether many files still have their signatures: stats, in threads. */
#ifndef INDEX_LOOK_H
#define INDEX_LOOK_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "sys/fs.h"

struct err;
struct file_row;

/** A file and the signature that it has in the index. */
struct look {
	size_t path, name;     /* where its absolute path, and in that its name, begin in the paths given */
	int64_t dir;           /* the directory's number, by which neighbours share an open one */
	int64_t size, inode;
	struct fs_time mtime, ctime;
	bool same;             /* the answer: it is there, and nothing of these has changed */
};

/** Make a look at a row's file whose path begins at path; its name is the path's end. */
struct look look_at(const struct file_row *row, size_t path, size_t path_len);

/**
 * Look at n files, which are best given directory by directory.  paths: NUL-terminated.
 * Returns 0, or -1 with *err (ERR_INTERRUPTED).
 */
int look_all(struct look *v, size_t n, const char *paths, struct err *err);

#endif
