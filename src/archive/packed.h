/* SPDX-License-Identifier: MIT */
/* packed - a file in an archive, and why one is not judged. */
#ifndef ARCHIVE_PACKED_H
#define ARCHIVE_PACKED_H

#include "sys/content.h"

/** Why a member has no hash, or why an archive was not read to its end.  Kept in the index. */
enum packed_why {
	PACKED_GOOD,
	PACKED_NOT_READ,      /* no file had its size when the archive was read */
	PACKED_LINK,          /* a hard link to a member that is not known */
	PACKED_ENCRYPTED,
	PACKED_DAMAGED,
	PACKED_UNSUPPORTED,   /* compressed in a way that is not known here */
	PACKED_BOMB,          /* expands too much */
	PACKED_MANY,          /* too many members */
	PACKED_MEMORY,        /* needs too much memory */
	PACKED_TIME,          /* took too long */
	PACKED_DIED,          /* the process that read it died */
	PACKED_NONE,          /* it is no archive */
	PACKED_CHANGED,       /* it changed while it was read */
	PACKED_DIR,           /* it is called a directory, and has content */
	PACKED_WHYS
};

/** A reason in words, as in "its members are not judged: %s". */
const char *packed_why_text(enum packed_why why);

/** A member that is a regular file, or a hard link. */
struct packed {
	const char *name;     /* any bytes but NUL; borrowed */
	size_t name_len;
	size_t outer_len;     /* 0, or it is in a member whose name has that length */
	int64_t number;       /* in the order of the archive, from 0 on, before those in it */
	int64_t size;         /* -1: unknown */
	int64_t mtime;        /* seconds since 1970; INT64_MIN: unknown */
	enum packed_why why;  /* it has no hash for this reason */
	bool has_hash;        /* then size is above 0 and why PACKED_GOOD */
	uint8_t hash[HASH_SIZE];   /* as that of a file with its content */
};

/**
 * Whether p stands for those members of a member that are not known, for the reason p->why: nothing
 * follows the mark behind that one's name.
 */
bool packed_is_rest(const struct packed *p);

/** Whether a file of this name is taken for an archive. */
bool packed_is_name(const char *name, size_t len);

/** What an error about a path that should be a directory ends with: how it becomes one, or "". */
const char *packed_hint(const char *path);

/** The bytes of an archive's path in front of a member's: "old.zip!/dir/x". */
#define PACKED_MARK "!/"
#define PACKED_MARK_LEN 2

#endif
