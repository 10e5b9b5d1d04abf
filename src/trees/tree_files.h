/* SPDX-License-Identifier: MIT */
/*
 * tree_files - the files at and below one path in memory, each looked at, and by content.
 */
#ifndef TREES_TREE_FILES_H
#define TREES_TREE_FILES_H

#include "index/inode.h"
#include "index/presence.h"
#include "query/answer.h"
#include "query/list.h"
#include "sys/content.h"
#include "sys/fs.h"

struct dirtree;
struct indexes_other;

/** No file, in place of a position; no class yet. */
#define TREE_FILES_NONE UINT32_MAX
#define TREE_FILES_NO_CLASS UINT8_MAX

/** A file: 72 bytes, its name apart. */
struct tree_files_file {
	const char *name;
	int64_t size;
	struct inode inode;
	int64_t head;
	uint8_t hash[HASH_SIZE];
	uint32_t dir;            /* the number of its directory in the tree */
	uint32_t other;          /* set by the comparer: its partner, or TREE_FILES_NONE */
	int16_t error;           /* as file_row.error */
	uint8_t presence;        /* enum presence */
	uint8_t class;           /* set by the comparer; at first TREE_FILES_NO_CLASS */
	bool has_head : 1, has_hash : 1, linked : 1;
	bool unproven : 1;       /* without hash nothing proves that it differs from others */
};

/** Zero it, set what is public, tree_files_load() it, tree_files_release() it. */
struct tree_files {
	const struct dirtree *dirs;   /* what is excluded from it is not of the side */
	const char *path;             /* absolute */
	const struct indexes_other *of; /* the index that has it, or NULL: this one */
	const char *const *exclude;   /* absolute: files at and below these are not, either */
	size_t n_exclude;
	const char *but;              /* absolute: the same; or NULL */
	bool timed;                   /* times are wanted */
	list_gap_fn *gap;             /* called for files changed, offline, unreadable */
	void *arg;
	/* Results. */
	VEC(struct tree_files_file) files;  /* by directory, then the names' bytes */
	uint32_t top, end;            /* numbers of directories: from top to below end */
	VEC(struct fs_time) times;    /* if wanted: when each file was changed last */
	/** [i]: the position of the first file of directory top + i; one more: the end. */
	uint32_t *first;
	bool is_file;                 /* path is a file: it is the only one */
	uint8_t *reasons;             /* by directory: dirtree_reasons() */
	/* private */
	struct table by_content; /* of each content, the first file, and those that last longer */
	uint32_t *by_size;       /* those for tree_files_maybe, in order; or NULL */
	size_t n_by_size;
	struct arena names;
	struct presence_view view;
};

/**
 * Load the files of a side from its index and look at each; inodes have the numbers of volumes of
 * this index.  Files that are gone stay in the list, with
 * PRESENCE_GONE.
 *
 * Returns 0, or -1: ERR_NO_PATH when neither the index nor the file system has the path,
 * ERR_INTERRUPTED, ERR_BAD_INDEX, ERR_DB.
 */
int tree_files_load(struct tree_files *s, struct index *ix, struct err *err);

/** Call gap for a file that can't be judged. */
void tree_files_tell(const struct tree_files *s, const struct tree_files_file *f, enum gap gap, const char *why);

/** Append its absolute path. */
void tree_files_absolute(const struct tree_files *s, const struct tree_files_file *f, struct buf *path);

/** Whether a file is as it was indexed, as far as that can be said now. */
bool tree_files_holds(const struct tree_files_file *f);
/** ... and is known by its content. */
bool tree_files_is_known(const struct tree_files_file *f);
/** Whether two files of at least one byte certainly have one content. */
bool tree_files_equal(const struct tree_files_file *a, const struct tree_files_file *b);
/** An order by size, then by hash, or of files without one by inode: 0 where tree_files_equal. */
int tree_files_cmp_equal(const struct tree_files_file *a, const struct tree_files_file *b);
/** The position of the file at an absolute path, or TREE_FILES_NONE. */
uint32_t tree_files_find_path(const struct tree_files *s, const char *path);
/** Whether two files certainly have different contents. */
bool tree_files_differ(const struct tree_files_file *a, const struct tree_files_file *b);
/** Whether a side has a file of which nothing proves that it differs from others of its size. */
bool tree_files_any_suspect(const struct tree_files *s);

/**
 * Index the files by content, for tree_files_by_content, and for tree_files_maybe if suspects are
 * about.  Replaces the index that was made before.
 */
void tree_files_index(struct tree_files *s, bool suspects);
/**
 * A file of an indexed side with the content of f that may be relied on for what may go by itself
 * for the reasons why (index/fleeting), or TREE_FILES_NONE.
 */
uint32_t tree_files_by_content(const struct tree_files *s, const struct tree_files_file *f, unsigned why);
/** Whether a file of the side may have f's content, which tree_files_by_content has not found. */
bool tree_files_maybe(const struct tree_files *s, const struct tree_files_file *f);

/** Free what it owns. */
void tree_files_release(struct tree_files *s);

#endif
