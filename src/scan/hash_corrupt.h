/* SPDX-License-Identifier: MIT */
/* hash_corrupt - files whose content changed under an unchanged signature. */
#ifndef SCAN_HASH_CORRUPT_H
#define SCAN_HASH_CORRUPT_H

#include "index/file.h"

struct db;
struct dirmap;
struct stats;

/** A file whose bytes changed although its inode, size and times did not. */
struct hash_corrupt_file {
	const char *path;        /* in hash_corrupt.paths; absolute */
	int64_t size;
	bool has_hash;
	uint8_t hash[HASH_SIZE]; /* of its old content */
};

/** All that a scan met.  Zero it, hash_corrupt_release() it. */
struct hash_corrupt {
	VEC(struct hash_corrupt_file) files;
	struct arena paths;
};

/** Free what it owns. */
void hash_corrupt_release(struct hash_corrupt *c);

/** Note the file at an absolute path.  row is its row, with its old content. */
void hash_corrupt_add(struct hash_corrupt *c, const char *path, const struct file_row *row);

/**
 * Tell for each noted file which names of the index still have its old content.  Call it after all
 * else is written.  Returns 0 or -1.
 */
int hash_corrupt_tell(const struct hash_corrupt *c, struct db *db, const struct dirmap *map,
                      struct stats *counts, struct err *err);

/** Paths of names of a content.  Zero it, hash_corrupt_copies_release() it. */
struct hash_corrupt_copies {
	VEC(const char *) paths;
	struct arena text;         /* private */
};

/** Add the path of a row. */
void hash_corrupt_copies_add(struct hash_corrupt_copies *copies, const struct dirmap *map, const struct file_row *row);
/** Sort the paths. */
void hash_corrupt_copies_sort(struct hash_corrupt_copies *copies);
/** Free what it owns; it may be used again. */
void hash_corrupt_copies_release(struct hash_corrupt_copies *copies);

#endif
