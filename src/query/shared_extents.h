/* SPDX-License-Identifier: MIT */
/* shared_extents - copies that may share blocks of the disk: what each frees, asked in threads. */
#ifndef QUERY_SHARED_EXTENTS_H
#define QUERY_SHARED_EXTENTS_H

#include "index/exclusive_extents.h"

struct db;
struct dirtree;
struct file_row;

/** A copy, by one of its names. */
struct shared_extents_copy {
	uint32_t content, inode;     /* the caller's numbers */
	int64_t frees;               /* bytes, when its last name goes: at most its size */
	/* private */
	int64_t blocks;              /* that it has */
	size_t name;                 /* in names */
	uint32_t dir;
};

/** Zero it, shared_extents_open() it, add copies, ask for them, shared_extents_release() it. */
struct shared_extents {
	struct shared_extents_copy *v;  /* once asked, in the order of contents */
	size_t n, cap;
	/* private */
	const struct dirtree *dirs;
	struct exclusive_extents own;
	struct buf names;
};

/** Find out where files may share blocks.  Returns 1: on some volume; 0: on none; -1: *err. */
int shared_extents_open(struct shared_extents *c, const struct dirtree *dirs, struct db *db, struct err *err);
/** Whether they may on the volume with this number. */
bool shared_extents_may_share(const struct shared_extents *c, int64_t volume);
/** Add the copy that a row is a name of; its row is copied. */
void shared_extents_add(struct shared_extents *c, uint32_t content, uint32_t inode, const struct file_row *row);
/** Ask for the blocks of all.  Returns 0 or -1 (ERR_INTERRUPTED). */
int shared_extents_ask(struct shared_extents *c, struct err *err);
/** Free. */
void shared_extents_release(struct shared_extents *c);

#endif
