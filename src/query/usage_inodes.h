/* SPDX-License-Identifier: MIT */
/*
 * usage_inodes - the inodes and contents of all files in memory, each with the place that all its
 * names have in common.
 */
#ifndef QUERY_USAGE_INODES_H
#define QUERY_USAGE_INODES_H

#include "index/inode.h"
#include "sys/content.h"

struct dirtree;
struct index;

#define USAGE_INODES_NO_CONTENT UINT32_MAX
/** Rows of a batch. */
#define USAGE_INODES_BATCH 32

/** What frees holds of an inode that is no copy. */
#define USAGE_INODES_NO_COPY (-1)

/** An inode of files with bytes. */
struct usage_inode {
	struct inode inode;
	int64_t size;
	union {
		/** While sums are made. */
		struct {
			uint32_t content;        /* or USAGE_INODES_NO_CONTENT: no hash yet */
			uint32_t place;          /* that all its names have in common */
		};
		/** Once the caller has set it: bytes that go with its last name, or ..._NO_COPY. */
		int64_t frees;
	};
};

/** A content that was read. */
struct usage_content {
	int64_t size;
	uint8_t hash[HASH_SIZE];
	uint32_t inodes;         /* that count: certainly not the same files */
	uint32_t place;          /* that all names of these have in common */
};

/** The columns of a file's row that are used. */
struct usage_row {
	int64_t size;
	struct inode inode;
	uint32_t dir;
	uint32_t nlink;
	uint32_t inode_tag, content_tag;
	bool has_hash;
	uint8_t hash[HASH_SIZE];
};

/**
 * Zero it, usage_inodes_read() it, usage_inodes_release() it.  A place is the number of a directory
 * times two, plus one for the files directly in it.
 */
struct usage_inodes {
	VEC(struct usage_inode) inodes;
	VEC(struct usage_content) contents;
	VEC(uint64_t) names;     /* of inodes with several: inode's position << 32 | directory */
	VEC(uint64_t) links;     /* of names with links: inode's position << 32 | link count */
	VEC(struct usage_row) excluded;  /* such names in excluded directories: they hold it */
	uint64_t *files;         /* by directory: how many are directly in it, also empty ones */
	struct bits several;     /* by inode: it has several names */
	uint8_t *reasons;        /* by directory, of index/fleeting; NULL: none has any */
	VEC(uint8_t) why;        /* by inode, with reasons: those of the name that lasts longest */
	bool *backup;            /* by directory: in a backup; NULL: no backup is declared */
	struct bits backed, beside;      /* by inode, with these: it has a name in one, in none */
	/* private */
	const struct dirtree *tree;
	struct table by_inode, by_content;
	struct usage_row rows[USAGE_INODES_BATCH];
	size_t n_rows;
};

/** Read all rows; tree is borrowed.  Returns 0, or -1: ERR_INTERRUPTED, ERR_BAD_INDEX, ERR_DB. */
int usage_inodes_read(struct usage_inodes *u, const struct dirtree *tree, struct index *ix, struct err *err);
/** The position of an inode, or TABLE_END. */
size_t usage_inodes_find(const struct usage_inodes *u, struct inode inode, int64_t size);
/** The position of the content with this hash, or TABLE_END. */
size_t usage_inodes_find_content(const struct usage_inodes *u, int64_t size, const void *hash);
/** The place that two places have in common. */
uint32_t usage_inodes_join(const struct usage_inodes *u, uint32_t a, uint32_t b);
/** Free all but what usage_inodes_find() needs. */
void usage_inodes_thin(struct usage_inodes *u);
/** Free what it owns. */
void usage_inodes_release(struct usage_inodes *u);

#endif
