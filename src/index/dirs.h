/* SPDX-License-Identifier: MIT */
/* dirs - directories of the index by path and by number, one at a time or all at once. */
#ifndef INDEX_DIRS_H
#define INDEX_DIRS_H

#include "db/stmt.h"

struct file_row;
struct fs_stat;

/** A directory's path with a slash at the end. */
struct dirs_prefix {
	size_t number;   /* from 0 on: no other directory of its struct dirs has it */
	size_t len;
	size_t trash;    /* path_trash_len() */
	unsigned fleeting;   /* why its files may disappear by themselves: index/fleeting */
	char text[];     /* and a NUL */
};

struct dirs_inode {
	int64_t inode, id;
};

/** A view of the tree with a cache of paths; = { .db = db }, then dirs_release(). */
struct dirs {
	struct db *db;
	bool paths_only;         /* fleeting is not asked for: it is 0 */
	/* private */
	struct dirs_all *all;
	struct dirs_work *work;
	VEC(struct dirs_inode) inodes;   /* of all directories, ascending */
	bool has_inodes;
	struct buf parent;       /* of the path that dirs_next_file had last */
	int64_t parent_dir;
	int parent_found;        /* dirs_find's answer */
};

/** Free the cache. */
void dirs_release(struct dirs *d);

/** Read all directories at once, for callers that need many paths.  Returns 0 or -1. */
int dirs_load(struct dirs *d, struct err *err);

/**
 * Append the absolute path of a directory.  Returns 0, or -1: ERR_BAD_INDEX when
 * the index has no such directory.
 */
int dirs_path(struct dirs *d, int64_t dir, struct buf *path, struct err *err);
/** Get a directory's path with a slash at the end.  It lives as long as d.  NULL with *err. */
const struct dirs_prefix *dirs_prefix(struct dirs *d, int64_t dir, struct err *err);

/**
 * Read a directory's name, as bytes, from the present row's columns col
 * (text) and col + 1 (bytes).  id and parent are its numbers.
 *
 * Returns the name, valid until the next step: an absolute path for a start point, else the name of
 * an entry.  NULL with ERR_BAD_INDEX when it is neither.
 */
const char *dirs_read_name(const struct stmt *st, int col, int64_t id, int64_t parent, size_t *len, struct err *err);

/**
 * Find the path by which the index has the directory at path, with stat st, if it is mounted twice
 * and indexed by its other path.  The first call reads the inodes of all directories.  Returns 1
 * with *other, which was empty, 0 or -1.
 */
int dirs_elsewhere(struct dirs *d, const char *path, const struct fs_stat *st, struct buf *other, struct err *err);

/**
 * The directories that a statement without parameters selects by its first column, one after
 * another.  Begin with dirs_rows(), which never fails: dirs_rows_next reports an error.
 */
struct dirs_rows {
	struct stmt st;          /* its present row */
	struct buf path;         /* of that row's directory */
	struct dirs dirs;        /* private */
};
struct dirs_rows dirs_rows(struct db *db, enum sql_id id, struct err *err);
/** Returns 1 with st and path; 0 behind the last; or -1.  After 0 and -1 it has ended. */
int dirs_rows_next(struct dirs_rows *r);
/** End an iteration before its last row; afterwards it does nothing. */
void dirs_rows_end(struct dirs_rows *r);

/** Called for a directory that the last scan could not read; path is borrowed. */
typedef void dirs_unread_fn(void *arg, const char *path);
/** Deliver all such directories.  Returns 0 or -1. */
int dirs_unread(struct db *db, dirs_unread_fn *fn, void *arg, struct err *err);

/** Find the directory at an absolute path.  Returns 1 with *dir, 0 when the index has none, -1. */
int dirs_find(struct db *db, const char *path, int64_t *dir, struct err *err);
/**
 * Find the file at an absolute path.  Returns 1 with *row, whose name is the end of path; 0; -1.
 */
int dirs_find_file(struct db *db, const char *path, struct file_row *row, struct err *err);

/** As dirs_find_file, for many paths: looks a directory up once for successive files in it. */
int dirs_next_file(struct dirs *d, const char *path, struct file_row *row, struct err *err);

/** Have the next scan compare the files of a directory again.  Inside a transaction. */
int dirs_forget_digest(struct db *db, int64_t dir, struct err *err);

/** Append the stored form of a start point's absolute path, or of another directory's name. */
void dirs_store_name(struct buf *text, const char *name, size_t len, int64_t parent);

#endif
