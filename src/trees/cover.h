/* SPDX-License-Identifier: MIT */
/* cover - a few directories in which the contents of another one lie as well. */
#ifndef TREES_COVER_H
#define TREES_COVER_H

struct removal;
struct removal_contents;

/** Places are numbers of directories, doubled; plus one: only directly in it. */
struct cover_place {
	uint32_t place;
	int64_t files;
};

/** Working memory for many directories; = { .r = ... }, cover_release() it. */
struct cover {
	const struct removal *r;
	VEC(struct cover_place) found;   /* of the last cover_find(), most files first */
	int64_t elsewhere;       /* files of contents that lie elsewhere, in none of these */
	int64_t outside;         /* files of contents that only links outside of the index keep */
	/* private */
	int64_t *at;             /* by place: files whose contents lie there, and are not found */
	uint32_t *stamp;         /* by place: the content that was counted there last */
	uint32_t stamps;
	int64_t *names;          /* by directory: names below it */
	VEC(uint32_t) touched;   /* places with a count */
};

/**
 * Find where the contents in a directory lie besides: if it goes, in directories that stay.  A few
 * places, each as deep as it says much, none of them above it.
 */
void cover_find(struct cover *p, uint32_t dir, const struct removal_contents *contents);

/** Free its memory. */
void cover_release(struct cover *p);

#endif
