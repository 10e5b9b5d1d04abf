/* SPDX-License-Identifier: MIT */
/* dirmap - all directories of the index in memory: by number, place and inode, and their fate. */
#ifndef SCAN_DIRMAP_H
#define SCAN_DIRMAP_H

#include "index/inode.h"

struct contents_without;
struct db;
struct root;

/** Bytes of a directory's digest. */
#define DIGEST_SIZE 16

/** How much of a directory a scan looks at that does not look at everything: see scan/dirty. */
enum look {
	LOOK_NONE,   /* nothing: its rows are taken as they are, and what lies below */
	LOOK_NAMES,  /* some of its names */
	LOOK_LIST,   /* all of its names; directories in it as their own look says */
	LOOK_WHOLE   /* everything in it and below */
};

/** A directory.  While threads walk, only claimed, kept and sought change. */
struct dirmap_dir {
	int64_t id, parent;
	struct inode inode;
	uint32_t name, name_len;  /* bytes as on disk */
	int32_t error;
	bool has_digest;
	bool pinned;              /* lies above a start point of the scan: stays where it is */
	bool has_dirs;            /* the index has directories in it; by mount_points_find */
	bool covered;             /* something else is mounted over it: not to be entered */
	bool dropped;             /* has lost its row: vanished */
	bool known;               /* all changes at and below it, on its volume, have a look */
	bool on_way;              /* its parent's names to look at have its own */
	uint8_t look;             /* enum look; by scan/dirty, before the walk */
	struct root *root;        /* borrowed, by root_place_join(); NULL: it is no root */
	_Atomic bool claimed;     /* this scan met it */
	_Atomic bool kept;        /* and did not list it: directories in it stay, unless sought */
	_Atomic bool sought;      /* its name was looked at in its parent; there: also claimed */
	uint8_t digest[DIGEST_SIZE];
};

struct dirmap;

/** Read all directories.  Returns 0 with an owned map, or -1: ERR_BAD_INDEX, also for circles. */
int dirmap_load(struct dirmap **map, struct db *db, struct err *err);
/** Free.  Accepts NULL. */
void dirmap_free(struct dirmap *map);

/** Find a directory by number, place, or the first len bytes of an absolute path; else NULL. */
struct dirmap_dir *dirmap_by_id(const struct dirmap *map, int64_t id);
struct dirmap_dir *dirmap_by_place(const struct dirmap *map, int64_t parent, const char *name, size_t len);
struct dirmap_dir *dirmap_by_path(const struct dirmap *map, const char *path, size_t len);
/** Find the next directory with this inode, behind after (NULL: the first); NULL at the end. */
struct dirmap_dir *dirmap_by_inode(const struct dirmap *map, struct inode inode, const struct dirmap_dir *after);

/** Claim a directory for the calling thread.  Returns false when it was claimed before. */
bool dirmap_claim(struct dirmap_dir *dir);

/** Take the next number for a new directory, larger than all before.  Any thread. */
int64_t dirmap_new_id(struct dirmap *map);
/** Give new directories numbers above last.  Not while threads walk. */
void dirmap_skip_ids(struct dirmap *map, int64_t last);
/** The number that the next new directory gets. */
int64_t dirmap_next_id(const struct dirmap *map);

/** Make room for n further directories at once.  Not while threads walk. */
void dirmap_reserve(struct dirmap *map, size_t n);
/** Add a new directory, or change the place of a known one.  Not while threads walk. */
void dirmap_put(struct dirmap *map, int64_t id, int64_t parent, const char *name, size_t len, struct inode inode);

/** Give a directory another place.  Not while threads walk. */
void dirmap_hang(struct dirmap *map, struct dirmap_dir *d, int64_t parent, const char *name, size_t len);

/**
 * Append the absolute path of a directory.  Returns the length of its beginning that is the
 * name of the outermost directory, which has no parent.
 */
size_t dirmap_path(const struct dirmap *map, int64_t id, struct buf *path);

/** Note the directories that are, or lie in, a trash.  without is empty. */
void dirmap_find_trash(const struct dirmap *map, struct contents_without *without);

/** For iteration, in no order; dirmap_put may add directories. */
size_t dirmap_count(const struct dirmap *map);
struct dirmap_dir *dirmap_at(const struct dirmap *map, size_t i);
/** A directory's name, as bytes with a NUL behind. */
const char *dirmap_name(const struct dirmap *map, const struct dirmap_dir *dir);
/** Whether it lies in this parent, by its id, under this name. */
bool dirmap_is_at(const struct dirmap *map, const struct dirmap_dir *dir, int64_t parent, const char *name, size_t len);

#endif
