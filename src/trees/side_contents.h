/* SPDX-License-Identifier: MIT */
/* side_contents - what tells contents of two sides apart; the files of a side by content. */
#ifndef TREES_SIDE_CONTENTS_H
#define TREES_SIDE_CONTENTS_H

struct side;
struct side_file;

/** Whether a file is as it was indexed, as far as that can be said now. */
bool side_holds(const struct side_file *f);
/** ... and is known by its content. */
bool side_is_known(const struct side_file *f);
/** Whether two files of at least one byte certainly have one content. */
bool side_equal(const struct side_file *a, const struct side_file *b);
/** Whether two files certainly have different contents. */
bool side_differ(const struct side_file *a, const struct side_file *b);
/** Whether a side has a file of which nothing proves that it differs from others of its size. */
bool side_any_suspect(const struct side *s);

/** The files of a side by what they hold.  Zero it, load it, release it. */
struct side_contents {
	struct table first;      /* of each content, the first file, and those that last longer */
	uint32_t *by_size;       /* files that side_contents_maybe asks for, in order; or NULL */
	size_t n;
};

/** Prepare side_contents_find, and side_contents_maybe if suspects are about. */
void side_contents_load(struct side_contents *c, const struct side *s, bool suspects);

/**
 * A file with the content of f that may be relied on for what may go by itself for the reasons why
 * (index/fleeting), or SIDE_NONE.
 */
uint32_t side_contents_find(const struct side *s, const struct side_contents *c, const struct side_file *f, unsigned why);

/** Whether a file of the side may have f's content, which side_contents_find has not found. */
bool side_contents_maybe(const struct side *s, const struct side_contents *c, const struct side_file *f);

/** Free the memory. */
void side_contents_release(struct side_contents *c);

#endif
