/* SPDX-License-Identifier: MIT */
/*
 * name_index - all names of files and directories in the order of their bytes, and where each is.
 */
#ifndef INDEX_NAME_INDEX_H
#define INDEX_NAME_INDEX_H

struct db;

/** Bytes of names in a block: two rows, with what SQLite adds to them, fill a page. */
#define NAME_INDEX_BLOCK 4000
/** Bytes of places that end a block: one name is found without reading those of many. */
#define NAME_INDEX_PLACES 16384

/** Which names. */
struct name_index_query {
	/** The name; NULL: all names that part and matches let through, or that begin so. */
	const char *name;
	/** What they begin with, not "", in the order of names; NULL: anything. */
	const char *begin;
	/** Bytes that a name must contain, or "".  With fold a name in ASCII is lowered before. */
	const char *part;
	bool fold;
	/** Whether a name is wanted; asked only where these two are NULL. */
	bool (*matches)(void *arg, const char *name, size_t len);
};

/**
 * Called for each place of a name: a directory with a file of that name in it, or one that has the
 * name itself.  name ends with a NUL and is borrowed.  Returns 0 to go on, another value to stop.
 */
typedef int name_index_fn(void *arg, const char *name, size_t len, int64_t dir, bool is_dir);

/** Whether the index has all names: struct index says it of one that is open, as names. */
bool name_index_is_there(struct db *db);

/**
 * Deliver the places of names: all that the rows have, and some that they had once.  A place may
 * come twice.  Only if name_index_is_there().  arg is for q->matches, too.
 *
 * Returns 0, what fn returned, or -1: ERR_BAD_INDEX, ERR_DB, ERR_INTERRUPTED.
 */
int name_index_each(struct db *db, const struct name_index_query *q, name_index_fn *fn, void *arg, struct err *err);

#endif
