/* SPDX-License-Identifier: MIT */
/* plan - which inodes must be read, and how far, so that every claim of the index is proven; and their reading. */
#ifndef INDEX_PLAN_H
#define INDEX_PLAN_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/buf.h"
#include "base/vec.h"
#include "index/file.h"

struct dirmap;
struct err;
struct index;
struct tally;
struct tally_hooks;
struct seen;
struct leads;
struct content_index;
struct order;

/** A name of an inode in a group of one size. */
struct plan_file {
	int64_t size, dir, volume, inode, head;
	uint64_t times;        /* a hash of mtime and ctime: whether the file is still what its row says */
	size_t entry;          /* in plan.entries */
	size_t name;           /* in plan.names; not set for rows that are hashed already */
	bool has_head, has_hash, links;
	bool counted;          /* it was read in this scan before */
	bool whole;            /* it is to be read whole, whatever else there is */
	bool again;            /* it is read again although its row is as good as any */
	bool racy;             /* it is read again because it may have changed unseen since it was read */
	bool given_up;         /* can't be read by this name */
	bool left;             /* ... and that is no error of its row: its directory is not there */
	uint8_t want;          /* enum content_want */
};

/** Whether two names are of one inode. */
static inline bool
plan_same_inode(const struct plan_file *a, const struct plan_file *b)
{
	return a->size == b->size && a->volume == b->volume && a->inode == b->inode;
}

/** A row to which goes what was read of its inode. */
struct plan_name {
	int64_t dir;
	size_t text, len;      /* its name as the index stores it, in plan.written_text */
	size_t entry;          /* in plan.entries */
};

/** The rows of an inode that vanished, whose hash another name of it may inherit. */
struct plan_gone {
	int64_t volume, inode, size, head;
	struct fs_time mtime;
	bool has_head, has_hash;
	uint8_t hash[HASH_SIZE];
};

/** A file that was read again and had another content, although nothing else had changed. */
struct plan_corrupt {
	size_t path;           /* in plan.corrupt_text */
	int64_t size;
	bool has_hash;
	uint8_t hash[HASH_SIZE]; /* that it had before */
};

/** A plan under construction.  Zero it, set the borrowed fields, plan_release() it. */
struct plan {
	struct index *ix;
	struct dirmap *map;
	struct tally *counts;
	const struct tally_hooks *hooks;
	struct seen *sizes;             /* bulk: sizes of all inodes of the index */
	struct seen *heads;             /* bulk: with their sizes, of files that were read in passing */
	struct seen *inodes;            /* with several links, read in the walk; or NULL */
	struct content_index *entries;  /* bulk: all rows go there; or NULL */
	struct seen *hash_all;          /* directories whose files are all to be hashed; or NULL */
	struct leads *leads;            /* bulk: what to compare with, if it is to be verified; or NULL */
	struct fs_time racy_window;
	int64_t deadline_ns;            /* monotonic; 0: none */
	int n_threads;                  /* that read */
	bool ahead;                     /* what is to be read may have to come from a disk: ask for many files at a time */
	bool bulk;                      /* the index has no rows but this scan's: it notes them itself */
	bool dry_run;
	bool rehash;                    /* what is read again for no other reason must be what it was */

	VEC(struct plan_file) files;
	struct buf names;
	size_t n_again;                 /* files that plan_again noted */
	int passes;                     /* that plan_run made */
	VEC(int64_t) touched;           /* sizes with rows that changed, repeated */
	VEC(struct plan_gone) gone;
	VEC(struct plan_name) written;  /* of the inode that is just being written */
	struct buf written_text;
	VEC(struct plan_name) lost;     /* rows of files that are gone, for plan_drop_lost */
	struct buf lost_text;
	VEC(struct plan_corrupt) corrupt;
	struct buf corrupt_text;
	int64_t n_left;                 /* files that could not be read although something depends on it */
	bool out_of_time;
};

/** The hash of a file's times that plan_file.times holds. */
uint64_t plan_times(struct fs_time mtime, struct fs_time ctime);

/** Sort positions in plan.files by volume and inode, which on common file systems is the order of the disk. */
void plan_sort_inodes(const struct plan *p, struct order *order, size_t n);

/** Free what the plan owns but what plan_drop_lost and plan_tell_corrupt need. */
void plan_trim(struct plan *p);
/** Free what the plan owns. */
void plan_release(struct plan *p);

/** Note a row that was written in this scan. */
void plan_row(struct plan *p, const struct file_row *row);
/** Note a row whose content must be read again; until that is done the index keeps what it has. */
void plan_again(struct plan *p, const struct file_row *row);
/** Note that rows of this size need a look. */
void plan_touch(struct plan *p, int64_t size);
/** Note that a row vanishes; if it is remembered (trust_mtime), a file that moved need not be read. */
void plan_vanished(struct plan *p, const struct file_row *row, bool remember);
/** Note all sizes at which an earlier scan left something. */
int plan_pending(struct plan *p, struct err *err);
/** Note all sizes of files that were not read: some may be in hash_all. */
int plan_unread(struct plan *p, struct err *err);

/**
 * Read what must be read, round by round, and write it to the index, in the
 * caller's transaction, which is renewed when it is old.  A dry run only counts.
 *
 * Returns 0, or -1 with *err (ERR_INTERRUPTED: what was read is written).
 */
int plan_run(struct plan *p, struct err *err);

/** Drop the rows of files that turned out to be gone when they were to be read.  After content_index_make, inside a transaction. */
int plan_drop_lost(struct plan *p, struct err *err);
/** Tell of each file that had silently got another content which names still have the old one.  Returns 0 or -1. */
int plan_tell_corrupt(struct plan *p, struct err *err);

#endif
