/* SPDX-License-Identifier: MIT */
/* views - volumes whose files may be those of other ones: overlays, programs in user space. */
#ifndef QUERY_VIEWS_H
#define QUERY_VIEWS_H

#include "index/inode.h"
#include "sys/fs.h"

struct index;
struct indexes;

/** A volume, by its number, and the first of those that have its identity. */
struct views_twin {
	int64_t volume, first;
};

/** Numbers, below 0 of shares of other servers; zero it, views_load(), views_release() it. */
struct views {
	int64_t *v;
	size_t n, cap;
	VEC(int64_t) mirrors;   /* those that may show one file twice in themselves */
	VEC(struct views_twin) twins;   /* in groups of one identity; private */
};

/** Load those of an index and of the others, or NULL, that are asked with it.  Returns 0 or -1. */
int views_load(struct views *views, struct index *ix, const struct indexes *with, struct err *err);

void views_release(struct views *views);

/** Let files of a volume that is not in the index be judged like those of a view. */
void views_note(struct views *views, int64_t volume);

/** The volume if it is one of them, else 0. */
int64_t views_of(const struct views *views, int64_t volume);

/** Of a file: where it is, and the time of its last change. */
struct views_file {
	struct inode inode;
	struct fs_time mtime;
};

/** Whether there is a volume, or a pair of them, that may show one file twice. */
bool views_any(const struct views *views);

/**
 * Of the n names of one content, mark in viewed those that may be the same files as others, by
 * another inode: they count for nothing.  Of volumes of which one may show the files of the other
 * those count that have most, and of as many those that no view shows; of files that may be one by
 * their times (views_one_by_time) the first.
 */
void views_judge(const struct views *views, const struct views_file *v, size_t n, bool *viewed);

/** A copy, and the caller's numbers of its content and of it. */
struct views_copy {
	struct views_file file;  /* the time of a volume that splits */
	uint32_t content, copy;
};

/** Add to *viewed the numbers of those of n copies that do not count; puts these in order. */
void views_find(const struct views *views, struct views_copy *v, size_t n, struct bits *viewed);

/**
 * Whether files of a volume may be one file by their times: under two inodes, for a program in user
 * space shows them, or under one number on another volume, for both have one identity: an image
 * twice, or a clone.
 */
bool views_splits(const struct views *views, int64_t volume);

/** Whether two files of one content, and with different inodes, may be one for that reason. */
bool views_one_by_time(const struct views *views, struct views_file a, struct views_file b);

/** Whether two files of one content may be one file although their inodes differ. */
bool views_may_be_one(const struct views *views, struct views_file a, struct views_file b);

#endif
