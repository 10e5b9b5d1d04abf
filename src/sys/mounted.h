/* SPDX-License-Identifier: MIT */
/* mounted - what the kernel says is mounted now, and where. */
#ifndef SYS_MOUNTED_H
#define SYS_MOUNTED_H

/**
 * A mount, borrowed for the call that delivers it.  In its names blank, tab, newline and backslash
 * are octal escapes, as the kernel writes them.
 */
struct mounted {
	uint64_t dev;         /* of btrfs that of no file: each subvolume has its own */
	const char *root;     /* the directory of the file system that is seen there */
	const char *point;    /* where: absolute */
	const char *type;     /* the kernel's word: "ext4", "fuse.sshfs" ... */
	const char *source;   /* a device or a name */
	const char *upper;    /* of an overlay: the directory that it is written to; else NULL */
	bool remote;          /* a program or another machine answers for it, and may not */
};

/** Called for each mount.  Returns whether to stop. */
typedef bool mounted_fn(void *arg, const struct mounted *m);

/**
 * Deliver the mounts of this process in the order in which they were made: a later one may lie
 * over an earlier one.  Returns whether fn stopped; false as well where the system does not tell.
 */
bool mounted_each(mounted_fn *fn, void *arg);

/**
 * Whether something is mounted below one of two paths of a directory, and not below the other one:
 * what lies there, or is hidden there, is then seen at one of them alone.
 */
bool mounted_differs(const char *a, const char *b);

/** Called for a path, which is borrowed. */
typedef void mounted_path_fn(void *arg, const char *path);

/**
 * Deliver the paths outside of dir at which something that lies at or below dir is seen, too, by
 * another mount: what is removed below dir is gone there.  A path may come twice.
 */
void mounted_also(const char *dir, mounted_path_fn *fn, void *arg);

/** Append a name of a mount as bytes, without escapes. */
void mounted_name(struct buf *b, const char *escaped);

#endif
