/* SPDX-License-Identifier: MIT */
/* changes_files - files that differ between two states of the index, each with what it became. */
#ifndef QUERY_CHANGES_FILES_H
#define QUERY_CHANGES_FILES_H

#include "index/inode.h"
#include "query/answer.h"
#include "sys/content.h"
#include "sys/fs.h"

struct db;
struct stmt;

/** The earlier state and the later one; one of them as an index. */
enum { CHANGES_BEFORE, CHANGES_AFTER, CHANGES_TIMES };

/** No directory. */
#define CHANGES_NO_DIR SIZE_MAX

/** Where a directory lay. */
struct changes_place {
	int64_t parent;          /* its id; 0: name is an absolute path */
	const char *name;        /* bytes; in the arena */
	size_t name_len;
	bool is;                 /* the index had it */
	bool hashed;             /* private: hash is set */
	uint64_t hash;           /* private */
};

struct changes_dir {
	int64_t id;
	struct changes_place at[CHANGES_TIMES];
};

/** All directories, as they were after two runs. */
struct changes_dirs {
	VEC(struct changes_dir) v;     /* by id */
	VEC(size_t) chain;             /* private */
	struct arena names;
	int64_t born[CHANGES_TIMES];   /* directories from this id on did not exist yet */
};

/** Find a directory by id; CHANGES_NO_DIR if neither the rows nor the history has it. */
size_t changes_dirs_find(const struct changes_dirs *d, int64_t id);
/** Its position's parent at a time, or CHANGES_NO_DIR. */
size_t changes_dirs_up(const struct changes_dirs *d, size_t i, int time);
/** Append the path that it had. */
void changes_dirs_path(struct changes_dirs *d, size_t i, int time, struct buf *path);
/** A hash of that path. */
uint64_t changes_dirs_hash(struct changes_dirs *d, size_t i, int time);

/** A file in one of the states. */
struct changes_file {
	uint32_t dir;            /* its directory's position */
	uint32_t name_len;
	const char *name;        /* bytes, with a NUL behind */
	int64_t size;
	struct inode inode;
	struct fs_time mtime;
	int64_t head;
	uint8_t hash[HASH_SIZE];
	bool has_head, has_hash;
};

/** No file. */
#define CHANGES_NO_FILE UINT32_MAX

/** What was there, and what it became: positions in files. */
struct changes_pair {
	uint32_t was, is;
	bool moved;              /* found at another path */
	bool left_out;           /* of one that is no more: options leave it out */
};

/** A name in a directory that is new, as stored. */
struct changes_key {
	int64_t dir;
	const char *name;
};

/** Zero it, load it, release it. */
struct changes_files {
	struct changes_dirs dirs;
	VEC(struct changes_file) files;
	VEC(struct changes_pair) pairs;
	VEC(struct pairs_sum) fresh; /* by position of directories: new files without a pair */
	VEC(struct pairs_sum) later; /* the same: files of the later state less those of now */
	/* Private. */
	struct arena names;
	VEC(struct changes_key) keys;  /* those that have entries, in order */
	VEC(uint64_t) paths[CHANGES_TIMES]; /* hashes of all directories' paths, sorted */
	bool has_paths[CHANGES_TIMES]; /* they were hashed: a state may have none */
	struct table by_path, by_inode, by_content; /* of files that are gone: positions in pairs */
};

/**
 * Read what differs between the states after two runs (INT64_MAX: as it is), and find what is
 * gone among what is new: at its path, under its inode, with its content.  New files of
 * directories that are new as a whole are only counted, unless each or one is found.
 * Returns 0, or -1: ERR_INTERRUPTED, ERR_BAD_INDEX, ERR_DB.
 */
int changes_files_load(struct changes_files *f, struct db *db, const int64_t runs[CHANGES_TIMES], bool each, struct err *err);
void changes_files_release(struct changes_files *f);

/** Give a file that was never read the content that a former state knows of it, if any does. */
void changes_files_learn(const struct changes_files *f, struct changes_file *file);

/** Whether a directory of one state is not in the other, and none is at its path there. */
bool changes_files_whole(struct changes_files *f, size_t dir, int time);

/** Read a file from the columns $(before) of a row; its name and directory are left unset. */
int changes_file_read(const struct stmt *st, int col, struct changes_file *file, struct err *err);
/**
 * Whether two files have one content: 1, also of one inode with equal size and mtime; 0: not; -1:
 * not proven.
 */
int changes_file_same(const struct changes_file *a, const struct changes_file *b);
/** Whether two files that are the same were both read: else their mtimes may have been put back. */
bool changes_file_read_both(const struct changes_file *a, const struct changes_file *b);

#endif
