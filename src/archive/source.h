/* SPDX-License-Identifier: MIT */
/* source - private to the room: the bytes of an archive, as libarchive asks for them. */
#ifndef ARCHIVE_SOURCE_H
#define ARCHIVE_SOURCE_H

#include "archive/libarchive_functions.h"
#include "archive/packed.h"

#ifdef HAVE_LIBARCHIVE
/** Bytes of a read. */
#define SOURCE_BLOCK (256 * 1024)

/** A file. */
struct source_file {
	int fd;                  /* borrowed */
	int64_t size;
	/* private */
	uint8_t block[SOURCE_BLOCK];
};

/**
 * Deliver the next piece of a member, borrowed until the next call.  Returns false at its end, with
 * PACKED_GOOD or why there is no more.
 */
typedef bool source_piece_fn(void *arg, const void **piece, size_t *len, enum packed_why *why);

/** A member of an archive that comes piece by piece.  source_member_release() it. */
struct source_member {
	source_piece_fn *piece;
	void *arg;
	/* private */
	struct buf spool;        /* its beginning, or all of it */
	size_t at;               /* where that is read */
};

/** Open an archive in a file, from where its descriptor is.  Returns an ARCHIVE_ code. */
int source_open_file(struct archive *a, struct source_file *f);
/**
 * Open an archive that is a member.  One that is read by its directory is taken into memory first,
 * up to 256 MiB.  Returns an ARCHIVE_ code; or ARCHIVE_FATAL with *why other than PACKED_GOOD, if
 * it can't be had whole.
 */
int source_open_member(struct archive *a, struct source_member *m, enum packed_why *why);
/** Free the memory. */
void source_member_release(struct source_member *m);
#endif

#endif
