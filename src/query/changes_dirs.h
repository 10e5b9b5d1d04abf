/* SPDX-License-Identifier: MIT */
/* changes_dirs - all directories as they were after two runs: where each lay, if it was there. */
#ifndef QUERY_CHANGES_DIRS_H
#define QUERY_CHANGES_DIRS_H

struct db;

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

/** Zero it, changes_dirs_load() it, changes_dirs_release() it. */
struct changes_dirs {
	VEC(struct changes_dir) v;     /* by id */
	VEC(size_t) chain;             /* private */
	struct arena names;
	int64_t born[CHANGES_TIMES];   /* directories from this id on did not exist yet */
};

/**
 * Read the directories as they were after runs; INT64_MAX: as they are.
 * Returns 0, or -1: ERR_BAD_INDEX, ERR_DB, ERR_INTERRUPTED.
 */
int changes_dirs_load(struct changes_dirs *d, struct db *db, const int64_t runs[CHANGES_TIMES], struct err *err);
void changes_dirs_release(struct changes_dirs *d);

/** Find a directory by id; CHANGES_NO_DIR if neither the rows nor the history has it. */
size_t changes_dirs_find(const struct changes_dirs *d, int64_t id);
/** Its position's parent at a time, or CHANGES_NO_DIR. */
size_t changes_dirs_up(const struct changes_dirs *d, size_t i, int time);
/** Append the path that it had. */
void changes_dirs_path(struct changes_dirs *d, size_t i, int time, struct buf *path);
/** A hash of that path; and of a name in it. */
uint64_t changes_dirs_hash(struct changes_dirs *d, size_t i, int time);
uint64_t changes_dirs_hash_name(uint64_t dir, const char *name, size_t len);

#endif
