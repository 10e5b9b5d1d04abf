/* SPDX-License-Identifier: MIT */
/* rename - rename without replacing a file, and make unused names. */
#ifndef SYS_RENAME_H
#define SYS_RENAME_H

/** Bytes of a name that rename_unused() makes, with its NUL. */
#define RENAME_UNUSED_SIZE 40

/**
 * Make an unused name: hidden, with 64 random bits, always of the same length, so that it fits
 * where any name does.  what is a short word for people:
 * ".twindex-what-0123456789abcdef".
 */
void rename_unused(const char *what, char name[RENAME_UNUSED_SIZE]);

/** Whether a name is one of those, with this word (NULL: with any). */
bool rename_is_unused(const char *name, const char *what);

/**
 * Rename the entry from of the directory from_dir to to in to_dir, which must not exist: a name of
 * rename_unused(), or one that is reserved, as by a trash's info file.
 *
 * Where the file system can't rename without replacing (EINVAL: FUSE of version 2, NFS) checks just
 * before that to does not exist.
 *
 * Returns 0, or -1 with errno: EEXIST when to is there.
 */
int rename_keep(int from_dir, const char *from, int to_dir, const char *to);

/**
 * As rename_keep, to a name that others may make meanwhile: where the file system can't rename
 * without replacing, makes a hard link and removes from; a directory replaces an empty one made for
 * it.
 */
int rename_back(int from_dir, const char *from, int to_dir, const char *to);

/**
 * Exchange two names of the directory dir, both of which exist throughout.  Returns 0, or -1 with
 * errno: EINVAL where the file system can't.
 */
int rename_exchange(int dir, const char *a, const char *b);

#endif
