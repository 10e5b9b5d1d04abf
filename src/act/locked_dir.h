/* SPDX-License-Identifier: MIT */
/* locked_dir - a directory held open for the files in it that are held. */
#ifndef ACT_LOCKED_DIR_H
#define ACT_LOCKED_DIR_H

#include <stdatomic.h>

/** A directory that was opened without any link on the way. */
struct locked_dir {
	int fd;
	uint64_t dev;
	bool tells_files;      /* two inode numbers on dev are certainly two files */
	/* private */
	char *path;
	atomic_uint users;     /* files in it, and struct locked_file_dirs */
};

/** Directories that a thread keeps for its next files: those of a keeper and of a victim. */
#define LOCKED_FILE_DIRS_KEPT 2

/** Zero it, locked_file_dirs_open() from it, locked_file_dirs_release() it.  Of one thread. */
struct locked_file_dirs {
	struct locked_dir *kept[LOCKED_FILE_DIRS_KEPT];   /* the last one asked for comes first */
};

/**
 * Open the directory that the first len bytes of path are, or take it from those that are kept.  d
 * may be NULL: none are.  Returns it with one user more, or NULL with errno.
 */
struct locked_dir *locked_file_dirs_open(struct locked_file_dirs *d, const char *path, size_t len);
/** Leave all that are kept: those without another user are closed. */
void locked_file_dirs_release(struct locked_file_dirs *d);

/** A user leaves, in any thread; the last one closes it.  Accepts NULL. */
void locked_dir_leave(struct locked_dir *dir);

#endif
