/* SPDX-License-Identifier: MIT */
/* glob - patterns that say which entries of a tree to leave out. */
#ifndef BASE_GLOB_H
#define BASE_GLOB_H

/**
 * Whether pattern leaves out the entry at path (relative to the root, no
 * leading slash); is_dir tells whether that entry is a directory.
 *
 * As in a gitignore file, without its !: * and ? match within a
 * component, [a-z] and [!a-z] one byte, \ quotes the next byte, ** as a
 * whole component matches any number of components, at the end at least
 * one.  A [ without ] and a \ at the end match nothing.  A pattern with no
 * slash but at its end is compared with the last component at any depth;
 * any other is anchored at the root (a leading slash only anchors).  A slash
 * at the end restricts it to directories.  Bytes are compared, not
 * characters.  Time is bounded by O(pattern * path).
 */
bool glob_excludes(const char *pattern, const char *path, bool is_dir);

/** Whether name as a whole matches a pattern of one component (* ? [ ] \). */
bool glob_match(const char *pattern, const char *name);

/** Whether a typed name is a pattern: it has one of * ? [. */
bool glob_is_pattern(const char *typed);

/** Whether name equals or matches one of n names or patterns; with n 0 any name does. */
bool glob_is_one_of(const char *const *names, size_t n, const char *name);

#endif
