/* SPDX-License-Identifier: MIT */
/* path - path strings of any bytes and any length; nothing here asks the file system. */
#ifndef BASE_PATH_H
#define BASE_PATH_H

struct buf;

/** Append name to the path in b, with one slash between them; "/" and an empty b get none. */
void path_append(struct buf *b, const char *name, size_t len);

/**
 * Append the lexical normal form of an absolute path: no empty, "." or ".."
 * components, no slash at the end but for "/" itself.  ".." above the root
 * stays at the root.
 */
void path_normalize(struct buf *b, const char *path);

/**
 * Whether path is dir or lies below it, by whole components: "/data2" is not
 * below "/data".  Both normalised.
 */
bool path_is_below(const char *path, const char *dir);

/**
 * Compare two normalised paths for an order in which a directory is followed by all that lies in
 * it: less than, equal to or greater than 0, as strcmp().
 */
int path_order(const char *a, const char *b);

/** The length of the deepest directory of two absolute paths that has both in it, or is one. */
size_t path_common_len(const char *a, const char *b);

/** Whether path is below any of n directories. */
bool path_is_below_any(const char *path, const char *const *dirs, size_t n);
/** The same, or above one of them. */
bool path_is_around_any(const char *path, const char *const *dirs, size_t n);

/**
 * Whether a directory of this name, in one named parent, is a trash by the specification of
 * freedesktop.org, ".Trash" or ".Trash-UID", or "files" in "Trash": its files will be deleted.
 */
bool path_is_trash(const char *name, size_t len, const char *parent, size_t parent_len);

/** The length of the outermost trash in path; 0: path lies in none. */
size_t path_trash_len(const char *path);

/** Whether path lies in a trash, and none of the n directories of meant is or lies in it. */
bool path_in_trash(const char *path, const char *const *meant, size_t n);

/**
 * The part of path after dir, without a leading slash: "" when they are equal,
 * NULL when path is not below dir.
 */
const char *path_below(const char *path, const char *dir);

/**
 * Find the first directory between dir and the file at path whose name begins with a dot.  Returns
 * whether there is one, with its *name, *len bytes.
 */
bool path_hidden_dir(const char *path, const char *dir, const char **name, size_t *len);

/** The last component of a normalised path ("" for "/"). */
const char *path_base(const char *path);

/** The length of the parent of a normalised absolute path: 1 for "/a" and "/". */
size_t path_parent_len(const char *path);
/**
 * The same of the normalised absolute path that is the first len bytes of
 * path: 1 for "/a", but 0 for "/".
 */
size_t path_up_len(const char *path, size_t len);

/**
 * Append the shortest relative path that leads from the directory dir to path; both are absolute
 * and normalised, and without links on the way to dir.
 */
void path_relative(struct buf *b, const char *dir, const char *path);

/**
 * Take the next component of *rest: set *name and *len, move *rest behind
 * it and its slashes.  Returns false at the end.
 */
bool path_next(const char **rest, const char **name, size_t *len);

#endif
