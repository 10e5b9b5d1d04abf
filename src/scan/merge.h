/* SPDX-License-Identifier: MIT */
/* merge - the part of a scan that writes: compare a directory's listing with its rows. */
#ifndef SCAN_MERGE_H
#define SCAN_MERGE_H

#include "index/file.h"
#include "index/row_history.h"
#include "index/inode.h"
#include "scan/displaced.h"

struct bulk;
struct dirmap;
struct index;
struct listing;
struct hash_plan;
struct roots;
struct rules;
struct stats;
struct volumes;

/** A directory that is new or has a new place; the map learns of it when the walk is over. */
struct merge_place {
	int64_t id, parent;
	struct inode inode;
	size_t name, name_len;  /* in merge.place_names */
};

/** A directory's row. */
struct merge_dir {
	struct listing *l;  /* owned */
	bool settled;       /* the next scan need not compare its files */
};

/** Zero it, set the borrowed fields, merge_release() it. */
struct merge {
	struct index *ix;
	struct dirmap *map;
	struct volumes *volumes;
	const struct roots *roots;
	struct stats *counts;
	struct hash_plan *plan;
	const struct rules *rules;   /* the options that this scan was given, or NULL */
	const char *const *paths;    /* for these */
	size_t n_paths;
	bool rehash;
	bool force_purge;
	int64_t first_new;           /* directories from this number on are new in this scan */
	struct bulk *load;           /* takes rows of new directories until merge_flush; or NULL */

	VEC(struct merge_place) places;
	struct buf place_names;
	/* Not written yet: one statement writes many.  The listings own what the rows point to. */
	VEC(struct merge_dir) dirs;
	size_t n_waiting;            /* rows in them, about */
	size_t n_held;               /* of these have waited for a directory before theirs */
	VEC(struct file_row) rows;
	struct arena names;          /* of rows that load did not take */
	VEC(uint8_t) written;        /* by number - first_new: the new directory has its row */

	struct row_history_batch before; /* what written rows were; until merge_flush */
	VEC(struct listing *) bare;  /* of bare mount points, until the end of the walk; owned */
	struct displaced displaced;
	VEC(int64_t) unread;         /* directories that were not read to their end */
	bool wrote;                  /* the index differs from before */
	bool kept_new;               /* the history knows which directories are new */
	bool broken;                 /* writing failed: directories may lack their files */
};

/** Free what it owns. */
void merge_release(struct merge *m);

/** Write the rows of a listing, now or at merge_flush.  In a transaction.  Takes l over. */
int merge_listing(struct merge *m, struct listing *l, struct err *err);
/** Count a row that goes: as gone, or as left out by new options, then returning true. */
bool merge_count_gone(struct merge *m, const struct file_row *row);
/**
 * Note for the plan that a row's file is gone; remember: another name of its inode may have its
 * content, unless inode numbers there may go from one file to another.
 */
void merge_vanished(struct merge *m, const struct file_row *row, bool remember);
/** Write a directory between a root and a start point, without files.  Inside a transaction. */
int merge_way(struct merge *m, int64_t dir, int64_t parent, const char *name, struct inode inode, struct err *err);
/**
 * Write the rows that wait, before a commit.  A directory whose parent was not delivered yet waits
 * on: the index never has one without its parent.
 * Fails when any writing has failed before: then nothing of the transaction may be kept.
 */
int merge_flush(struct merge *m, struct err *err);

/**
 * After the walk: settle bare mount points, flush, give the map the new places.
 * Inside a transaction.
 */
int merge_finish(struct merge *m, struct err *err);

#endif
