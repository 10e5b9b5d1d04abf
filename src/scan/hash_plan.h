/* SPDX-License-Identifier: MIT */
/* hash_plan - which inodes must be read, how far, so that every claim of the index is proven. */
#ifndef SCAN_HASH_PLAN_H
#define SCAN_HASH_PLAN_H

#include "index/file.h"
#include "index/inode.h"
#include "scan/hash_corrupt.h"
#include "scan/verify_inline.h"
#include "sys/content.h"
#include "sys/fs.h"

struct bulk;
struct digests;
struct dirmap;
struct index;
struct stats;
struct countmap;
struct volumes;

/** Instead of an enum content_want: the file is not read in this round. */
#define HASH_PLAN_NOTHING 0

/** A name of an inode in a group of one size. */
struct hash_plan_file {
	int64_t size, dir;
	struct inode inode;
	int64_t head;
	uint64_t times;  /* hash_plan_times of its row */
	size_t name;     /* its note in plan.entries or plan.names; unset of rows with a hash */
	/* Bits, to save memory; nobody writes them while another thread reads f. */
	bool has_head : 1, has_hash : 1, links : 1;
	bool renumbered : 1; /* its number may be one that another file had: volumes_mirrors */
	bool counted : 1;    /* read in this scan before */
	bool planned : 1;    /* is one of counts.to_read, and was not done by a head alone */
	bool whole : 1;      /* to be read whole in any case */
	bool asked : 1;      /* ... for its size is one of plan.hash_sizes */
	bool again : 1;      /* read again although its row is good (--rehash) */
	bool racy : 1;       /* read again: it may have changed unseen since */
	bool foreseen : 1;   /* what this round wants of it is in counts.to_read */
	bool given_up : 1;   /* cannot be read by this name */
	bool left : 1;       /* given up without proof that it is gone */
	uint8_t want;    /* enum content_want, or HASH_PLAN_NOTHING */
};

/**
 * Whether two names, not of one row, are of one inode.  Where numbers change, two of which each
 * was the only one are not.
 */
static inline bool
hash_plan_same_inode(const struct hash_plan_file *a, const struct hash_plan_file *b)
{
	return a->size == b->size && inode_same(a->inode, b->inode) && (a->links || b->links || !a->renumbered);
}

/** A row to be written. */
struct hash_plan_name {
	int64_t dir;
	const char *name;  /* as the index stores it, in plan.written_names */
	size_t len;
	size_t entry;      /* in plan.entries */
};

/** A row that vanished, whose hash another name of its inode may inherit. */
struct hash_plan_gone {
	struct inode inode;
	int64_t size, head;
	struct fs_time mtime;
	bool has_head, has_hash;
	uint8_t hash[HASH_SIZE];
};

/** What reading a file gave. */
struct hash_plan_result {
	bool known;                          /* read in the walk, by another name */
	bool has_digests;                    /* hash_plan_digests() has those of plan.digests */
	struct fs_stat st;
	struct content_result content;
	enum verify_inline_verdict verdict;  /* DIFFERS: content has no hash */
	struct reference *reference;         /* which the file has become; or NULL */
};

/**
 * The digests of the content, digest_sizes(plan.digests->kinds) bytes, which stand behind a result
 * that hash_read gives.
 */
static inline uint8_t *
hash_plan_digests(const struct hash_plan_result *res)
{
	return (uint8_t *)(res + 1);
}

struct hash_plan;

/**
 * Called for what was read of a file that was wanted, whose content has no error
 * CONTENT_STOPPED: it must end with the file unwanted.  Returns 0 or -1.
 */
typedef int hash_plan_take_fn(void *arg, struct hash_plan_file *f, const struct hash_plan_result *res, struct err *err);

/** A plan under construction.  Zero it, set the borrowed fields, hash_plan_release() it. */
struct hash_plan {
	struct index *ix;
	struct dirmap *map;
	struct volumes *volumes;             /* or NULL: numbers are taken to stay */
	struct stats *counts;
	struct countmap *sizes;              /* bulk: sizes of all inodes of the index */
	struct countmap *heads;              /* bulk: (size, head) of files read in passing */
	struct countmap *inodes;             /* with several links, read in the walk; or NULL */
	struct bulk *entries;                /* bulk: all rows go there; or NULL */
	struct countmap *hash_all;           /* directories with --hash-all; or NULL */
	const int64_t *hash_sizes;           /* ascending; where this scan was, files of these */
	size_t n_hash_sizes;                 /* ... sizes are read whole */
	bool all_met;                        /* it was everywhere: nothing else has changed */
	struct verify_inline *references;    /* bulk, with --verify; or NULL */
	struct fs_time racy_window;
	bool settles;                  /* as content_reader.settles */
	const uint8_t *secret;               /* of the index */
	int64_t deadline_ns;                 /* monotonic; 0: none */
	int until;                           /* percent of what may be redundant; 0: all */
	struct digests *digests;             /* of all that is read whole; or NULL */
	int n_threads;                       /* that read */
	bool ahead;                          /* files are not in memory: ask for many at a time */
	bool rotational;                     /* some disk turns: pass over it few times */
	bool bulk;                           /* a first scan: all rows were noted, none is loaded */
	bool dry_run;
	bool rehash;                         /* --rehash: another content is corruption */
	bool from_disk;                      /* read from there what memory has, too */
	bool in_order;                       /* read files as they stand, not by inode */
	hash_plan_take_fn *take;             /* gets what was read; NULL: hash_write does */
	/** Called now and then, instead of renewing the transaction; ix may be NULL then. */
	int (*tick)(void *take_arg, struct err *err);
	void *take_arg;

	int64_t volume;                      /* of the row that was added last, */
	bool renumbers;                      /* ... and whether its numbers change */
	VEC(struct hash_plan_file) files;
	size_t from;                         /* files before it are of a later class */
	size_t n_heads;                      /* of these, wanted by their heads */
	int64_t class_cost;                  /* the least that a class costs */
	struct buf names;                    /* without entries */
	size_t n_again;                      /* files that hash_plan_again noted */
	int passes;                          /* begun by hash_run */
	VEC(int64_t) touched;                /* sizes with rows that changed, repeated */
	VEC(struct hash_plan_gone) gone;
	VEC(struct hash_plan_name) written;  /* rows of the inode being written */
	struct arena written_names;
	VEC(struct hash_plan_name) lost;     /* for hash_write_drop_lost */
	struct arena lost_names;
	struct hash_corrupt corrupt;
	int64_t n_left;                      /* unread files that a claim depends on */
	int64_t largest_left;                /* ... and the size of the largest */
	int64_t until_size;                  /* files of this size and more suffice for until */
	int until_share;                     /* ... and percent that are settled then */
	bool reached;                        /* that has ended the reading */
	bool out_of_time;                    /* deadline_ns has ended it */
};

/** Whether reading ended before everything was read. */
static inline bool
hash_plan_is_cut(const struct hash_plan *p)
{
	return p->out_of_time || p->reached;
}

/**
 * The name of a file of the plan that has no hash, as on disk, with a NUL behind.  Borrowed until
 * the next row is noted.
 */
const char *hash_plan_file_name(const struct hash_plan *p, const struct hash_plan_file *f);
/** Set path to the absolute path of a file of the plan.  Returns as dirmap_path. */
size_t hash_plan_path(const struct hash_plan *p, const struct hash_plan_file *f, struct buf *path);

/** The hash of a file's times that hash_plan_file.times holds. */
uint64_t hash_plan_times(struct fs_time mtime, struct fs_time ctime);

/**
 * The names of f's inode and size, which stand beside it in plan.files: [*first, *end).
 */
void hash_plan_names(const struct hash_plan *p, struct hash_plan_file *f, struct hash_plan_file **first,
                     struct hash_plan_file **end);
/** Whether what was read of f holds for e, of its inode: both have links and the same times. */
bool hash_plan_means(const struct hash_plan_file *f, const struct hash_plan_file *e);

/** Sort positions in plan.files by volume and inode, commonly the order of the disk. */
void hash_plan_sort_inodes(const struct hash_plan *p, struct order *order, size_t n);

/** Free what the plan owns, except what hash_write_drop_lost and hash_corrupt_tell need. */
void hash_plan_trim(struct hash_plan *p);
/** Free what the plan owns. */
void hash_plan_release(struct hash_plan *p);

/** Note a row that was written in this scan. */
void hash_plan_row(struct hash_plan *p, const struct file_row *row);
/** Note a row whose content must be read again; the index keeps the old one until then. */
void hash_plan_again(struct hash_plan *p, const struct file_row *row);
/** Note that rows of this size need a look. */
void hash_plan_touch(struct hash_plan *p, int64_t size);
/**
 * A row goes.  With remember (trust_mtime) keep its hash: a new name of the file may inherit it.
 */
void hash_plan_vanished(struct hash_plan *p, const struct file_row *row, bool remember);
/** hash_plan_touch() all sizes that a statement returns.  Returns 0 or -1. */
int hash_plan_touch_all(struct hash_plan *p, enum sql_id id, struct err *err);
/** hash_plan_touch() those of hash_sizes of which the index has unread files.  Returns 0 or -1. */
int hash_plan_touch_asked(struct hash_plan *p, struct err *err);

/**
 * For a plan without passes, of files that hash_plan_again noted: sort them by a key of each, and
 * those of one key as hash_plan_sort_inodes does.  keys, by position, is put in that order, too.
 */
void hash_plan_sort_keys(struct hash_plan *p, uint64_t *keys);
/**
 * For the same: want each file from a position on that has no hash by now and is not given up, of
 * the names of an inode in one state the first of these.  Returns the number of wanted files.
 */
size_t hash_plan_want_again(struct hash_plan *p, size_t from);

/** Begin a pass: load the files of touched sizes and sort all.  Returns 0, or -1 with *err. */
int hash_plan_pass(struct hash_plan *p, struct err *err);
/**
 * Set want of every file from p->from on that a claim depends on, and drop the groups that owe
 * nothing.  Returns the number of wanted files; 0: no group from p->from on is left.
 */
size_t hash_plan_round(struct hash_plan *p);
/** After a round of all files: divide them into classes, none of which is begun. */
void hash_plan_divide(struct hash_plan *p);
/**
 * Begin the class of the largest files that are left, from p->from on, with what the round of all
 * wants.  Returns false when no file is left.
 */
bool hash_plan_class(struct hash_plan *p);
/** The least size of which all files, and all larger ones, are compared, between two classes. */
int64_t hash_plan_compared(const struct hash_plan *p);
/**
 * After the first round of all files, with p->until: set p->until_size.  Asks the index for the
 * numbers of inodes of all sizes.  Returns 0 or -1.
 */
int hash_plan_find_until(struct hash_plan *p, struct err *err);

#endif
