/* SPDX-License-Identifier: MIT */
/* left_alone - what acts leave alone unless it is named: what is hidden, other users' places. */
#ifndef ACT_LEFT_ALONE_H
#define ACT_LEFT_ALONE_H

/** Set hidden, ask, left_alone_release() it. */
struct left_alone {
	bool hidden;                   /* only what is mounted read-only is left alone */
	bool read_only;                /* out: that is why, and hidden can't change it */
	/* private */
	struct buf base, dir;          /* the directory asked about last, which why is about */
	struct buf why;
};

/**
 * Why the file at path, reached from base, which is the path itself or a directory above it that
 * was named, is left alone: a directory between them is hidden, belongs to somebody who is neither
 * this user nor the owner of base, or the file system is mounted read-only.  whole: a directory
 * above it that belongs together (index/wholes), in which it does not matter what is hidden; or
 * NULL.  Returns a text, valid until the next call, or NULL: it is not.
 */
const char *left_alone_why(struct left_alone *l, const char *base, const char *whole, const char *path);
/** Whether an open directory belongs to somebody else than base, and not to this user. */
bool left_alone_is_foreign(const char *base, int fd);
void left_alone_release(struct left_alone *l);

#endif
