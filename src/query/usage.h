/* SPDX-License-Identifier: MIT */
/* usage - what lies below every directory of the index: bytes, and how many of them could go. */
#ifndef QUERY_USAGE_H
#define QUERY_USAGE_H

struct dirtree;
struct file_row;
struct index;

/**
 * Sums over files as indexed: each inode counts once, whatever its number of names.  One whose
 * names all lie in a trash will be emptied: it is no copy, and neither duplicated nor redundant.
 * Nor is one whose names all lie in backups.
 */
struct usage_sum {
	int64_t files;       /* names */
	int64_t bytes;
	int64_t duplicated;  /* bytes of inodes with another copy to rely on; at most bytes */
	/**
	 * Bytes that could be freed by removing from there alone so that one copy of
	 * everything remains in the index, and lasts as long.  An inode that has a name
	 * elsewhere, be it outside of all roots, frees nothing; of a content that is nowhere
	 * else, one copy stays.  Of copies that share blocks, be it with a snapshot, only the
	 * rest is freed.
	 */
	int64_t redundant;
	int64_t marked;      /* bytes of inodes all of whose names lie there and are marked drop */
	int64_t trash;       /* inodes with a copy whose names all lie there, and in a trash */
	/**
	 * Its part of what is redundant in the directory divided: of k copies there of which
	 * one stays, each counts as (k - 1) / k of its bytes, and each of its names as an equal
	 * part of these.  Those of subdirectories and of the files directly in a directory add up
	 * to its own, and of the directory divided that is what is redundant in it.
	 */
	int64_t portion;
};

/** What sums to load.  Paths are absolute, and borrowed for the call. */
struct usage_query {
	/** Directories that count, with all below them, as if they did not exist. */
	const char *const *exclude;
	size_t n_exclude;
	/**
	 * Copies that may share blocks are asked for it, if their removal counts at this
	 * directory or below it; NULL or not in the index: none is.
	 */
	const char *asked;
	/**
	 * What lies in a trash counts if this, or NULL, is that trash or lies in it: it can go if a
	 * copy lies in none.
	 */
	const char *meant;
	/** The directory of which others have a portion; NULL: none, portions are 0. */
	const char *divided;
	bool files;          /* usage_file() will be asked; it costs 50 bytes for each copy */
};

/** The sums of all directories: loaded once, asked many times.  It holds nothing of the index. */
struct usage;

/**
 * Load all sums in one pass over the files.
 * Returns 0 with an owned *u, or -1: ERR_INTERRUPTED, ERR_BAD_INDEX, ERR_DB.
 */
int usage_load(struct usage **u, struct index *ix, const struct usage_query *q, struct err *err);
/** Whether copies were asked for their blocks as far as the sums of a directory need it. */
bool usage_asked(const struct usage *u, uint32_t dir);
/**
 * Sum up the marks anew, after some were set or removed.  Costs what the marks of the index do.
 * Returns 0 or -1: the marks of u are not whole then.
 */
int usage_marks(struct usage *u, struct index *ix, struct err *err);
/** Free.  Accepts NULL. */
void usage_free(struct usage *u);

/** The directories and their numbers, for the functions below.  Lives as long as u. */
const struct dirtree *usage_dirs(const struct usage *u);
/** The sums of the subtree of a directory. */
struct usage_sum usage_below(const struct usage *u, uint32_t dir);
/** The sums of the files directly in a directory, as if these were a subdirectory. */
struct usage_sum usage_within(const struct usage *u, uint32_t dir);
/**
 * The sums of a file, but for marks, as of a directory with it alone: redundant unless it has
 * other names.  Of sums that were loaded for files.
 */
struct usage_sum usage_file(const struct usage *u, const struct file_row *row);

#endif
