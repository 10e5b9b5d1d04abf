/* SPDX-License-Identifier: MIT */
/* similar_view - a few directories below a top, and what of them is in another one, in sums. */
#ifndef TREES_SIMILAR_VIEW_H
#define TREES_SIMILAR_VIEW_H

struct dir_digest;

/** A directory that is considered, and what of it is in the other top. */
struct similar_seen {
	uint32_t dir;
	uint64_t bytes;          /* of its inodes with contents of the other side */
	uint64_t other;          /* for narrowing: bytes of the other side that are here */
	bool whole;              /* bytes and other are complete, else without common contents */
};

/** Directories that are considered on a side, found by number. */
struct similar_view {
	VEC(struct similar_seen) all;
	uint32_t *stamp, *at;    /* by directory: the turn it was seen in, and where in all */
	uint32_t turn;
	uint32_t top;
};

/** Begin another view of directories at and below top. */
void similar_view_begin(struct similar_view *v, const struct dir_digest *h, uint32_t top);
/** Consider a directory and all above it up to the top. */
void similar_view_see(struct similar_view *v, const struct dir_digest *h, uint32_t dir);
/** All that is considered was seen: put it in order. */
void similar_view_sort(struct similar_view *v);
/** The nearest directory at or above dir that is considered. */
struct similar_seen *similar_view_at(const struct similar_view *v, const struct dir_digest *h, uint32_t dir);
/** Add what lies below each directory. */
void similar_view_sum(struct similar_view *v, const struct dir_digest *h);
/** The position behind those that are considered below the one at i. */
size_t similar_view_next(const struct similar_view *v, const struct dir_digest *h, size_t i);
/** Free what it owns. */
void similar_view_release(struct similar_view *v);

#endif
