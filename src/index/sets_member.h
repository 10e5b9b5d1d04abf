/* SPDX-License-Identifier: MIT */
/* sets_member - a member of a set while sets are made: small, because there may be millions. */
#ifndef INDEX_SETS_MEMBER_H
#define INDEX_SETS_MEMBER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "index/answer.h"
#include "index/dirs.h"

struct buf;

/** A member and what decides its place in the set.  One directory's members share the text of its path. */
struct sets_member {
	const struct dirs_prefix *dir; /* borrowed */
	size_t name;                 /* where its name begins in the names that belong to all members */
	int64_t volume, blocks;
	int64_t inode, nlink;
	int64_t mtime_ns;
	uint32_t group;              /* its content's number, until the members of all are sorted */
	enum member_kind kind;
};

/** Whether it is there: a copy or a link. */
static inline bool
sets_member_lives(const struct sets_member *m)
{
	return m->kind == MEMBER_COPY || m->kind == MEMBER_LINK;
}

/** As strcmp of the paths. */
int sets_member_cmp_path(const struct sets_member *a, const struct sets_member *b, const char *names);

/** Append the path and a NUL. */
void sets_member_path(const struct sets_member *m, const char *names, struct buf *path);

/**
 * Make the members of a set, of which those that are there are all copies,
 * copies and links (unless links_are_copies), and put them in order: copies by path, each
 * followed by its links, then what is not there.
 */
void sets_member_arrange(struct sets_member *v, size_t n, const char *names, bool links_are_copies);

#endif
