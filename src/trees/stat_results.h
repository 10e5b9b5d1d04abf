/* SPDX-License-Identifier: MIT */
/*
 * stat_results - which names of a map are there now, and what lies beside them that nobody judged.
 */
#ifndef TREES_STAT_RESULTS_H
#define TREES_STAT_RESULTS_H

#include "index/gaps.h"

struct contents_map;
struct file_row;
struct index;

/** Something in a directory that was not judged. */
struct stat_results_gap {
	uint32_t dir;            /* the number of the directory that it is in */
	enum gap gap;
	bool is_dir;             /* itself a directory, which was not gone into */
	const char *path;        /* absolute; like why owned by the results */
	const char *why;         /* the reason in words */
};

/** A name of a wanted content outside of the directories, of which nobody could tell. */
struct stat_results_copy {
	size_t name;             /* its position */
	bool told;               /* private */
	struct stat_results_gap gap;
};

/** Called for something that was not judged. */
typedef void stat_results_gap_fn(void *arg, const struct stat_results_gap *gap);

/** Looks at files and directories; zero it, stat_results_load() it, stat_results_release() it. */
struct stat_results {
	bool *wanted;            /* by content: stat_results_want(); owned */
	int64_t min_size;        /* private: of the wanted ones */
	uint8_t *here;           /* a bit by position in contents_map.names: stat_results_here() */
	uint8_t *unseen, *offline;   /* the same of the others */
	VEC(struct stat_results_gap) gaps;  /* in the order of dir, each once */
	VEC(struct stat_results_copy) copies;   /* private, as the rest: in the order of name */
	struct arena texts;
	/**
	 * Set before stat_results_load(): directories above tops, whose other files become gaps.
	 */
	const char *const *above;
	size_t n_above;
};

/** Whether the name at a position was there with its signature. */
static inline bool
stat_results_here(const struct stat_results *l, size_t name)
{
	return bits_has(l->here, name);
}

/** Whether nobody could tell: it has changed, can't be looked at, or its volume is not there. */
static inline bool
stat_results_unseen(const struct stat_results *l, size_t name)
{
	return bits_has(l->unseen, name);
}

/** Whether that is because its volume is not there. */
static inline bool
stat_results_offline(const struct stat_results *l, size_t name)
{
	return bits_has(l->offline, name);
}

/** The position in gaps of the first one at or behind a directory. */
size_t stat_results_gap_at(const struct stat_results *l, uint32_t dir);

/**
 * Called for each name of a content, both by position, that is about to be looked at, with its
 * row.
 */
typedef void stat_results_note_fn(void *arg, size_t content, size_t name, const struct file_row *row);

/**
 * Want the contents of at least min_size bytes with a name in a directory for which inside, by
 * number, is true.  Returns how many names they have.
 */
int64_t stat_results_want(struct stat_results *l, const struct contents_map *m, const bool *inside, int64_t min_size);

/**
 * Look at all names of the wanted contents, and list the n directories of m with the numbers tops,
 * none of which lies in another, and all below them.  What
 * is there and not in the index, can't be looked at or has changed becomes a gap; what is gone
 * does not.  A name whose stat shows another link count
 * loses its flag of having names outside.  note may be NULL.
 *
 * Returns 0, or -1: ERR_INTERRUPTED, ERR_BAD_INDEX, ERR_DB.
 */
int stat_results_load(struct stat_results *l, struct contents_map *m, struct index *ix, const uint32_t *tops, size_t n,
                      stat_results_note_fn *note, void *arg, struct err *err);

/**
 * Count and tell a name, if it lies outside of the directories and nobody could tell of it; each
 * once.
 */
void stat_results_tell_copy(struct stat_results *l, size_t name, stat_results_gap_fn *fn, void *arg, struct gaps *gaps);

/** Free what it owns. */
void stat_results_release(struct stat_results *l);

#endif
