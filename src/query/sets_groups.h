/* SPDX-License-Identifier: MIT */
/* sets_groups - contents that have several names: all of them, and quickly the one of a file. */
#ifndef QUERY_SETS_GROUPS_H
#define QUERY_SETS_GROUPS_H

#include "query/answer.h"

struct db;
struct stmt;
struct sets_unread;

/** A content with several names: half a cache line, for they are met at random. */
struct sets_group {
	int64_t size;
	uint8_t hash[HASH_SIZE];
	uint32_t n;                  /* names as indexed; then members, once they are loaded */
	uint32_t first;              /* of its members, for sets_source */
};

/** The order of sizes and hashes, for bsearch and qsort. */
int sets_groups_cmp(const void *a, const void *b);

/** Zero it, sets_groups_load() it, sets_groups_release() it. */
struct sets_groups {
	struct sets_group *v;        /* in the order of sizes and hashes */
	size_t n, cap;
	/* private */
	struct table by_content;
	uint8_t *bits;
	size_t bits_mask;
};

/**
 * Called for each name of each content, those of a content together: the row of SQL_FILE_CONTENTS
 * that st is at, and how many names this content has had so far.  From the second one on the
 * content is the last group.  Returns 0, or -1 to fail.
 */
typedef int sets_groups_name_fn(void *arg, const struct stmt *st, uint32_t n, struct err *err);

/**
 * Load the groups of contents of at least min_size (1 or more) bytes.  named is called with arg
 * for every name, or NULL, which costs half.  Returns 0 or -1.
 */
int sets_groups_load(struct sets_groups *g, struct db *db, int64_t min_size, sets_groups_name_fn *named, void *arg,
                     struct err *err);

/** Several indexes. */
struct sets_groups_of {
	struct db *const *dbs;       /* of this index first, then of others */
	size_t n;
	const struct sets_unread *read; /* more files of these */
	bool across;                 /* only groups in two indexes; else those in this one */
};

/** The same of several indexes. */
int sets_groups_load_joined(struct sets_groups *g, const struct sets_groups_of *of, int64_t min_size, struct err *err);
/** Prepare for sets_groups_find. */
void sets_groups_index(struct sets_groups *g);
/**
 * Give each group its place among the members of all, by its n, which begins at 0 again then: each
 * member goes to first + n++ of its group.
 */
void sets_groups_place(struct sets_groups *g);
/** Whether one pass over the rows of a number of files costs less than looking n names up. */
bool sets_groups_pass_pays(int64_t n, int64_t files);
/** The group of a content, or NULL. */
struct sets_group *sets_groups_find(const struct sets_groups *g, int64_t size, const uint8_t hash[HASH_SIZE]);
/** Free what it owns. */
void sets_groups_release(struct sets_groups *g);

#endif
