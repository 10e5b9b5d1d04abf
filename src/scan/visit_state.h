/* SPDX-License-Identifier: MIT */
/*
 * visit_state - what the threads of the walk phase share, what each has, and the directory it
 * visits.
 */
#ifndef SCAN_VISIT_STATE_H
#define SCAN_VISIT_STATE_H

#include "index/own_files.h"
#include "scan/dirmap.h"
#include "index/index.h"
#include "scan/verify_inline.h"
#include "scan/listing.h"
#include "index/roots.h"
#include "scan/stats.h"
#include "sys/content.h"
#include "sys/fs.h"

struct countmap;
struct db;
struct dirty;
struct walk_dir;
struct walk_worker;
struct volumes;

/** The rules that hold at some place, and the root they are relative to. */
struct governing {
	const struct rules *rules;
	const char *root_path;
};

/** Directories that become roots when the walk from a start point above meets them. */
struct visit_inner {
	char **v;                   /* owned: their absolute paths */
	size_t n, cap;
	struct pathset paths;       /* positions in v */
	const struct rules *rules;  /* the options of this scan; borrowed */
};

/**
 * A start point, or a directory where the walk came to another volume.  A missing directory
 * below it is gone only while path still leads to this device and inode.
 */
struct visit_mount {
	struct visit_mount *next;
	char *path;         /* absolute; owned */
	uint64_t dev, inode;
	int64_t volume;
	bool served;        /* by a program or another machine */
	bool passed_by;     /* and not entered, for want of --network */
	bool hides;         /* then: rows of another volume, which stay */
	bool remote;        /* on a network, where every open file costs a round trip */
	_Atomic bool lost;  /* path was seen to lead elsewhere: told once */
};

/** A directory that users share (fleeting_mode_is_shared), and has files. */
struct visit_shared {
	struct visit_shared *next;
	int64_t dir;
	int64_t owner;      /* of all its files; -1: they have several */
};

/** What walk_dir.data points to: handed from parent to child, freed by the visit. */
struct visit_place {
	int64_t parent;             /* id; 0: a start point without a parent in the index */
	int64_t start_id;           /* of a start point that the index knows: its id; else 0 */
	struct visit_mount *mount;  /* on which the parent lies; NULL for a start point */
	bool roots_below;           /* the path of a root is, or was, below this start point */
	bool whole;                 /* look at everything; else as dirmap_dir.look says */
	bool moved;                 /* ... also where changes are known: rules may be others here */
	struct governing governing;
};

/**
 * What all threads share.  They write only the countmaps and atomic fields, also of dirmap_dir.
 */
struct visit_state {
	struct dirmap *map;
	struct volumes *volumes;
	/* By visit_state_make_maps. */
	struct countmap *sizes;                /* of inodes met */
	struct countmap *heads;                /* with their sizes, of files read in passing */
	struct countmap *inodes;               /* with links; value: struct countmap_content */
	struct countmap *dirs;
	struct countmap *hash_all;             /* directories with --hash-all; or NULL */
	struct verify_inline *references;      /* of a first scan with --verify; or NULL */
	struct own_files own;
	const struct roots *roots;
	const struct dirty *dirty;             /* of a partial scan; or NULL */
	const struct visit_inner *inner;
	const char *const *starts;             /* absolute paths */
	struct stats *counts;
	bool rehash;
	bool force_purge;                      /* another volume replaces the one in the index */
	bool read_in_passing;                  /* sizes holds every size of the index */
	const uint8_t *secret;
	uint8_t no_files[DIGEST_SIZE];         /* the digest of a directory without any */
	struct fs_time racy_window;
	bool settles;                          /* as content_reader.settles */
	_Atomic int64_t cold;                  /* files whose bytes were not in memory */
	_Atomic(struct visit_mount *) mounts;  /* all that were met; visit_state_free_mounts */
	_Atomic(struct visit_shared *) shared; /* likewise; visit_state_free_shared */
	struct listing_queue *queue;           /* to the writer */
};

/** Files of one directory that stay open until it has been gone through. */
#define VISIT_OPEN 16
struct visit_open {
	size_t file;  /* position in the listing */
	int fd;
};

/** One thread's own. */
struct visit_worker {
	struct visit_state *visit;
	struct content_reader reader;
	struct verify_inline_worker references;
	struct fs_list list;
	int cold_streak, cold_skip;  /* cold files in a row; files not to be tried */
	int worth;                   /* wanted less unwanted files, of those met lately */
	struct visit_open open[VISIT_OPEN];
	size_t n_open;
	struct listing_batch batch;
};

/** The directory that a thread visits, with the state that judges its entries. */
struct visit_now {
	struct walk_worker *w;
	struct visit_worker *vw;
	struct visit_state *v;
	const struct walk_dir *d;
	int fd;
	const struct visit_place *place;
	struct visit_mount *mount;
	bool reads;        /* files are read in passing */
	bool has_index;    /* the index's own files lie here */
	bool is_shared;    /* users share it */
	enum look look;
	bool moved;        /* it has another place than the index has, or what it lies in */
	struct governing governing;
	struct buf path;   /* private: see visit_state_path */
	struct listing *l;
};

/** Make the countmaps.  visit_state_free_maps() frees them; it may be called without any. */
void visit_state_make_maps(struct visit_state *v);
void visit_state_free_maps(struct visit_state *v);
/** Free what only the walk needs of them. */
void visit_state_free_dirs(struct visit_state *v);

/**
 * Write which of the directories that were met users share, in a transaction, once these have
 * their rows.  Returns 0 or -1.
 */
int visit_state_save_shared(struct visit_state *v, struct db *db, struct err *err);
void visit_state_free_shared(struct visit_state *v);

/** Free the mounts, after the walk. */
void visit_state_free_mounts(struct visit_state *v);

/** The absolute path of the directory.  Borrowed. */
const char *visit_state_path(struct visit_now *s);
/** Count an entry that is left out. */
void visit_state_skip(struct visit_state *v, enum skip why);
/** Count an error, and note in the listing that the directory could not be read to its end. */
void visit_state_failed(struct visit_now *s, int error);

#endif
