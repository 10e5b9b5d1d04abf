/* SPDX-License-Identifier: MIT */
/* keepers - where names keep contents: at and below given directories, and as long as they last. */
#ifndef TREES_KEEPERS_H
#define TREES_KEEPERS_H

#include "index/fleeting.h"
#include "query/place_rank.h"

struct contents_map;

/** Zero it, keepers_load() it, keepers_release() it. */
struct keepers {
	bool *counts;            /* by directory: it is one of these, or below; NULL: all are */
	uint8_t *why;            /* by directory: why what lies there may go by itself */
	uint8_t *lasting;        /* by content: reasons that all its names have */
	/** Set by the caller: by directory, none goes for more spare ones; NULL: any may. */
	const struct place_rank *ranks;
	const bool *named;       /* ... but these may; NULL: none */
};

/**
 * Names keep a content at and below n directories, or everywhere if there are none, where they
 * last as long as those that last longest (index/fleeting), and in no trash that was not meant.
 */
void keepers_load(struct keepers *k, const struct contents_map *m, const char *const *in, size_t n);
void keepers_release(struct keepers *k);

/** Whether names of a content in a directory keep it. */
static inline bool
keepers_in(const struct keepers *k, size_t content, uint32_t dir)
{
	return (k->counts == NULL || k->counts[dir]) && fleeting_keeps(k->why[dir], k->lasting[content]);
}

/** Whether a directory may go for names in another one, as far as it is about spare places. */
static inline bool
keepers_suit(const struct keepers *k, uint32_t dir, uint32_t other)
{
	return k->ranks == NULL || (k->named != NULL && k->named[dir]) || k->ranks[other].spare <= k->ranks[dir].spare;
}

/**
 * Why the other names of a content do not keep it, where a single inode does: all their reasons; 0
 * where several inodes keep it, or all names do.  Unless asked is NULL, a name of that inode must
 * lie in a directory of which asked, by number, is true.
 */
unsigned keepers_beside(const struct keepers *k, const struct contents_map *m, size_t content, const bool *asked);

#endif
