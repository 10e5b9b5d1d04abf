/* SPDX-License-Identifier: MIT */
/* moves_match - which file of an older tree becomes which one of a newer tree, by content. */
#ifndef TREES_MOVES_MATCH_H
#define TREES_MOVES_MATCH_H

struct tree_files;

/**
 * For each file of tree a, the file of tree b that is to get its path, or TREE_FILES_NONE; of each
 * content as many as both sides have left.  Files of b are taken once, and only those whose own
 * path has another content in a, or no file there.  Of several equal ones, the file of the same
 * name where most of the others of a's directory come from goes first, then any of the same name,
 * then any.
 *
 * Both are sides of one comparison (trees/pairs).  Returns an owned array.
 */
uint32_t *moves_match(const struct tree_files *a, const struct tree_files *b);

#endif
