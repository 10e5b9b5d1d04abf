/* SPDX-License-Identifier: MIT */
/* countmap - counts and values by key, shared by the threads of a scan. */
#ifndef SYS_COUNTMAP_H
#define SYS_COUNTMAP_H

#include "sys/content.h"
#include "sys/fs.h"

/** A map from two 64-bit numbers to a count and, once it is known, a value.  Any thread. */
struct countmap;

/** An empty map, with values of value_size bytes (0: only counts).  Owned; countmap_free. */
struct countmap *countmap_new(size_t value_size);
/** Free.  Accepts NULL. */
void countmap_free(struct countmap *s);

/** Count a key.  Returns how often it was counted before, at most 2 (saturating). */
int countmap_count(struct countmap *s, uint64_t a, uint64_t b);
/** How often a key was counted, at most 2. */
int countmap_get(struct countmap *s, uint64_t a, uint64_t b);
/** Claim a counted key of a map with values.  Returns true to the first who does. */
bool countmap_claim(struct countmap *s, uint64_t a, uint64_t b);
/** Give a counted key its value. */
void countmap_set(struct countmap *s, uint64_t a, uint64_t b, const void *value);
/** Copy a key's value out.  Returns false while it has none. */
bool countmap_value(struct countmap *s, uint64_t a, uint64_t b, void *value);

/**
 * content_reader.go_on: count a head in arg, a map by size and head.  Returns whether it was there
 * before.
 */
bool countmap_met_head(void *arg, int64_t size, int64_t head);

/** The value of an inode: read by one of its names, for the others. */
struct countmap_content {
	int64_t size;                  /* these three as of the read */
	struct fs_time mtime, ctime;
	struct content_result content;
};

/** Store the content of a counted inode, with the stat taken before the read. */
void countmap_set_content(struct countmap *inodes, const struct fs_stat *st, const struct content_result *content);
/**
 * Get the content for a name with this stat.  Returns false if it was not read, or the inode has
 * changed.
 */
bool countmap_get_content(struct countmap *inodes, const struct fs_stat *st, struct content_result *content);

#endif
