/* SPDX-License-Identifier: MIT */
/* own_blocks - bytes of the disk that a file has for itself: what goes when it goes. */
#ifndef INDEX_OWN_BLOCKS_H
#define INDEX_OWN_BLOCKS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct own_blocks_volume;

/** Which file systems share blocks, asked once each.  Zero it, own_blocks_release() it. */
struct own_blocks {
	/* private */
	struct own_blocks_volume *v;
	size_t n, cap;
};

/**
 * How many of its blocks, units of 512 bytes, the open file shares with no other: all of them
 * where the file system shares none, or does not tell.  volume is any number that stands for the
 * file system in all calls with o: the index's, or a device's.
 */
int64_t own_blocks_of(struct own_blocks *o, uint64_t volume, int fd, int64_t blocks);
/** The same of the file at an absolute path, which is opened only where that may tell something. */
int64_t own_blocks_at(struct own_blocks *o, uint64_t volume, const char *path, int64_t blocks);
/** Free. */
void own_blocks_release(struct own_blocks *o);

#endif
