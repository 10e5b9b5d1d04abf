/* SPDX-License-Identifier: MIT */
/* hash_plan - which inodes must be read, and how far, so that every claim of the index is proven. */
#ifndef SCAN_HASH_PLAN_H
#define SCAN_HASH_PLAN_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/buf.h"
#include "base/vec.h"
#include "index/file.h"
#include "scan/hash_corrupt.h"
#include "scan/verify_inline.h"
#include "sys/content.h"
#include "sys/fs.h"

struct bulk;
struct dirmap;
struct err;
struct index;
struct stats;
struct countmap;
struct order;

/** Instead of an enum content_want: the file is not read in this round. */
#define HASH_PLAN_NOTHING 0

/** A name of an inode in a group of one size. */
struct hash_plan_file {
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
	uint8_t want;          /* enum content_want, or HASH_PLAN_NOTHING */
};

/** Whether two names are of one inode. */
static inline bool
hash_plan_same_inode(const struct hash_plan_file *a, const struct hash_plan_file *b)
{
	return a->size == b->size && a->volume == b->volume && a->inode == b->inode;
}

/** A row to which goes what was read of its inode. */
struct hash_plan_name {
	int64_t dir;
	size_t text, len;      /* its name as the index stores it, in plan.written_text */
	size_t entry;          /* in plan.entries */
};

/** The rows of an inode that vanished, whose hash another name of it may inherit. */
struct hash_plan_gone {
	int64_t volume, inode, size, head;
	struct fs_time mtime;
	bool has_head, has_hash;
	uint8_t hash[HASH_SIZE];
};

/** What reading a file gave. */
struct hash_plan_result {
	bool known;                    /* read in the walk, under another name */
	struct fs_stat st;
	struct content_result content;
	enum verify_inline_verdict verdict;    /* VERIFY_INLINE_DIFFERS: content has no hash */
	struct reference *reference;             /* that the file has become, or NULL */
};

/** A plan under construction.  Zero it, set the borrowed fields, hash_plan_release() it. */
struct hash_plan {
	struct index *ix;
	struct dirmap *map;
	struct stats *counts;
	struct countmap *sizes;             /* bulk: sizes of all inodes of the index */
	struct countmap *heads;             /* bulk: with their sizes, of files that were read in passing */
	struct countmap *inodes;            /* with several links, read in the walk; or NULL */
	struct bulk *entries;           /* bulk: all rows go there; or NULL */
	struct countmap *hash_all;          /* directories whose files are all to be hashed; or NULL */
	struct verify_inline *references;            /* bulk: what to compare with, if it is to be verified; or NULL */
	struct fs_time racy_window;
	int64_t deadline_ns;            /* monotonic; 0: none */
	int n_threads;                  /* that read */
	bool ahead;                     /* what is to be read may have to come from a disk: ask for many files at a time */
	bool bulk;                      /* the index has no rows but this scan's: it notes them itself */
	bool dry_run;
	bool rehash;                    /* what is read again for no other reason must be what it was */

	VEC(struct hash_plan_file) files;
	struct buf names;
	size_t n_again;                 /* files that hash_plan_again noted */
	int passes;                     /* that hash_run made */
	VEC(int64_t) touched;           /* sizes with rows that changed, repeated */
	VEC(struct hash_plan_gone) gone;
	VEC(struct hash_plan_name) written;  /* of the inode that is just being written */
	struct buf written_text;
	VEC(struct hash_plan_name) lost;     /* rows of files that are gone, for hash_plan_drop_lost */
	struct buf lost_text;
	struct hash_corrupt corrupt;
	int64_t n_left;                 /* files that could not be read although something depends on it */
	bool out_of_time;
};

/** The hash of a file's times that hash_plan_file.times holds. */
uint64_t hash_plan_times(struct fs_time mtime, struct fs_time ctime);

/** Sort positions in plan.files by volume and inode, which on common file systems is the order of the disk. */
void hash_plan_sort_inodes(const struct hash_plan *p, struct order *order, size_t n);

/** Free what the plan owns, except what hash_write_drop_lost and hash_corrupt_tell need. */
void hash_plan_trim(struct hash_plan *p);
/** Free what the plan owns. */
void hash_plan_release(struct hash_plan *p);

/** Note a row that was written in this scan. */
void hash_plan_row(struct hash_plan *p, const struct file_row *row);
/** Note a row whose content must be read again; until that is done the index keeps what it has. */
void hash_plan_again(struct hash_plan *p, const struct file_row *row);
/** Note that rows of this size need a look. */
void hash_plan_touch(struct hash_plan *p, int64_t size);
/** Note that a row vanishes; if it is remembered (trust_mtime), a file that moved need not be read. */
void hash_plan_vanished(struct hash_plan *p, const struct file_row *row, bool remember);
/** Note all sizes at which an earlier scan left something. */
int hash_plan_pending(struct hash_plan *p, struct err *err);
/** Note all sizes of files that were not read: some may be in hash_all. */
int hash_plan_unread(struct hash_plan *p, struct err *err);

/** Begin a pass: load the files of the sizes that were touched, and put all in order.  Returns 0 or -1 with *err. */
int hash_plan_pass(struct hash_plan *p, struct err *err);
/** Decide for all groups what to read next, and drop the groups about which all is known.  Returns how many files are to be read. */
size_t hash_plan_round(struct hash_plan *p);

#endif
