/* SPDX-License-Identifier: MIT */
/* reread - files that were never read whole are read for a query: each once, nothing is written. */
#ifndef QUERY_REREAD_H
#define QUERY_REREAD_H

#include "index/inode.h"
#include "sys/content.h"

struct file_row;
struct presence_view;

/** Zero it; it begins with the first file. */
struct reread {
	/* private */
	struct content_reader reader;
	bool begun;
	VEC(struct reread_inode) done;
	struct table by_inode;
};

/** What reading an inode gave. */
struct reread_inode {
	struct inode inode;
	int64_t size;
	struct fs_time mtime, ctime;
	bool read;               /* head and hash are those of its bytes */
	bool has_head;
	int64_t head;
	uint8_t hash[HASH_SIZE];
};

/**
 * Read the file of a row, which view has seen at path, and give the row its head and hash.
 * Returns 1, or 0 when it can't be read as the row says.
 */
int reread_row(struct reread *r, const struct presence_view *view, const char *path, struct file_row *row);

/** Free the memory. */
void reread_release(struct reread *r);

#endif
