/* SPDX-License-Identifier: MIT */
/* marks - marks by content and path: read one by one, or all in memory. */
#ifndef INDEX_MARKS_H
#define INDEX_MARKS_H

#include "index/mark.h"

/** Set to { .ix = ... }; marks_load() for many files; marks_release(). */
struct marks {
	struct index *ix;
	/* private */
	bool loaded;
	VEC(struct mark) v;
	struct table by_content;   /* by the content's hash; without one by path */
	struct arena paths;
};

/** Load the marks that the index has now, once.  Returns 0 or -1. */
int marks_load(struct marks *m, struct err *err);
/**
 * As mark_get, for the path of a file with this hash, or NULL.  Once loaded, a mark for another
 * hash is not found: it would not fit.
 */
int marks_get(const struct marks *m, const uint8_t *hash, const char *path, struct mark *mark, struct err *err);
/**
 * Get the next loaded mark for the content with this size and hash; *step is 0 at first.  NULL
 * behind the last.
 */
const struct mark *marks_next(const struct marks *m, int64_t size, const uint8_t hash[HASH_SIZE], size_t *step);
/** Whether there are loaded marks for that content. */
bool marks_has(const struct marks *m, int64_t size, const uint8_t hash[HASH_SIZE]);
/** Free what it owns. */
void marks_release(struct marks *m);

#endif
