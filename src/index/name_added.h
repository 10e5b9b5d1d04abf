/* SPDX-License-Identifier: MIT */
/* name_added - names that came since all were put in order (index/name_index). */
#ifndef INDEX_NAME_ADDED_H
#define INDEX_NAME_ADDED_H

struct index;

/**
 * Note a name before, or after, its row is written: of a file in a directory, or of the directory
 * itself.  When more names have come than are found quickly beside the others, all of them are
 * dropped, and ix->names becomes false: the scan that is under way makes them anew.  Inside the
 * transaction of the row.  Does nothing if !ix->names.  Returns 0 or -1.
 */
int name_added_put(struct index *ix, int64_t dir, const char *name, size_t len, bool is_dir, struct err *err);
/**
 * The same for a directory that is new, or has another place.  A name without parent (0) is an
 * absolute path; a directory moved aside (below 0) has none.
 */
int name_added_put_dir(struct index *ix, int64_t dir, int64_t parent, const char *name, size_t len, struct err *err);

#endif
