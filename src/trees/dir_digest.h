/* SPDX-License-Identifier: MIT */
/* dir_digest - what every directory holds, in sums and digests, so that two can be compared. */
#ifndef TREES_DIR_DIGEST_H
#define TREES_DIR_DIGEST_H

#include "trees/contents_map.h"

struct index;

/** 128 bits of a sum of keyed hashes: equal sums, equal sets.  Zero: nothing. */
struct dir_digest_digest {
	uint64_t low, high;
};

/** What lies at and below a directory; files without bytes, or that could not be read, aside. */
struct holding {
	int64_t files;                    /* names */
	uint64_t bytes;                   /* of their inodes, each once */
	int64_t n_contents;               /* contents, each once */
	uint64_t content_bytes;           /* theirs */
	int64_t links;                    /* names of inodes with several */
	int64_t unjudged;                 /* files and directories that could not be read */
	struct dir_digest_digest names;     /* of relative paths and contents */
	struct dir_digest_digest contents;  /* of the set of contents */
};

/** All directories of an index.  Zero it, dir_digest_load() it. */
struct dir_digest {
	struct contents_map map;
	struct holding *v;                /* by the number of the directory */
	uint32_t n;
	uint32_t root, end;               /* "/" and what is behind it; others have no place */
	/**
	 * By directory the lowest one that holds all its names: the directory itself, unless it
	 * holds nothing but a subdirectory.
	 */
	uint32_t *core;
	/**
	 * Twins: directories with the same contents under the same relative paths.  twin is by
	 * directory the first of its twins, itself where there is no other; DIRTREE_NONE where
	 * nothing lies below it, or another one is its core.  The twins of a directory stand
	 * together in order, ascending,
	 * its own position is at[].
	 */
	uint32_t *twin, *order, *at;
	uint32_t n_order;
};

/**
 * Load the contents of an index and add up all directories, but for n excluded ones (absolute
 * paths).  by_name: contents are the same only under the same name; a file with several names is
 * then counted under each.
 *
 * Returns 0, or -1: ERR_INTERRUPTED, ERR_BAD_INDEX, ERR_DB.
 */
int dir_digest_load(struct dir_digest *h, struct index *ix, const char *const *exclude, size_t n, bool by_name, struct err *err);
/** Free what it owns. */
void dir_digest_release(struct dir_digest *h);

/** Whether two directories are twins. */
bool dir_digest_are_twins(const struct dir_digest *h, uint32_t a, uint32_t b);

/** The number of twins of a directory, itself included; they begin at order[*first]. */
uint32_t dir_digest_twins(const struct dir_digest *h, uint32_t dir, uint32_t *first);

/** Names of a content in a range of directories: from is the first of them, to the one behind. */
struct dir_digest_range {
	uint32_t from, to;
};

/** The names of a content at and below a directory. */
struct dir_digest_range dir_digest_below(const struct dir_digest *h, uint32_t content, uint32_t dir);

/** Whether a directory lies at or below another one. */
bool dir_digest_is_below(const struct dir_digest *h, uint32_t dir, uint32_t other);

/** What is to be added at a directory, and so counts in it and in all above. */
struct dir_digest_part {
	uint32_t dir;
	uint64_t bytes;
};

struct dir_digest_parts {
	struct dir_digest_part *v;
	size_t n, cap;
};

/**
 * Set parts to the bytes of the inodes of a range of names, so that each counts once in every
 * directory: where names of one inode join, its bytes are taken off again.  Sums wrap around.
 */
void dir_digest_split(const struct dir_digest *h, uint32_t content, struct dir_digest_range names, struct dir_digest_parts *parts);

/** The bytes of the inodes of a range of names. */
uint64_t dir_digest_bytes(const struct dir_digest *h, uint32_t content, struct dir_digest_range names);

#endif
