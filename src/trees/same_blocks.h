/* SPDX-License-Identifier: MIT */
/* same_blocks - names whose files may be the same blocks of the disk (reflinks), and which are. */
#ifndef TREES_SAME_BLOCKS_H
#define TREES_SAME_BLOCKS_H

#include "index/exclusive_extents.h"

struct contents_map;
struct db;
struct file_row;
struct stat_results;

/** A name, by its position in contents_map.names, and where its blocks lie. */
struct same_blocks_name {
	uint32_t position;
	size_t name;             /* in names */
	int64_t where;           /* exclusive_extents_where() */
};

/** Zero it, same_blocks_open() it, note names, ask for them, same_blocks_release() it. */
struct same_blocks {
	/* private */
	const struct contents_map *map;
	struct exclusive_extents own;
	uint8_t *several;        /* a bit by name: it is to be noted; NULL: none is */
	struct same_blocks_name *v;
	size_t n, cap;
	struct buf names;
};

/**
 * Begin, for names of contents that wanted (by position in m->v) has true: of at most that many
 * contents, spread evenly.  Returns 0 or -1.
 */
int same_blocks_open(struct same_blocks *s, const struct contents_map *m, const bool *wanted, size_t most, struct db *db,
                     struct err *err);
/** Note the name at a position, which the row is of, if it may share its blocks. */
void same_blocks_note(struct same_blocks *s, size_t position, const struct file_row *row);
/** Ask for the blocks of all that are here, in threads.  Returns 0 or -1 (ERR_INTERRUPTED). */
int same_blocks_ask(struct same_blocks *s, const struct stat_results *l, struct err *err);
/**
 * Where the blocks of the name at a position lie; 0: some are its own, or nobody tells.  Names of
 * one content on one disk with one number, not 0, are the same blocks.
 */
int64_t same_blocks_where(const struct same_blocks *s, size_t position);
/** Free. */
void same_blocks_release(struct same_blocks *s);

#endif
