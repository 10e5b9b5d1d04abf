/* SPDX-License-Identifier: MIT */
/* look - what is said of one file after a look at it and at all its copies; it stays. */
#ifndef BROWSE_LOOK_H
#define BROWSE_LOOK_H

#include "query/answer.h"

struct index;

/** A file's answer; all that it points to is the look's. */
struct look {
	struct file_answer a;    /* its path is set in any case */
	bool known;              /* the rest, too: the index or the file system has it */
	struct arena memory;     /* private */
};

/** Look at the file at an absolute path.  Returns 0 with an owned *look for look_free, or -1. */
int look_load(struct look **look, struct index *ix, const char *path, struct err *err);
/** Free.  Accepts NULL. */
void look_free(struct look *k);

#endif
