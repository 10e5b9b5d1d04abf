/* SPDX-License-Identifier: MIT */
/* seen - what the threads of a scan have met so far: sizes of inodes, inodes with several links, directories. */
#ifndef INDEX_SEEN_H
#define INDEX_SEEN_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "sys/content.h"
#include "sys/fs.h"

/** A map of keys of two 64-bit numbers to a count and, once it is known, a value; for many threads. */
struct seen;

/** An empty map, with values of value_size bytes (0: only counts).  Owned; seen_free. */
struct seen *seen_new(size_t value_size);
/** Free.  Accepts NULL. */
void seen_free(struct seen *s);

/** Count a key.  Returns how often it was counted before, at most 2 (saturating). */
int seen_count(struct seen *s, uint64_t a, uint64_t b);
/** How often a key was counted, at most 2. */
int seen_get(struct seen *s, uint64_t a, uint64_t b);
/** Claim a counted key of a map with values.  Returns true to the first who does. */
bool seen_claim(struct seen *s, uint64_t a, uint64_t b);
/** Give a counted key its value. */
void seen_set(struct seen *s, uint64_t a, uint64_t b, const void *value);
/** Copy a key's value out.  Returns false while it has none. */
bool seen_value(struct seen *s, uint64_t a, uint64_t b, void *value);

/** The value of an inode that was read: by one of its names, for the others. */
struct seen_content {
	int64_t size;                  /* these three as they were when it was read */
	struct fs_time mtime, ctime;
	struct content_result content;
};

/** Keep what was read of a counted inode, of which st was taken before, in a map with values of that struct. */
void seen_set_content(struct seen *inodes, const struct fs_stat *st, const struct content_result *content);
/** Copy it out for a name of which st has just been taken.  Returns false when nothing was read, or the inode has changed since. */
bool seen_get_content(struct seen *inodes, const struct fs_stat *st, struct content_result *content);

#endif
