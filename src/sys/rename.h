/* SPDX-License-Identifier: MIT */
/* rename - give a file another name without ever replacing one, and names that nobody has. */
#ifndef SYS_RENAME_H
#define SYS_RENAME_H

/** Bytes of a name that rename_unused() makes, with its NUL. */
#define RENAME_UNUSED_SIZE 40

/**
 * Make a name that nobody has: hidden, of 64 random bits, the same length whatever file it is for,
 * so that it fits where any name does.  what is a short word for people:
 * ".twindex-what-0123456789abcdef".
 */
void rename_unused(const char *what, char name[RENAME_UNUSED_SIZE]);

/** Whether a name is one of those, with this word (NULL: with any). */
bool rename_is_unused(const char *name, const char *what);

/**
 * Rename the entry from of the directory from_dir to the name to in to_dir, where nothing may be:
 * a name of rename_unused(), or one that others leave to its taker, as the record of a trash says.
 *
 * Where the file system can't promise the latter (EINVAL: FUSE of version 2, NFS) the absence of
 * to is looked at just before.
 *
 * Returns 0, or -1 with errno: EEXIST when to is there.
 */
int rename_keep(int from_dir, const char *from, int to_dir, const char *to);

/**
 * As rename_keep with a name that somebody may want back: where the file system has no rename that
 * replaces nothing, a hard link and then the removal of from do the same; a directory takes the
 * place of an empty one made for it.
 */
int rename_back(int from_dir, const char *from, int to_dir, const char *to);

/**
 * Exchange two names of the directory dir, both of which exist throughout.  Returns 0, or -1 with
 * errno: EINVAL where the file system can't.
 */
int rename_exchange(int dir, const char *a, const char *b);

#endif
