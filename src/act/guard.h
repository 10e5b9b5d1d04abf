/* SPDX-License-Identifier: MIT */
/* guard - what is left alone unless it is named: hidden directories, other users' places. */
#ifndef ACT_GUARD_H
#define ACT_GUARD_H

/** Zero it, set hidden, guard_release() it.  Remembers the directory that was asked about last. */
struct guard {
	bool hidden;          /* only what is mounted read-only is left alone */
	/* private */
	struct buf base, dir; /* what why is about */
	struct buf why;
};

/**
 * Why the file at path, reached from base, which is the path itself or a directory above it that
 * was named, is left alone: a directory between them is hidden, belongs to somebody who is neither
 * this user nor the owner of base, or the file system is mounted read-only.  Returns a text, valid
 * until the next call, or NULL: it is not.
 */
const char *guard_why(struct guard *g, const char *base, const char *path);
/** Free the memory. */
void guard_release(struct guard *g);

#endif
