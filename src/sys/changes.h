/* SPDX-License-Identifier: MIT */
/*
 * changes - what changed on a volume since an earlier moment, as its file system has it.
 *
 * A picture is taken before a scan looks at the first file, and kept.  The next scan compares it
 * with the state of then: every inode whose stat or content may differ from what was seen after the
 * first picture is among the changes.  Root alone may ask (CAP_SYS_ADMIN).
 *
 *	btrfs   the picture is the number of the last transaction, and some inodes with theirs, by
 *	        which it shows whether the disk was put back to an earlier state.  Every change of
 *	        an inode, also one with its times restored and a store through mmap, gives it the
 *	        number of a later transaction.  Of a changed file come the directories of all its
 *	        names, by its references.
 *	xfs     the picture is a keyed sum of the stats of each 16 neighbours by inode number.
 *	        Where it differs, all 16 are changes.  A sum with a time within the window before
 *	        it was taken equals no other: such a file may change again and keep its times.
 */
#ifndef SYS_CHANGES_H
#define SYS_CHANGES_H

#include "sys/fs.h"

/** Inodes that changed; zero it, changes_look(), changes_release(). */
struct changes {
	VEC(uint64_t) dirs;     /* changed directories, and those of changed files: ascending */
	VEC(uint64_t) files;    /* changed files of which the file system does not tell the names */
};

/**
 * Take a picture of the volume of the open directory fd, of which a key of the index and the type
 * are known by volume_describe(), and append it to picture; secret has CONTENT_SECRET_SIZE bytes.
 * Collect what changed since an earlier picture of old_len bytes (none: 0) in changes, which is
 * empty.
 *
 * Returns 1: these are all changes; 0: it can't be told what changed, as for a file system or a
 * user without the means, or since no picture; picture is empty if none could be taken; -1: ended
 * by a signal.
 */
int changes_look(int fd, const char *type, const uint8_t *secret, struct fs_time window, const void *old, size_t old_len,
                 struct buf *picture, struct changes *changes);
/** Free what it owns. */
void changes_release(struct changes *changes);

#endif
