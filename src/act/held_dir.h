/* SPDX-License-Identifier: MIT */
/* held_dir - a directory held open for the files in it that are held. */
#ifndef ACT_HELD_DIR_H
#define ACT_HELD_DIR_H

#include <stdatomic.h>

/** A directory that was opened without any link on the way. */
struct held_dir {
	int fd;
	uint64_t dev;
	bool tells_files;      /* two inode numbers on dev are certainly two files */
	/* private */
	char *path;
	atomic_uint users;     /* files in it, and struct held_dirs */
};

/** Directories that a thread keeps for its next files: those of a keeper and of a victim. */
#define HELD_DIRS_KEPT 2

/** Zero it, held_dirs_open() from it, held_dirs_release() it.  Of one thread. */
struct held_dirs {
	struct held_dir *kept[HELD_DIRS_KEPT];   /* the one that was asked for last comes first */
};

/**
 * Open the directory that the first len bytes of path are, or take it from those that are kept.  d
 * may be NULL: none are.  Returns it with one user more, or NULL with errno.
 */
struct held_dir *held_dirs_open(struct held_dirs *d, const char *path, size_t len);
/** Keep none of them any longer: open is then what has another user. */
void held_dirs_release(struct held_dirs *d);

/** A user leaves, in any thread; behind the last of them it is closed.  Accepts NULL. */
void held_dir_leave(struct held_dir *dir);

#endif
