/* SPDX-License-Identifier: MIT */
/* prefix - names in a directory of the index that begin with a prefix: for completion by Tab. */
#ifndef QUERY_PREFIX_H
#define QUERY_PREFIX_H

struct db;

/** A name in a directory. */
struct name_found {
	char *name;    /* owned; its bytes */
	bool dir;
	const char *about;  /* what it is, where it names something else than a file; else NULL */
};

/** Names in the order of their bytes, each once.  Zero it, then prefix_release(). */
struct prefix {
	struct name_found *v;
	size_t n, cap;
	bool more;     /* there were more than were asked for */
};

/** Which names. */
struct prefix_query {
	const char *path;      /* of the directory: absolute, normalised */
	/** What they begin with: any bytes, also part of a character.  "": names not hidden. */
	const char *prefix;
	size_t prefix_len;
	size_t max;            /* deliver at most this many, not 0: the first ones and the last */
	bool dirs_only;
};

/**
 * Add names by range queries, which read no further than max rows that fit.  A directory above
 * a scanned one that is itself not in the index has the names that lead there.
 *
 * Returns 0 (also when the index has no such directory), or -1 with *err.
 */
int prefix_load(struct prefix *names, struct db *db, const struct prefix_query *q, struct err *err);

/** Whether a name fits the query, dirs_only aside. */
bool prefix_fits(const struct prefix_query *q, const char *name, size_t len);

/** Bring names into their order, drop repeats, and keep as many as prefix_load() does of max. */
void prefix_tidy(struct prefix *names, size_t max);

/** Free the memory. */
void prefix_release(struct prefix *names);

#endif
