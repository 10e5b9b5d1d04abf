/* SPDX-License-Identifier: MIT */
/* mounted - the present mounts, as the kernel lists them. */
#ifndef SYS_MOUNTED_H
#define SYS_MOUNTED_H

/**
 * A mount, borrowed for the call that delivers it.  Its names have octal escapes for blank, tab,
 * newline and backslash, as the kernel writes them.
 */
struct mounted {
	uint64_t dev;         /* of btrfs that of no file: each subvolume has its own */
	const char *root;     /* the directory of the file system that is seen there */
	const char *point;    /* where: absolute */
	const char *type;     /* the kernel's word: "ext4", "fuse.sshfs" ... */
	const char *source;   /* a device or a name */
	const char *upper;    /* of an overlay: the directory that it is written to; else NULL */
	bool remote;          /* a program or another machine serves it, and may not answer */
};

/** Called for each mount.  Returns whether to stop. */
typedef bool mounted_fn(void *arg, const struct mounted *m);

/**
 * Deliver the mounts of this process, oldest first: a later one may hide an earlier one.  Returns
 * whether fn stopped; false also where the system has no list.
 */
bool mounted_each(mounted_fn *fn, void *arg);

/**
 * Whether something is mounted below only one of two paths of a directory: files there, or hidden
 * by it, are then visible by one path alone.
 */
bool mounted_differs(const char *a, const char *b);

/** Called for a path, which is borrowed. */
typedef void mounted_path_fn(void *arg, const char *path);

/**
 * Deliver the paths outside dir where another mount shows directories at or below dir: files
 * removed below dir are gone there, too.  A path may come twice.
 */
void mounted_also(const char *dir, mounted_path_fn *fn, void *arg);

/** Decode a name of a mount and append it. */
void mounted_name(struct buf *b, const char *escaped);

#endif
