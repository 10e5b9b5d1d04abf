/* SPDX-License-Identifier: MIT */
/* try_queue - the directories that could go, in the order in which redundant tries them. */
#ifndef TREES_TRY_QUEUE_H
#define TREES_TRY_QUEUE_H

struct dir_sum;
struct dirtree;

/**
 * A directory to be tried; told: one above it is answered for, and says why not all of it goes.
 */
struct try_item {
	uint32_t dir;
	bool told;
};

struct try_queue {
	VEC(struct try_item) heap;   /* the first to be tried comes first */
	/* private */
	const struct dirtree *dirs;
	const struct dir_sum *sums;
	bool *spare;                 /* by directory: by its name it is rather a backup */
};

/** Begin with none; sums are those of every directory of the tree.  Both must outlive it. */
void try_queue_open(struct try_queue *q, const struct dirtree *t, const struct dir_sum *sums);
/** For zeroed ones, too. */
void try_queue_release(struct try_queue *q);

/**
 * Compare two directories, which may be the same: the one that frees more is tried first, then the
 * larger one; of equals what is rather a backup than what it was made of: named so
 * (backup_name_name), or in one that is, then the deeper one; then the last by its path.
 */
int try_queue_cmp(const struct try_queue *q, uint32_t x, uint32_t y);
void try_queue_add(struct try_queue *q, uint32_t dir, bool told);
/** Take the first one off a queue that is not empty. */
struct try_item try_queue_take(struct try_queue *q);

#endif
