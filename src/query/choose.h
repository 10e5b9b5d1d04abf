/* SPDX-License-Identifier: MIT */
/*
 * choose - which of many files may go, content by content: all names of a content are looked at,
 * and keep says which of them stay.
 */
#ifndef QUERY_CHOOSE_H
#define QUERY_CHOOSE_H

#include "index/file.h"
#include "index/marks.h"
#include "index/presence.h"
#include "query/alias_volumes.h"
#include "query/keep.h"
#include "query/list.h"
#include "query/sets_groups.h"

struct content_reader;
struct index;

/** A file and the decision about it.  All pointers are borrowed. */
struct choose_item {
	const char *path;            /* absolute */
	enum mark_decision decision; /* MARK_DROP: it is to go; MARK_KEEP: it is to be marked so */
	int64_t size;                /* with hash: its content */
	struct fs_time mtime;
	const uint8_t *hash;         /* HASH_SIZE bytes; NULL: it was never read, and cannot go */
};

/** A file that was added. */
struct choose_file {
	struct mark m;               /* what choose_item says */
	bool marked, already;        /* for the caller */
};

/**
 * Called for a content, whose names are loaded: those n files of it that were added, those to keep
 * first, then by path.  Returns 0 to go on, another value to stop.
 */
typedef int choose_fn(void *arg, struct choose_file *v, size_t n, struct err *err);

/** A name that is there with its signature. */
struct choose_name {
	struct keep_name name;
	struct file_row row;    /* its name is borrowed from the path */
	bool trust_mtime;       /* its root's option */
	bool asked;             /* by choose_ask(): also one that may be another name's file */
};

/** A name, and what a look at it gave. */
struct choose_passed {
	struct file_row row;
	enum presence presence;
	uint32_t content;            /* private: its number in contents */
};

/** Names of many contents, from one pass over all rows, looked at meanwhile. */
struct choose_pass {
	struct sets_groups contents;
	VEC(struct choose_passed) v;
	VEC(uint32_t) order;         /* of v: n of a content, from first on */
	/* private */
	struct presence_view *view;
	struct arena names;
};

/** Set the first fields, choose_open() it, choose_add() files, choose_each(), choose_release(). */
struct choose {
	struct index *ix;
	const struct keep *keep;
	bool marking;           /* for marks: drop does not count */
	bool untried;           /* nobody tests later which names are one file */
	bool force;             /* what is marked keep may go */
	struct content_reader *reader;   /* racy files are read again; or NULL */
	struct pathset named;   /* what the user named */
	struct alias_volumes views;     /* then, and for marks: what may be one file counts once */
	struct marks marks;     /* to be loaded where the files are many */
	bool many;              /* files: the contents with several names are loaded */
	VEC(struct choose_file) files;  /* that were added */
	/* Of the content that was loaded last. */
	VEC(struct choose_name) entries;   /* in the order of paths */
	VEC(struct keep_name *) order;    /* of these, as keep_choose() puts them */
	int64_t n_stay;         /* keep_count() */
	bool unseen;            /* a name was offline or unreadable */
	int64_t n_kept_unseen;  /* ... and is marked keep */
	/* private */
	int64_t n_met, n_indexed;       /* files that choose_list() has met; that the index has */
	struct sets_groups several;     /* contents with several names */
	struct presence_view view;
	struct arena paths, memory;
	struct choose_pass pass;
};

/** Name n paths, which stay as long as k does.  Returns 0 or -1. */
int choose_open(struct choose *k, const char *const *paths, size_t n, struct err *err);
void choose_release(struct choose *k);

/**
 * Deliver all files at and below n paths for the caller to add, with states, as list_each.  Once
 * they are many, the state of a file whose content has several names is STATE_UNKNOWN.
 */
int choose_list(struct choose *k, const char *const *paths, size_t n, list_fn *fn, list_gap_fn *gap, void *arg,
                struct list_totals *totals, struct err *err);
/** Whether one pass over all rows costs little compared with finding the copies of n files. */
bool choose_are_many(struct choose *k, int64_t n);
/** Whether the state of a listed file lets it go, as far as that is known. */
bool choose_may_go(const struct file_answer *a);
/** Add a file.  Its path is copied. */
void choose_add(struct choose *k, const struct choose_item *item);
/**
 * Load the names of one content after the other, in the order of their first files; fn asks for
 * those that are to go, and chooses.  It may be called again for the same files.  Returns 0, what
 * fn returned, or -1.
 */
int choose_each(struct choose *k, choose_fn *fn, void *arg, struct err *err);

/** Whether all names that are there lead to one inode. */
bool choose_are_one(const struct choose *k);
/** The entry of a path that is there, or NULL.  Valid until the next load. */
struct choose_name *choose_find(const struct choose *k, const char *path);
/** Ask for an entry to go. */
void choose_ask(struct choose_name *e);
/** Take an entry for marked keep: its mark is yet to be written. */
void choose_kept(const struct choose *k, struct choose_name *e);
/**
 * How many copies of the content are marked keep, each inode counted once, and each path that is
 * not there any more; what is offline or unreadable is not counted.  marks must be loaded.
 */
int64_t choose_promised(const struct choose *k, int64_t size, const uint8_t *hash);
/** Choose, once all was asked for. */
void choose_fates(struct choose *k);

#endif
