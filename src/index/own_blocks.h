/* SPDX-License-Identifier: MIT */
/* own_blocks - bytes of the disk that a file has for itself: what goes when it goes. */
#ifndef INDEX_OWN_BLOCKS_H
#define INDEX_OWN_BLOCKS_H

struct db;
struct own_blocks_volume;

/** Which file systems share blocks, asked once each.  Zero it, own_blocks_release() it. */
struct own_blocks {
	bool layers;             /* one has lower layers: what goes there frees that at most */
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

/**
 * Ask all volumes of an index, by their numbers there; of one that is not in its place no file
 * shares blocks.  Returns 0 or -1.
 */
int own_blocks_ask_all(struct own_blocks *o, struct db *db, struct err *err);
/** Whether any file system that was asked shares blocks, and whether this one does. */
bool own_blocks_any(const struct own_blocks *o);
bool own_blocks_shared(const struct own_blocks *o, uint64_t volume);

/** Append the absolute path of file i.  Any thread. */
typedef void own_blocks_path_fn(void *arg, size_t i, struct buf *path);
/** Take the own blocks of file i.  In the calling thread. */
typedef void own_blocks_take_fn(void *arg, size_t i, int64_t own);
/**
 * Find the own blocks of n files on file systems that share them, in threads; take is called for
 * those that tell.  Returns 0 or -1 (ERR_INTERRUPTED).
 */
int own_blocks_each(size_t n, own_blocks_path_fn *path, own_blocks_take_fn *take, void *arg, struct err *err);

/**
 * The same with a number that tells where the blocks of a file lie, all of which it shares; 0: it
 * has some for itself.  Files of one size on one disk with one number, not 0, are the same blocks.
 */
int own_blocks_where(size_t n, own_blocks_path_fn *path, own_blocks_take_fn *take, void *arg, struct err *err);

/** Free. */
void own_blocks_release(struct own_blocks *o);

#endif
