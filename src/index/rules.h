/* SPDX-License-Identifier: MIT */
/* rules - which entries of a tree a root's options take or leave out, and by which rule. */
#ifndef INDEX_RULES_H
#define INDEX_RULES_H

#include "sys/fs.h"

/** Why an entry is not indexed. */
enum skip {
	SKIP_NO,
	SKIP_HIDDEN,      /* its name begins with a dot */
	SKIP_EXCLUDED,    /* --exclude */
	SKIP_SMALL,       /* --min-size */
	SKIP_LARGE,       /* --max-size */
	SKIP_OTHER_FS,    /* --one-file-system */
	SKIP_NETWORK,     /* no --network */
	SKIP_PSEUDO,      /* a pseudo file system */
	SKIP_LINK,        /* symbolic links are never followed */
	SKIP_SPECIAL,     /* FIFOs, sockets, devices are never opened */
	SKIP_OWN,         /* the index itself */
	SKIP_TWICE,       /* a directory already reached by another path */
	SKIP_COUNT
};

/** A rule in words: "hidden", "excluded by a pattern", ... */
const char *skip_name(enum skip skip);
/** A rule in words to follow the count n: nouns in the plural. */
const char *skip_counted(enum skip skip, int64_t n);

/** The options of a root. */
struct rules {
	bool hidden;             /* hidden files and directories, too */
	bool one_fs;
	bool network;            /* network and FUSE file systems below the root, too */
	bool trust_mtime;
	bool hash_all;           /* files of a unique size, too */
	bool archives;           /* the members of archives, too */
	bool nested;             /* ... and those of archives in these; only with archives */
	int64_t min_size;        /* bytes */
	int64_t max_size;        /* bytes */
	char **patterns;         /* owned, as is the array */
	size_t n_patterns;
};

/** Set the default options. */
void rules_init(struct rules *r);
/** Free what r owns. */
void rules_release(struct rules *r);
/**
 * Append a copy of a pattern: a glob of base/glob.h that leaves entries out, or behind a ! one that
 * includes again what earlier patterns leave out, as in gitignore.  Nothing in a directory that is
 * left out can be included again.
 */
void rules_exclude(struct rules *r, const char *pattern);
/** Copy a set of rules into an uninitialised one. */
void rules_copy(struct rules *to, const struct rules *from);
/** Append the options as on a command line, for the journal and for info. */
void rules_show(struct buf *b, const struct rules *r);

/** Whether they may leave out files that the default options take. */
bool rules_leave_out(const struct rules *r);

/** The rule that leaves out an entry by its name; path is relative to the root. */
enum skip rules_check_name(const struct rules *r, const char *name, const char *path, bool is_dir);
/** The rule that leaves out a file by its size. */
enum skip rules_check_size(const struct rules *r, int64_t size);
/**
 * The rule that leaves out path (relative to the root) by any of its components; is_dir is about
 * the last one.
 */
enum skip rules_check_path(const struct rules *r, const char *path, bool is_dir);

#endif
