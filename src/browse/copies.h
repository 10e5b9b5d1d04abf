/* SPDX-License-Identifier: MIT */
/* copies - in which directories the contents of others lie as well, as indexed. */
#ifndef BROWSE_COPIES_H
#define BROWSE_COPIES_H

#include "trees/tree_answer.h"

struct index;

/** Where all contents of an index lie. */
struct copies;

/** The directories for one; it borrows nothing. */
struct copies_answer {
	int64_t files;           /* below it, whose contents lie elsewhere, too */
	int64_t others;          /* ... in none of the places */
	VEC(struct tree_place) places;   /* most files first */
	struct arena memory;     /* private */
};

/** Load what lies where in one pass over the files.  Returns 0 with an owned *c, or -1. */
int copies_load(struct copies **c, struct index *ix, struct err *err);
/** Free.  Accepts NULL. */
void copies_free(struct copies *c);

/** Find the places for a directory, none where it is not in the index.  Returns an owned answer. */
struct copies_answer *copies_find(struct copies *c, const char *path);
/** Free.  Accepts NULL. */
void copies_answer_free(struct copies_answer *a);

#endif
