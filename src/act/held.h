/* SPDX-License-Identifier: MIT */
/* held - a regular file held open with its directory: an act meets what was compared. */
#ifndef ACT_HELD_H
#define ACT_HELD_H

#include "sys/fs.h"
#include "sys/lease.h"

struct held_dir;
struct held_dirs;
struct verdict;

/** Descriptors that one file holds, alone in its directory. */
#define HELD_FDS 2

/** A file held open; = HELD_NONE until held_open(). */
struct held {
	const char *path;      /* absolute; borrowed */
	const char *name;      /* its last component, in path */
	int dir;               /* its directory, opened without any link on the way; of in */
	struct held_dir *in;   /* which it is a user of */
	int fd;                /* the file, open for reading; owned */
	struct fs_stat st;     /* as of held_open, brought up to date by acts of our own */
	enum lease lease;
	bool renewed;          /* st has been brought up to date since */
	bool numbers_names;    /* each name of it has a number of its own: alias_check() saw that */
};

#define HELD_NONE { .path = NULL, .dir = -1, .fd = -1 }

/**
 * Open the file at path and its directory, unless dirs (or NULL) has that: no component may be a
 * link, no FIFO is waited for, nothing but a regular file is taken.  Then take a read lease on it.
 * Returns 0, or -1 with the verdict, and nothing open.
 */
int held_open(struct held *h, const char *path, struct held_dirs *dirs, struct verdict *v);
/** Close both, which ends the lease.  Accepts HELD_NONE. */
void held_close(struct held *h);

/** Whether two held files are one inode. */
bool held_same_inode(const struct held *a, const struct held *b);
/** Whether on the file system of an open one two inode numbers are certainly two files. */
bool held_tells_files(const struct held *h);

/** Check that no writer has come, as far as a lease tells.  Returns 0, or -1 with the verdict. */
int held_check_lease(const struct held *h, struct verdict *v);

/**
 * Check that the open file is as it was: size, times, number of links, and its lease.
 * Returns 0, or -1 with the verdict.
 */
int held_check(const struct held *h, struct verdict *v);

/**
 * Check that the path still leads to the open file, unchanged: it is looked up from the root
 * directory, and where caches of names or attributes could answer, opened once more, without any
 * link on the way.  Returns 0, or -1 with the verdict.
 */
int held_check_path(const struct held *h, struct verdict *v);

/**
 * Take the present stat for h->st after an act of our own that changes ctime or nlink; size and
 * mtime must be the same.  Returns 0, or -1 with the verdict.
 */
int held_renew(struct held *h, struct verdict *v);
/**
 * The same with the stat that the file of h, as held_is() says, has just shown by another name.
 */
int held_renew_by(struct held *h, const struct fs_stat *st, struct verdict *v);

/**
 * Whether st is of the inode of h with its size and mtime: a rename changes ctime on most file
 * systems.
 */
bool held_is(const struct held *h, const struct fs_stat *st);

#endif
