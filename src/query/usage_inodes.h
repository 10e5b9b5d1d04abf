/* SPDX-License-Identifier: MIT */
/*
 * usage_inodes - the contents of several inodes and the inodes of several names, each with the
 * place that all its names have in common; of all other files the bytes of each directory.
 */
#ifndef QUERY_USAGE_INODES_H
#define QUERY_USAGE_INODES_H

#include "index/inode.h"
#include "sys/fs.h"

struct alias_volumes;
struct dirtree;
struct exclusive_extents;
struct index;

#define USAGE_INODES_NO_CONTENT UINT32_MAX

/** An inode of files with bytes; one whose rows have several contents is there for each. */
struct usage_inode {
	struct inode inode;
	int64_t size;
	int64_t frees;           /* bytes, with its last name: its size, until the caller sets it */
	uint32_t content;        /* or USAGE_INODES_NO_CONTENT: no other inode has it */
	uint32_t place;          /* that all its names have in common */
	uint32_t named;          /* the position with all its names: the first one of the inode */
	uint8_t why;             /* reasons (index/fleeting) of the name that lasts longest */
	bool several;            /* its names are in usage_inodes.names */
	bool backed, beside;     /* it has a name in a backup, in none */
	bool stays;              /* with its content, whatever is removed */
};

/** A content of several inodes. */
struct usage_content {
	int64_t size;
	uint32_t inodes;         /* that count: certainly not the same files */
	uint32_t place;          /* that all names of these have in common */
};

/** What the row of an inode says besides, if it may share blocks, or be the file of another. */
struct usage_look {
	uint32_t inode, dir;
	size_t name;             /* in usage_inodes.look_names */
	int64_t blocks;
	struct fs_time mtime;
};

/**
 * Set all up to asked_end, usage_inodes_read() it, usage_inodes_release() it.  A place is the
 * number of a directory times two, plus one for the files directly in it.
 */
struct usage_inodes {
	const struct dirtree *tree;
	const struct alias_volumes *views;
	const struct exclusive_extents *extents;
	uint32_t asked, asked_end;           /* copies that share blocks there are looked up */
	VEC(struct usage_inode) inodes;      /* those of a content together */
	VEC(struct usage_content) contents;
	VEC(uint64_t) names;     /* of inodes with several: inode's position << 32 | directory */
	VEC(struct usage_look) looks;        /* in the order of inodes */
	struct buf look_names;
	uint64_t *files;         /* by directory: how many are directly in it, also empty ones */
	uint64_t *bytes;         /* by directory: of those that are not among the inodes */
	uint8_t *reasons;        /* by directory, of index/fleeting; NULL: none has any */
	bool *backup;            /* by directory: in a backup; NULL: no backup is declared */
	struct index *ix;        /* private */
};

/** Read all rows.  Returns 0, or -1: ERR_INTERRUPTED, ERR_BAD_INDEX, ERR_DB. */
int usage_inodes_read(struct usage_inodes *u, struct index *ix, struct err *err);
/** The place that two places have in common. */
uint32_t usage_inodes_join(const struct usage_inodes *u, uint32_t a, uint32_t b);
/** Free what it owns. */
void usage_inodes_release(struct usage_inodes *u);

#endif
