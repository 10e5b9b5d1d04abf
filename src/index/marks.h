/* SPDX-License-Identifier: MIT */
/* marks - all marks in memory, found by content and path: for those who ask about many files. */
#ifndef INDEX_MARKS_H
#define INDEX_MARKS_H

#include <stdbool.h>
#include <stdint.h>

#include "base/arena.h"
#include "base/table.h"
#include "base/vec.h"
#include "index/mark.h"

/** Zero it, marks_load() it, marks_release() it. */
struct marks {
	/* private */
	VEC(struct mark) v;
	struct table by_content;   /* by their hash; those that have none by their path */
	struct arena paths;
};

/** Load the marks that the index has now.  Returns 0 or -1. */
int marks_load(struct marks *m, struct index *ix, struct err *err);
/**
 * As mark_get, for the path of a file with this hash, of the marks that were loaded: the mark for
 * another hash is not found, for it does not fit.  Returns whether there is one.
 */
bool marks_get(const struct marks *m, const uint8_t hash[HASH_SIZE], const char *path, struct mark *mark);
/** Whether there are marks for the content with this size and hash. */
bool marks_has(const struct marks *m, int64_t size, const uint8_t hash[HASH_SIZE]);
/** Free what it owns. */
void marks_release(struct marks *m);

#endif
