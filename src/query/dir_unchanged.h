/* SPDX-License-Identifier: MIT */
/*
 * dir_unchanged - which directories hold what the index has of them, by name and type: in threads.
 */
#ifndef QUERY_DIR_UNCHANGED_H
#define QUERY_DIR_UNCHANGED_H

struct db;
struct dirtree;

/** Numbers of directories; release with vec_release(). */
struct dir_unchanged_others {
	uint32_t *v;
	size_t n, cap;
};

/**
 * List the n directories with the numbers tops, none of which lies in another, and all below
 * them, but for those that are excluded from t, and compare each with the index: its files, none
 * of which the scan failed to read, and its directories.  Append those that differ, that can't be
 * listed, or that the index does not have, in the order of tops.
 * Returns 0, or -1 with *err: ERR_INTERRUPTED, ERR_DB.
 */
int dir_unchanged_compare(struct db *db, const struct dirtree *t, const uint32_t *tops, size_t n, struct dir_unchanged_others *others,
                   struct err *err);

#endif
