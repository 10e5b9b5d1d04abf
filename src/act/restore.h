/* SPDX-License-Identifier: MIT */
/* restore - a new file with a known content, owner and times, put in place when it is whole. */
#ifndef ACT_RESTORE_H
#define ACT_RESTORE_H

#include "act/acts_read.h"
#include "sys/content.h"
#include "sys/rename.h"

struct verdict;

/** The word in the unused name that a restored file has for a moment (rename_unused). */
#define RESTORE_WORD "undo"

/** A new file; = RESTORE_NONE until restore_open(), then restore_close(). */
struct restore {
	int dir;                         /* borrowed */
	int fd;                          /* owned, or -1 */
	char name[RENAME_UNUSED_SIZE];   /* "": none, and closing it frees it */
	struct content_result content;   /* once it was filled */
};

#define RESTORE_NONE { .dir = -1, .fd = -1 }

/**
 * Make an empty file in the open directory dir, if possible without a name.  Returns 0, or -1 with
 * the verdict.
 */
int restore_open(struct restore *r, int dir, struct verdict *v);

/**
 * Fill it with the bytes of the open file from, by sharing its blocks if possible, and read it
 * again: if the hash is not that of the act l, empty it.  Returns 1; 0: from has another content;
 * or -1 with the verdict.
 */
int restore_fill(struct restore *r, const struct acts_line *l, int from, struct content_reader *reader, struct verdict *v);

/**
 * Give it the owner, mode, attributes and time that the file of the act had, and see it to the
 * disk.  Returns 0, or -1 with the verdict.
 */
int restore_finish(struct restore *r, const struct acts_line *l, struct verdict *v);

/** Give it a name, which nothing may have.  Returns 0, or -1 with errno: EEXIST. */
int restore_put(struct restore *r, const char *name);

/**
 * Exchange it with the entry name, which gets the unused name r->name for the caller to look at;
 * a second call exchanges both back.
 * Returns 0, or -1 with errno.
 */
int restore_exchange(struct restore *r, const char *name);

/** Close it; a file that was not put in place is gone.  Accepts RESTORE_NONE. */
void restore_close(struct restore *r);

#endif
