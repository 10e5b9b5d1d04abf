/* SPDX-License-Identifier: MIT */
/* alias_volumes - volumes that may show files of other ones: overlays, programs in user space. */
#ifndef QUERY_ALIAS_VOLUMES_H
#define QUERY_ALIAS_VOLUMES_H

#include "index/inode.h"
#include "sys/fs.h"

struct index;
struct indexes;

/** A volume, by its number, and the first of those that have its identity. */
struct alias_volumes_twin {
	int64_t volume, first;
};

/**
 * Numbers, negative for shares of other servers.  Zero it, alias_volumes_load(),
 * alias_volumes_release() it.
 */
struct alias_volumes {
	int64_t *v;
	size_t n, cap;
	VEC(int64_t) mirrors;   /* volumes that may show one file under two inodes */
	VEC(struct alias_volumes_twin) twins;   /* in groups of one identity; private */
};

/** Load the volumes of an index, and of the others if with is not NULL.  Returns 0 or -1. */
int alias_volumes_load(struct alias_volumes *views, struct index *ix, const struct indexes *with, struct err *err);

void alias_volumes_release(struct alias_volumes *views);

/** Treat a volume that is not in the index as a view. */
void alias_volumes_note(struct alias_volumes *views, int64_t volume);

/** The volume if it is one of them, else 0. */
int64_t alias_volumes_of(const struct alias_volumes *views, int64_t volume);

/** Of a file: where it is, and the time of its last change. */
struct alias_volumes_file {
	struct inode inode;
	struct fs_time mtime;
};

/** Whether there is a volume, or a pair of them, that may show one file twice. */
bool alias_volumes_any(const struct alias_volumes *views);

/**
 * Mark in viewed which of the n names of one content do not count: each may be the file of another
 * name, by another inode.  Where one volume may show the files of another, those of the volume
 * with most of them count, and of equals those of no view.  Of files that may be one by their
 * times (alias_volumes_one_by_time) the first counts.
 */
void alias_volumes_judge(const struct alias_volumes *views, const struct alias_volumes_file *v, size_t n, bool *viewed);

/** A copy, and the caller's numbers of its content and of it. */
struct alias_volumes_copy {
	struct alias_volumes_file file;  /* the time of a volume that splits */
	uint32_t content, copy;
};

/** Add to *viewed the numbers of those of n copies that do not count; puts these in order. */
void alias_volumes_find(const struct alias_volumes *views, struct alias_volumes_copy *v, size_t n, struct bits *viewed);

/**
 * Whether files of a volume may be one file by their times: under two inodes, for a program in
 * user space shows them, or under one number on another volume, for both have one identity: an
 * image twice, or a clone.
 */
bool alias_volumes_splits(const struct alias_volumes *views, int64_t volume);

/** Whether two files of one content, and with different inodes, may be one for that reason. */
bool alias_volumes_one_by_time(const struct alias_volumes *views, struct alias_volumes_file a, struct alias_volumes_file b);

/** Whether two files of one content may be one file although their inodes differ. */
bool alias_volumes_may_be_one(const struct alias_volumes *views, struct alias_volumes_file a, struct alias_volumes_file b);

#endif
