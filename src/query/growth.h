/* SPDX-License-Identifier: MIT */
/* growth - by how much directories have grown between two states of the index. */
#ifndef QUERY_GROWTH_H
#define QUERY_GROWTH_H

#include "query/changes_files.h"

struct index;

/** Between which states, and where.  Paths are absolute. */
struct growth_query {
	int64_t from, to;            /* runs: after which; CHANGES_NOW: as it is */
	const char *const *below;    /* directories, none in another: what these hold */
	size_t n_below;
	const char *const *exclude;  /* as if these did not exist */
	size_t n_exclude;
};

/** A subdirectory with all below it, or the files that lie directly in a directory. */
struct growth_entry {
	const char *path;            /* absolute; of files that of their directory */
	bool is_files;
	int64_t files, bytes;        /* by so much more; below 0: less.  Each name counts */
};

/** Zero it, growth_load() or growth_count() it, growth_release() it. */
struct growth {
	VEC(struct growth_entry) entries;  /* what has changed, by path; files first */
	int64_t files, bytes;        /* of all */
	int64_t left_out;            /* files that options of a scan leave out since: not counted */
	VEC(const char *) first;     /* roots that were scanned first since then */
	struct arena memory;
};

/** Read the history, and count.  Returns 0, or -1: ERR_INTERRUPTED, ERR_BAD_INDEX, ERR_DB. */
int growth_load(struct growth *g, struct index *ix, const struct growth_query *q, struct err *err);
/** Count in states that were read.  Returns as growth_load(). */
int growth_count(struct growth *g, struct index *ix, struct changes_files *f, const struct growth_query *q, struct err *err);
void growth_release(struct growth *g);

/** What a directory, or the files directly in it, has grown by; or NULL: nothing. */
const struct growth_entry *growth_find(const struct growth *g, const char *path, bool is_files);

#endif
