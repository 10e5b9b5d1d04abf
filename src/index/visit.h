/* SPDX-License-Identifier: MIT */
/* visit - the part of a scan that runs in threads: list a directory, stat its files, read those whose turn it is. */
#ifndef INDEX_VISIT_H
#define INDEX_VISIT_H

#include <pthread.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "index/dirmap.h"
#include "index/index.h"
#include "index/root.h"
#include "index/scan.h"
#include "sys/content.h"
#include "sys/fs.h"

struct seen;
struct tree_dir;
struct tree_worker;
struct volumes;

/** A file of a listing. */
struct listing_file {
	uint32_t name, name_len;       /* in the listing's names */
	int error;                     /* stat failed: errno; the rest is unset then */
	int64_t volume;
	struct fs_stat st;
	struct content_result content; /* what was read in passing */
};

/** What a visit found; made by a thread, freed by the writer. */
struct listing {
	struct listing *next;
	int64_t dir, parent;
	int64_t volume, inode;
	char *name;                    /* of the directory; absolute for a top without parent */
	size_t name_len;
	char *path;                    /* absolute; of tops, and where something went wrong */
	int error;                     /* errno when it could not be read to its end */
	size_t top;                    /* below which of the scan's tops */
	bool is_top, is_empty;
	bool is_new;                   /* the index has no row of this directory */
	bool place_changed;            /* its row needs to be written */
	bool unchanged;                /* its files' rows are right as they are; files is empty */
	bool offline;                  /* another volume than before, and empty: nothing is known of it */
	bool trust_mtime;
	bool has_digest;
	uint8_t digest[DIGEST_SIZE];
	struct listing_file *files;    /* in order of names' bytes */
	size_t n_files;
	char *names;
};

/** The rules that hold at some place, and the root they are relative to. */
struct governing {
	const struct rules *rules;
	const char *root_path;
};

/** What tree_dir.data points to: handed from parent to child, freed by the visit. */
struct visit_place {
	int64_t parent;                /* id; 0: a top without parent */
	int64_t top_id;                /* a top that the index knows: its id, else 0 */
	uint64_t dev;                  /* of the parent; 0 for a top */
	struct governing governing;
};

/** What all visits share. */
struct visit {
	struct dirmap *map;
	struct volumes *volumes;
	struct seen *sizes;            /* of inodes met */
	struct seen *inodes;           /* with several links; value: struct content_result */
	struct seen *dirs;
	struct index_own own;
	const struct roots *roots;
	const char *const *tops;       /* absolute paths */
	struct scan_counts *counts;
	bool rehash;
	bool read_in_passing;          /* sizes holds every size of the index */
	const uint8_t *secret;
	struct fs_time racy_window;
	_Atomic int64_t cold;          /* files whose bytes were not in memory */

	/* The queue to the writer. */
	pthread_mutex_t lock;
	pthread_cond_t filled, drained;
	struct listing *first, **last;
	size_t queued;                 /* files in it */
	int n_running;                 /* threads */
};

/** One thread's own. */
struct visit_worker {
	struct visit *visit;
	struct content_reader reader;
	struct fs_list list;
	int cold_streak, cold_skip;    /* how long not to try reading in passing */
};

/** Set up the queue; the caller has filled the rest. */
void visit_init(struct visit *v, int n_threads);
void visit_release(struct visit *v);

/** Callbacks for tree_start. */
void visit_dir(struct tree_worker *w, const struct tree_dir *d, int fd);
void visit_end(struct tree_worker *w);

/** Take the next listing, waiting up to 100 ms.  *done tells that there will be no more.  The caller frees it with listing_free. */
struct listing *visit_take(struct visit *v, bool *done);
void listing_free(struct listing *l);

/** Compute a directory's digest over its files. */
void listing_digest(const struct listing *l, const uint8_t *secret, uint8_t digest[DIGEST_SIZE]);

#endif
