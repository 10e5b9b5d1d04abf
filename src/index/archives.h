/* SPDX-License-Identifier: MIT */
/* archives - the members of archives: rows of their own, for questions about archives alone. */
#ifndef INDEX_ARCHIVES_H
#define INDEX_ARCHIVES_H

#include "archive/packed.h"

struct file_row;
struct index;
struct packed_result;

/** What the index has of an archive. */
struct archives_row {
	int64_t id;
	bool racy;
	bool nested;              /* archives in it were opened, too */
	int64_t read;             /* seconds since 1970 */
	enum packed_why why;      /* PACKED_GOOD: all its members are known; else why no more are */
	int64_t members;          /* of its own */
	int64_t others;
	char format[64];
};

/** Counts of the whole index. */
struct archives_counts {
	int64_t archives, members, hashed, partly;   /* members: with those in members */
};

/** Find what is known of the archive that a row is.  Returns 1, 0: it was not opened; or -1. */
int archives_find(struct index *ix, const struct file_row *row, struct archives_row *a, struct err *err);

/** Members on their way into the index. */
struct archives_writer;
/**
 * Begin an archive: what was known of its inode goes.  Inside a transaction, which lasts until
 * archives_end() or archives_undo().  Returns an owned writer, or NULL with *err.
 */
struct archives_writer *archives_begin(struct index *ix, const struct file_row *row, struct err *err);
/** Add a member, after those that are in it.  Returns 0 or -1. */
int archives_add(struct archives_writer *w, const struct packed *p, struct err *err);
/**
 * End it, with what came of it.  nested: archives in it were opened, too.  With none its members go
 * again.  Returns 0 or -1.
 */
int archives_end(struct archives_writer *w, const struct packed_result *result, bool racy, bool nested, bool none, struct err *err);
/** Forget that it was opened, and free the writer.  Returns 0 or -1. */
int archives_undo(struct archives_writer *w, struct err *err);

/** Drop an archive with its members.  Returns 0 or -1. */
int archives_drop(struct index *ix, int64_t id, struct err *err);
/** Drop what is in those members of an archive that are archives.  Returns 0 or -1. */
int archives_drop_nested(struct index *ix, int64_t id, struct err *err);

/** Called for a member; p is borrowed.  Returns 0 to go on, else another value. */
typedef int archives_member_fn(void *arg, const struct packed *p, struct err *err);
/**
 * Deliver the members of an archive in its order; with within, behind each one that is an archive
 * what is known of its members.  Returns 0, what fn returned, or -1.
 */
int archives_members(struct index *ix, int64_t id, bool within, archives_member_fn *fn, void *arg, struct err *err);

/** Whether an archive has a member with a content.  Returns 1, 0 or -1. */
int archives_has(struct index *ix, int64_t id, int64_t size, const uint8_t hash[HASH_SIZE], struct err *err);
/** Whether an archive has a member of a size.  Returns 1, 0 or -1. */
int archives_has_size(struct index *ix, int64_t id, int64_t size, struct err *err);
/** Whether a member that was not judged may have this size.  Returns 1, 0 or -1. */
int archives_may_have(struct index *ix, int64_t id, int64_t size, struct err *err);

/** Called for a name of an archive, and the bytes of a member's name. */
typedef int archives_like_fn(void *arg, const struct file_row *row, const char *member, size_t len, struct err *err);
/**
 * Deliver all members that have a content, by each name of their archive.  Whether the archive is
 * still there is the caller's to see.  Returns 0, what fn returned, or -1.
 */
int archives_like(struct index *ix, int64_t size, const uint8_t hash[HASH_SIZE], archives_like_fn *fn, void *arg, struct err *err);

/** Count all.  Returns 0 or -1. */
int archives_count(struct index *ix, struct archives_counts *n, struct err *err);

/** An act has changed rows: the next scan looks at all archives again.  Returns 0 or -1. */
int archives_touch(struct index *ix, struct err *err);

#endif
