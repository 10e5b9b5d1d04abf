/* SPDX-License-Identifier: MIT */
/* exclusive_extents - disk blocks that no other file shares: freed when the file is removed. */
#ifndef INDEX_EXCLUSIVE_EXTENTS_H
#define INDEX_EXCLUSIVE_EXTENTS_H

struct db;
struct exclusive_extents_volume;

/** Which file systems share blocks, asked once each.  Zero it, exclusive_extents_release() it. */
struct exclusive_extents {
	bool layers;             /* one is an overlay: removing a file there may free less */
	/* private */
	struct exclusive_extents_volume *v;
	size_t n, cap;
};

/**
 * How many of its blocks, units of 512 bytes, the open file shares with no other: all of them
 * where the file system shares none, or does not tell.  volume is any number that stands for the
 * file system in all calls with o: the index's, or a device's.
 */
int64_t exclusive_extents_of(struct exclusive_extents *o, uint64_t volume, int fd, int64_t blocks);
/** As exclusive_extents_of, for an absolute path; opens the file only if blocks may be shared. */
int64_t exclusive_extents_at(struct exclusive_extents *o, uint64_t volume, const char *path, int64_t blocks);

/**
 * Ask all volumes of an index, by their numbers there.  A volume that is not mounted in its place
 * counts as sharing none.  Returns 0 or -1.
 */
int exclusive_extents_ask_all(struct exclusive_extents *o, struct db *db, struct err *err);
/** Whether any file system that was asked shares blocks, and whether this one does. */
bool exclusive_extents_any(const struct exclusive_extents *o);
bool exclusive_extents_shared(const struct exclusive_extents *o, uint64_t volume);

/** Append the absolute path of file i.  Any thread. */
typedef void exclusive_extents_path_fn(void *arg, size_t i, struct buf *path);
/** Take the own blocks of file i.  In the calling thread. */
typedef void exclusive_extents_take_fn(void *arg, size_t i, int64_t own);
/**
 * Find the exclusive blocks of n files on file systems that share blocks, in threads; calls take
 * for each file whose file system tells.  Returns 0 or -1 (ERR_INTERRUPTED).
 */
int exclusive_extents_each(size_t n, exclusive_extents_path_fn *path, exclusive_extents_take_fn *take, void *arg, struct err *err);

/**
 * As exclusive_extents_each, with a digest of where the blocks of a file lie instead; 0: it has
 * exclusive ones.  Files of one size on one disk with the same digest, not 0, share all blocks.
 */
int exclusive_extents_where(size_t n, exclusive_extents_path_fn *path, exclusive_extents_take_fn *take, void *arg, struct err *err);

/** Free. */
void exclusive_extents_release(struct exclusive_extents *o);

#endif
