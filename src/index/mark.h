/* SPDX-License-Identifier: MIT */
/* mark - decisions about files, kept by path and content, made and undone in batches. */
#ifndef INDEX_MARK_H
#define INDEX_MARK_H

#include "sys/content.h"

struct index;

/** The user's decision about a file. */
enum mark_decision {
	MARK_NONE,
	MARK_DROP,        /* to be removed: other copies remain */
	MARK_KEEP,
	MARK_DECISIONS
};

/** The word for a decision ("drop", "keep"), NULL for none. */
const char *mark_name(enum mark_decision decision);
extern const char *const mark_names[MARK_DECISIONS];

/** A decision and the content that it was made for. */
struct mark {
	const char *path;       /* absolute; borrowed from where the mark was read */
	enum mark_decision decision;
	int64_t size;
	int64_t mtime_ns;       /* fs_time_key() */
	bool has_hash;          /* always where the decision is to drop */
	uint8_t hash[HASH_SIZE];
	int64_t made;           /* seconds since 1970 */
};

/**
 * Whether a file has the content that a mark was made for.  With hash NULL (never read whole) size
 * and time must agree, and only a mark to keep fits.
 */
bool mark_fits(const struct mark *m, int64_t size, int64_t mtime_ns, const uint8_t *hash);

/** Get the mark of a path.  Returns 1 with *m (its path is the caller's), 0 without one, or -1. */
int mark_get(struct index *ix, const char *path, struct mark *m, struct err *err);

/**
 * Called for a mark; its path is borrowed for the call.
 * Returns 0 to go on, another value to stop.
 */
typedef int mark_fn(void *arg, const struct mark *m);
/**
 * Deliver the marks at and below an absolute path in the order of the
 * paths' bytes.  Returns 0, what fn returned, or -1.
 */
int mark_each(struct index *ix, const char *path, mark_fn *fn, void *arg, struct err *err);

/** Count the marks to drop, in effect or not, and add up the sizes.  Returns 0 or -1. */
int mark_count_drops(struct index *ix, int64_t *n, int64_t *bytes, struct err *err);

/**
 * Begin a batch, which one undo takes back; drops the oldest batches.  Inside a transaction.
 * Returns 0 or -1.
 */
int mark_begin(struct index *ix, int64_t *batch, struct err *err);
/** Whether two marks of one path have the same decision and content. */
bool mark_same(const struct mark *a, const struct mark *b);
/** Set n marks; of two for one path the later wins.  Inside a transaction.  Returns 0 or -1. */
int mark_put(struct index *ix, int64_t batch, const struct mark *v, size_t n, struct err *err);
/**
 * Remove the marks at and below an absolute path.  Inside a
 * transaction.  Returns 0 with how many in *n, or -1.
 */
int mark_clear(struct index *ix, int64_t batch, const char *path, int64_t *n, struct err *err);
/**
 * Called for a path whose mark undo or redo changes; from or to is MARK_NONE for no mark.
 * Returns 0 to go on, another value to stop.
 */
typedef int mark_change_fn(void *arg, const char *path, enum mark_decision from, enum mark_decision to);
/**
 * Undo the last batch, or redo the last undone one, which a new batch drops; calls fn, if not
 * NULL, for each path in the order of paths.  Inside a transaction.
 * Returns 1, 0 without a batch, what fn returned (not 0 or 1), or -1.
 */
int mark_step(struct index *ix, bool undo, mark_change_fn *fn, void *arg, struct err *err);
/**
 * Get the number of the batch that mark_step would undo, or 0.  Numbers are never used again.
 * Returns 0 or -1.
 */
int mark_last(struct index *ix, int64_t *batch, struct err *err);

/** A directory that has moved: absolute paths. */
struct mark_move {
	const char *from, *to;
};
/**
 * Move the marks at and below n directories, and those in the log, to the new paths, all at once:
 * two directories may have swapped names.  Sorts moves.  Inside a transaction.  Returns 0 or -1.
 */
int mark_follow(struct index *ix, struct mark_move *moves, size_t n, struct err *err);

/**
 * Drop the marks at and below an absolute path for good.  Inside a transaction.  Returns 0 or -1.
 */
int mark_forget(struct index *ix, const char *path, struct err *err);

/** Whether a decision counts. */
enum mark_state {
	MARK_EFFECTIVE,   /* the file has the marked content; to be dropped, it has another copy */
	MARK_STALE,       /* the path has other content now, or is gone */
	MARK_OFFLINE,     /* the file can't be looked at now */
	MARK_LAST,        /* to be dropped, but it is the last copy */
	MARK_STATES
};

/** The word for such a state ("effective", "stale", ...). */
const char *mark_state_name(enum mark_state state);
extern const char *const mark_states[MARK_STATES];

#endif
