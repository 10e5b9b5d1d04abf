/* SPDX-License-Identifier: MIT */
/* locked_file - a regular file held open with its directory: an act meets what was compared. */
#ifndef ACT_LOCKED_FILE_H
#define ACT_LOCKED_FILE_H

#include "sys/fs.h"
#include "sys/lease.h"

struct locked_dir;
struct locked_file_dirs;
struct verdict;

/** Descriptors that one file holds, alone in its directory. */
#define LOCKED_FILE_FDS 2

/** A file held open; = LOCKED_FILE_NONE until locked_file_open(). */
struct locked_file {
	const char *path;      /* absolute; borrowed */
	const char *name;      /* its last component, in path */
	int dir;               /* its directory, opened without any link on the way; of in */
	struct locked_dir *in;   /* which it is a user of */
	int fd;                /* the file, open for reading; owned */
	struct fs_stat st;     /* as of locked_file_open, brought up to date by acts of our own */
	enum lease lease;
	bool renewed;          /* st has been brought up to date since */
	bool numbers_names;    /* each name has a number of its own: same_file_check() saw that */
};

#define LOCKED_FILE_NONE { .path = NULL, .dir = -1, .fd = -1 }

/**
 * Open the file at path and its directory, unless dirs (or NULL) has that: no component may be a
 * link, no FIFO is waited for, nothing but a regular file is taken.  Then take a read lease on it.
 * Returns 0, or -1 with the verdict, and nothing open.
 */
int locked_file_open(struct locked_file *h, const char *path, struct locked_file_dirs *dirs, struct verdict *v);
/** Close both, which ends the lease.  Accepts LOCKED_FILE_NONE. */
void locked_file_close(struct locked_file *h);

/** Whether two held files are one inode. */
bool locked_file_same_inode(const struct locked_file *a, const struct locked_file *b);
/** Whether two inode numbers on its file system are certainly two files. */
bool locked_file_tells_files(const struct locked_file *h);

/** Check that no writer has come, as far as a lease tells.  Returns 0, or -1 with the verdict. */
int locked_file_check_lease(const struct locked_file *h, struct verdict *v);

/**
 * Check that the open file is as it was: size, times, number of links, and its lease.
 * Returns 0, or -1 with the verdict.
 */
int locked_file_check(const struct locked_file *h, struct verdict *v);

/**
 * Check that the path still leads to the open file, unchanged: it is looked up from the root
 * directory, and where caches of names or attributes could answer, opened once more, without any
 * link on the way.  Returns 0, or -1 with the verdict.
 */
int locked_file_check_path(const struct locked_file *h, struct verdict *v);

/**
 * Take the present stat for h->st after an act of our own that changes ctime or nlink; size and
 * mtime must be the same.  Returns 0, or -1 with the verdict.
 */
int locked_file_renew(struct locked_file *h, struct verdict *v);
/**
 * The same with a stat that was just taken by another name of the file, as locked_file_is() has
 * checked.
 */
int locked_file_renew_by(struct locked_file *h, const struct fs_stat *st, struct verdict *v);

/**
 * Whether st is of the inode of h with its size and mtime: a rename changes ctime on most file
 * systems.
 */
bool locked_file_is(const struct locked_file *h, const struct fs_stat *st);

#endif
