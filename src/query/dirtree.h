/* SPDX-License-Identifier: MIT */
/*
 * dirtree - all directories of the index as one tree in memory: a subtree is a range of numbers.
 */
#ifndef QUERY_DIRTREE_H
#define QUERY_DIRTREE_H

struct db;

/** No directory. */
#define DIRTREE_NONE UINT32_MAX

/**
 * The tree.  Every directory has a number: its place in a walk that visits a
 * directory before those below it, and those of one directory in the order of
 * their names.  So a subtree is one range of numbers.  The directories above
 * tops, which the index does not have, are there, too, up to "/"; tops hang on
 * what is above them by their paths, however they were scanned.
 */
struct dirtree;

/** Read all directories.  Returns 0 with an owned tree, or -1: ERR_BAD_INDEX, ERR_DB. */
int dirtree_load(struct dirtree **t, struct db *db, struct err *err);
/** Free.  Accepts NULL. */
void dirtree_free(struct dirtree *t);

/** How many there are: their numbers are below it. */
uint32_t dirtree_count(const struct dirtree *t);

/** Find a directory by its absolute path, or by its id in the index; else DIRTREE_NONE. */
uint32_t dirtree_find(const struct dirtree *t, const char *path);
uint32_t dirtree_by_id(const struct dirtree *t, int64_t id);

/** Find the lowest directory that is at or above an absolute path, or 0. */
uint32_t dirtree_nearest(const struct dirtree *t, const char *path);

/**
 * The first directory within another, and the next beside it, by name; DIRTREE_NONE at the end.
 */
uint32_t dirtree_first(const struct dirtree *t, uint32_t dir);
uint32_t dirtree_next(const struct dirtree *t, uint32_t dir);

/** The number behind the last directory of a subtree. */
uint32_t dirtree_end(const struct dirtree *t, uint32_t dir);
/** The number of the parent, less than its own.  Number 0, above "/", is its own parent. */
uint32_t dirtree_parent(const struct dirtree *t, uint32_t dir);
/**
 * Make sums of subtrees: add to n numbers of each directory those of all below it.  They begin at
 * sums for the first directory, and lie stride numbers apart; they wrap around.
 */
void dirtree_add_up(const struct dirtree *t, uint64_t *sums, size_t n, size_t stride);
/** The nearest directory that a and b are, or are below. */
uint32_t dirtree_common(const struct dirtree *t, uint32_t a, uint32_t b);

/** Its id in the index; 0 when the index does not have it. */
int64_t dirtree_id(const struct dirtree *t, uint32_t dir);
/** Its name as bytes, without a slash ("" for "/").  Lives as long as the tree. */
const char *dirtree_name(const struct dirtree *t, uint32_t dir);
/** Append its absolute path. */
void dirtree_path(const struct dirtree *t, uint32_t dir, struct buf *path);

/** Exclude a directory and all below it; no effect if the tree does not have it. */
void dirtree_exclude(struct dirtree *t, const char *path);
/**
 * Returns an owned array by directory: whether it lies in a trash, whose files are no copies to
 * rely on; NULL when there is no trash.  What lies at and below those of n absolute paths that are
 * a trash, or lie in one, does not count as trash: it was meant.
 */
bool *dirtree_trash(const struct dirtree *t, const char *const *but, size_t n);

/** Exclude every trash, except one that a path of but is, or lies in.  Returns how many. */
size_t dirtree_exclude_trash(struct dirtree *t, const char *const *but, size_t n);

/** Why what lies in a directory may go by itself: index/fleeting. */
unsigned dirtree_fleeting(const struct dirtree *t, uint32_t dir);
/**
 * The same of all directories, in an owned array by number, without what those of n absolute paths
 * show by their names (FLEETING_NAMED), at and below these: they were meant.
 */
uint8_t *dirtree_reasons(const struct dirtree *t, const char *const *but, size_t n);

/** Whether a directory lies at or below an excluded one. */
bool dirtree_excluded(const struct dirtree *t, uint32_t dir);

#endif
