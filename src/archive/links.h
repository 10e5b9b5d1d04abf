/* SPDX-License-Identifier: MIT */
/* links - private to the room: the contents to which hard links in an archive lead. */
#ifndef ARCHIVE_LINKS_H
#define ARCHIVE_LINKS_H

#include "sys/content.h"

/** The size of a member, and the hash of its content if that is above 0. */
struct links_content {
	int64_t size;
	uint8_t hash[HASH_SIZE];
};

/**
 * The members met so far: 48 bytes each.  Zero it, but for secret; links_release() it.  Names are
 * known by their hashes with the secret: nobody can make two that are taken for one.
 */
struct links {
	const uint8_t *secret;   /* borrowed */
	/* private */
	VEC(struct links_member) all;
	struct table by_name;
};

/** Note the content of a name, which replaces that of the same name before. */
void links_add(struct links *l, const char *name, const struct links_content *content);
/** The content of the member to which a link leads, by its name; NULL: it is not known. */
const struct links_content *links_find(const struct links *l, const char *name);
/** Forget all. */
void links_release(struct links *l);

#endif
