/* SPDX-License-Identifier: MIT */
/* undo_unread - the contents of files that the index has not read whole, for undo. */
#ifndef ACT_UNDO_UNREAD_H
#define ACT_UNDO_UNREAD_H

#include "sys/content.h"

struct dirs;

/** A file that was read. */
struct undo_unread_file {
	int64_t size;
	uint8_t hash[HASH_SIZE];
	const char *path;      /* absolute */
};

/** What was read; zero it, undo_unread_release() it. */
struct undo_unread {
	VEC(struct undo_unread_file) files;
	/* private */
	VEC(int64_t) sizes;    /* whose files were read */
	struct arena paths;
};

/**
 * Read the files of a size that the index knows without their hash, unless that was done.  Those
 * that cannot be read are left out.  Returns 0, or -1 with *err.
 */
int undo_unread_read(struct undo_unread *u, int64_t size, struct dirs *dirs, struct content_reader *reader, struct err *err);
/** Free the memory. */
void undo_unread_release(struct undo_unread *u);

#endif
