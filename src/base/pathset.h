/* SPDX-License-Identifier: MIT */
/* pathset - absolute paths with numbers: find the one that equals a path, or lies above it. */
#ifndef BASE_PATHSET_H
#define BASE_PATHSET_H

/** A path of a set. */
struct pathset_entry {
	const char *path;   /* borrowed; normalised */
	size_t number;
};

/** Zero it, pathset_add() all, pathset_sort(), ask, pathset_release(). */
struct pathset {
	struct pathset_entry *v;
	size_t n, cap;
	size_t longest;     /* bytes of the longest path: longer ones need no search */
};

/** Add a path, borrowed as long as the set is used, with the caller's number for it. */
void pathset_add(struct pathset *set, const char *path, size_t number);
/** Sort, after the last pathset_add(). */
void pathset_sort(struct pathset *set);
/** Free the set. */
void pathset_release(struct pathset *set);

/**
 * Find the first len bytes of path.  Returns whether they are in the set, with
 * the smallest *number of those that are equal.
 */
bool pathset_find(const struct pathset *set, const char *path, size_t len, size_t *number);

/**
 * Find the innermost path of the set that is the first *len bytes of path, or
 * lies above them.  *len becomes its length: to go on further up, ask
 * for path_up_len() of that.
 *
 * Returns whether there is such a path, with its *number.
 */
bool pathset_above(const struct pathset *set, const char *path, size_t *len, size_t *number);

#endif
