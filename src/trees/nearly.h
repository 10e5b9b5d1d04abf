/* SPDX-License-Identifier: MIT */
/* nearly - directories that could go as a whole but for a few of their files, as indexed. */
#ifndef TREES_NEARLY_H
#define TREES_NEARLY_H

struct contents_map;
struct dir_sum;
struct keepers;

/** Whether a directory is a part of a whole (index/wholes).  Returns 1, 0 or -1. */
typedef int nearly_part_fn(void *arg, uint32_t dir);

/** What is asked.  Everything is borrowed for the call. */
struct nearly_query {
	const struct contents_map *m;
	const struct keepers *keepers;   /* which names keep contents, and what may go for them */
	bool outside;            /* ... and links outside of the index do, too */
	int64_t copies;          /* inodes of a content that must stay; 0: one */
	int64_t min_size;        /* directories with less bytes are left alone */
	const bool *never;       /* by directory: never this one */
	const bool *going;       /* by directory: it goes */
	nearly_part_fn *part;    /* called for those that fit: never one of which it is so */
	void *arg;
};

/** A directory, and the files that are to be kept of it. */
struct nearly_dir {
	uint32_t dir;
	int64_t missing;         /* files of which too few copies lie outside of it */
	struct dir_sum *sum;     /* what it holds; owned by struct nearly */
	bool together;           /* they are no more when what goes has gone */
};

/** The most directories that are found. */
enum { NEARLY_MAX = 5 };

/** The answer: zero it, nearly_find() it, nearly_release() it. */
struct nearly {
	struct nearly_dir v[NEARLY_MAX];   /* those with most to be freed, these first */
	size_t n;
	/* private */
	struct dir_sum *sums;    /* by directory */
};

/**
 * Find the highest directories of which at most 3 files, or 1 %, have too few copies outside of
 * them: less than half of their files, and at most half of their bytes.  All is as of the last
 * scan.  Returns 0, or -1: ERR_INTERRUPTED, or what q->part says.
 */
int nearly_find(struct nearly *n, const struct nearly_query *q, struct err *err);
void nearly_release(struct nearly *n);

#endif
