/* SPDX-License-Identifier: MIT */
/* copy_locations - a few directories in which the contents of another one lie as well. */
#ifndef TREES_COPY_LOCATIONS_H
#define TREES_COPY_LOCATIONS_H

struct removal;
struct removal_contents;

/** Places are numbers of directories, doubled; plus one: only directly in it. */
struct copy_locations_place {
	uint32_t place;
	int64_t files;
};

/** Working memory for many directories; = { .r = ... }, copy_locations_release() it. */
struct copy_locations {
	const struct removal *r;
	VEC(struct copy_locations_place) found;   /* most files first */
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
void copy_locations_find(struct copy_locations *p, uint32_t dir, const struct removal_contents *contents);

/** Free its memory. */
void copy_locations_release(struct copy_locations *p);

#endif
