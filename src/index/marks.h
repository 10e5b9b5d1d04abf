/* SPDX-License-Identifier: MIT */
/* marks - the marks of files: asked for one by one, or, where files are many, all in memory. */
#ifndef INDEX_MARKS_H
#define INDEX_MARKS_H

#include "index/mark.h"

/** = { .ix = ... }, marks_load() it for many files, marks_release() it. */
struct marks {
	struct index *ix;
	/* private */
	bool loaded;
	VEC(struct mark) v;
	struct table by_content;   /* by their hash; those that have none by their path */
	struct arena paths;
};

/** Load the marks that the index has now, once.  Returns 0 or -1. */
int marks_load(struct marks *m, struct err *err);
/**
 * As mark_get, for the path of a file with this hash, or NULL.  A mark for another hash does not
 * fit: of those that were loaded it is not found.
 */
int marks_get(const struct marks *m, const uint8_t *hash, const char *path, struct mark *mark, struct err *err);
/**
 * The next mark for the content with this size and hash, of those that were loaded; *step is 0 at
 * first.  NULL behind the last.
 */
const struct mark *marks_next(const struct marks *m, int64_t size, const uint8_t hash[HASH_SIZE], size_t *step);
/** Whether there are marks for that content, of those that were loaded. */
bool marks_has(const struct marks *m, int64_t size, const uint8_t hash[HASH_SIZE]);
/** Free what it owns. */
void marks_release(struct marks *m);

#endif
