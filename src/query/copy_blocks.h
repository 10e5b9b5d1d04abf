/* SPDX-License-Identifier: MIT */
/* copy_blocks - copies that may share blocks of the disk: what each frees, asked in threads. */
#ifndef QUERY_COPY_BLOCKS_H
#define QUERY_COPY_BLOCKS_H

#include "index/own_blocks.h"

struct db;
struct dirtree;
struct file_row;

/** A copy, by one of its names. */
struct copy_blocks_copy {
	uint32_t content, inode;     /* the caller's numbers */
	int64_t frees;               /* bytes, when its last name goes: at most its size */
	/* private */
	int64_t blocks;              /* that it has */
	size_t name;                 /* in names */
	uint32_t dir;
};

/** Zero it, copy_blocks_open() it, add copies, ask for them, copy_blocks_release() it. */
struct copy_blocks {
	struct copy_blocks_copy *v;  /* once asked, in the order of contents */
	size_t n, cap;
	/* private */
	const struct dirtree *dirs;
	struct own_blocks own;
	struct buf names;
};

/** Find out where files may share blocks.  Returns 1: on some volume; 0: on none; -1: *err. */
int copy_blocks_open(struct copy_blocks *c, const struct dirtree *dirs, struct db *db, struct err *err);
/** Whether they may on the volume with this number. */
bool copy_blocks_may_share(const struct copy_blocks *c, int64_t volume);
/** Add the copy that a row is a name of; its row is copied. */
void copy_blocks_add(struct copy_blocks *c, uint32_t content, uint32_t inode, const struct file_row *row);
/** Ask for the blocks of all.  Returns 0 or -1 (ERR_INTERRUPTED). */
int copy_blocks_ask(struct copy_blocks *c, struct err *err);
/** Free. */
void copy_blocks_release(struct copy_blocks *c);

#endif
