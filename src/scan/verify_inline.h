/* SPDX-License-Identifier: MIT */
/* verify_inline - compare files with a reference copy as a first scan with --verify reads them. */
#ifndef SCAN_VERIFY_INLINE_H
#define SCAN_VERIFY_INLINE_H

#include "sys/content.h"

struct content_reader;
struct db;
struct fs_stat;
struct reference;
struct reference_place;
struct verify_inline;
struct stats;

/** What comparing a file with the reference copy of its content gave. */
enum verify_inline_verdict {
	VERIFY_INLINE_NONE,    /* the reference copy itself, or left to verify_inline_write */
	VERIFY_INLINE_EQUAL,   /* the same bytes: the row may say that it is verified */
	VERIFY_INLINE_DIFFERS  /* other bytes with the same hash: a collision */
};

/**
 * One thread's own.  Set it with verify_inline_worker_init and verify_inline_enter; owns nothing.
 */
struct verify_inline_worker {
	struct verify_inline *references;  /* NULL: do not call verify_inline_meet */
	struct content_reader *reader;
	int64_t dir;                       /* where it is now; the strings are borrowed */
	const char *start, *path;
	int start_fd;                      /* of start, borrowed; or -1 */
	struct reference *reference;       /* that the last file met has become; or NULL */
	/* private */
	const struct reference_place *place; /* that directory, in room; or NULL */
	struct arena *room;                /* owned by references: their memory */
};

/** Make an empty collection, owned; verify_inline_free() it.  Comparisons count in counts. */
struct verify_inline *verify_inline_new(struct stats *counts);
/** Free it, when its threads have ended.  Accepts NULL. */
void verify_inline_free(struct verify_inline *references);

/** Set up a thread's part; references may be NULL. */
void verify_inline_worker_init(struct verify_inline_worker *w, struct verify_inline *references, struct content_reader *reader);

/**
 * Enter a directory: start, an absolute path, and path below it ("" for start itself).  start_fd is
 * a descriptor of start, which saves looking it up for every reference copy, or -1.
 */
void verify_inline_enter(struct verify_inline_worker *w, int64_t dir, const char *start, const char *path, int start_fd);

/**
 * Compare the file that the worker's reader has just hashed, name below the
 * open directory at, with the reference copy of its content; the first of a content
 * becomes that.  at may be -1 where start_fd is open.  st is the state whose bytes were hashed;
 * links tells that the inode has other names, all of which verify_inline_write then takes care of.
 *
 * Only what was the same file in the same state before and after counts as
 * compared.  A reference copy that is gone or has changed leaves its content to verify_run.
 */
enum verify_inline_verdict verify_inline_meet(struct verify_inline_worker *w, int at, const char *name, const struct fs_stat *st,
                              int64_t volume, bool links, const uint8_t hash[HASH_SIZE]);

/**
 * A file with one name, of the same volume, was read beside the one that this worker met last, and
 * has its bytes.  reference is what that one has become, or NULL.
 */
void verify_inline_twin(struct verify_inline_worker *w, struct reference *reference, int64_t size);

/** The number of files that another has the hash of and that were not compared: verify_run does. */
int64_t verify_inline_left(const struct verify_inline *references);

/**
 * The writer is about to write the row of a reference copy.  Returns whether it may already say
 * that it is verified; if another file equals it later, verify_inline_write marks it.
 */
bool verify_inline_row(struct reference *reference);

/**
 * Mark as verified the rows of the reference copies that another file equals by now, and with
 * links those of inodes with several names, if they still have the hash that was compared.
 * Cheapest in the transaction that wrote the rows; with links when no more will be written.
 * Inside a transaction.
 *
 * Returns 0, or -1 with *err.
 */
int verify_inline_write(struct verify_inline *references, struct db *db, bool links, struct err *err);

#endif
