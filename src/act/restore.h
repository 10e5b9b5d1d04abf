/* SPDX-License-Identifier: MIT */
/* restore - a new file with a known content, owner and times, put in place when it is whole. */
#ifndef ACT_RESTORE_H
#define ACT_RESTORE_H

#include "act/acts_read.h"
#include "sys/content.h"
#include "sys/rename.h"

struct verdict;

/** Words in the unused name that a file has until it is whole (rename_unused): undo, rescue. */
#define RESTORE_WORD "undo"
#define RESTORE_RESCUE_WORD "rescue"

/** A new file; = RESTORE_NONE until restore_open(), then restore_close(). */
struct restore {
	int dir;                         /* borrowed */
	int fd;                          /* owned, or -1 */
	const char *word;                /* for its unused name */
	_Atomic int64_t *meter;          /* gets bytes as they are copied; or NULL */
	char name[RENAME_UNUSED_SIZE];   /* "": none, and closing it frees it */
	struct content_result content;   /* once it was filled */
};

#define RESTORE_NONE { .dir = -1, .fd = -1 }

/**
 * Make an empty file in the open directory dir, if possible without a name; word is one of those
 * above.  Returns 0, or -1 with the verdict.
 */
int restore_open(struct restore *r, int dir, const char *word, struct verdict *v);

/**
 * Copy the bytes of the open file from, l->size of them, by sharing its blocks if possible.
 * Returns 0, or -1 with the verdict.
 */
int restore_copy(struct restore *r, const struct acts_line *l, int from, struct verdict *v);

/**
 * Read it again: disk, from its disk, to which it was synced before.  Returns 1; 0: its hash or
 * size is not that of the act l; or -1 with the verdict.
 */
int restore_check(struct restore *r, const struct acts_line *l, bool disk, struct content_reader *reader, struct verdict *v);

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

/**
 * The same as far as this process and the file system can keep them, without the disk: what is
 * lacking is appended to lacks (attrs_set_most).  Returns 0, or -1 with the verdict.
 */
int restore_finish_most(struct restore *r, const struct acts_line *l, struct buf *lacks, struct verdict *v);

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
