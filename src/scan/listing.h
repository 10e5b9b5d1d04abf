/* SPDX-License-Identifier: MIT */
/* listing - what a thread found in one directory, and the queue on which it goes to the writer. */
#ifndef SCAN_LISTING_H
#define SCAN_LISTING_H

#include "index/inode.h"
#include "scan/dirmap.h"
#include "sys/content.h"
#include "sys/fs.h"

struct reference;

/** A file of a listing. */
struct listing_file {
	uint32_t name, name_len;        /* in the listing's names */
	bool first;                     /* the first name of its inode that a first scan met */
	bool met;                       /* nothing more to do for it in passing */
	bool gone;                      /* looked for by its name, and no file; error is ENOENT */
	int error;                      /* stat failed: errno; the rest is unset then */
	int64_t volume;
	struct fs_stat st;
	struct content_result content;  /* what was read in passing */
	bool verified;                  /* and compared with another file of that content */
	struct reference *reference;    /* or it is the file to compare those with */
};

/** What a visit found; made by a thread, freed by the writer. */
struct listing {
	struct listing *next;
	int64_t dir, parent;
	struct inode inode;
	char *name;                  /* absolute for a start point without a parent */
	size_t name_len;
	char *path;                  /* absolute; of start points, and after errors */
	int error;                   /* errno when it could not be read to its end */
	size_t start;                /* below which of the scan's start points */
	bool is_start, is_root, is_empty;
	bool becomes_root;           /* no start point, and gets the options of this scan */
	bool is_new;                 /* the index has no row of this directory */
	bool unclaimed;              /* dir is a mount point, bare: see listing_settle */
	bool place_changed;          /* its row needs to be written */
	bool partial;                /* files has a few names; no other row is touched */
	bool unchanged;              /* its files' rows are right as they are; files is empty */
	bool offline;                /* another volume, and empty or covered: proves nothing */
	bool lost;                   /* not opened: its rows stay; dir may be 0 */
	bool covered;                /* as dirmap_dir.covered; it was not listed */
	bool trust_mtime;
	bool has_digest;
	uint8_t digest[DIGEST_SIZE];
	struct listing_file *files;  /* in order of names' bytes */
	size_t n_files;
	char *names;
};

/** A queue of listings from several threads to one. */
struct listing_queue;

/** Listings that one thread has collected: many take the queue's lock once.  Zero it. */
struct listing_batch {
	struct listing *first, **last;
	size_t n_files;
};

/** A queue that n_threads threads will fill.  Owned; listing_queue_free. */
struct listing_queue *listing_queue_new(int n_threads);
/** Free it, with the listings that are still in it.  Accepts NULL. */
void listing_queue_free(struct listing_queue *q);

/** Give a listing away; it arrives when the batch is large enough, or with listing_flush. */
void listing_give(struct listing_queue *q, struct listing_batch *batch, struct listing *l);
/** Send what the batch holds; waits while the writer lags far behind. */
void listing_flush(struct listing_queue *q, struct listing_batch *batch);
/** One of the threads will give no more. */
void listing_end(struct listing_queue *q);

/** Take the next listing, owned; NULL after 100 ms without one.  *done: no more will come. */
struct listing *listing_take(struct listing_queue *q, bool *done);
/** After a failure: drop what the threads still give, until they are done. */
void listing_drain(struct listing_queue *q);
/** Free a listing.  Accepts NULL. */
void listing_free(struct listing *l);

/**
 * Claim the directory of an unclaimed listing; if it was met elsewhere meanwhile, number a new
 * one.  Other listings stay as they are.
 */
void listing_settle(struct listing *l, struct dirmap *map);

/** Compute a directory's digest over its files. */
void listing_digest(const struct listing *l, const uint8_t *secret, uint8_t digest[DIGEST_SIZE]);

#endif
