/* SPDX-License-Identifier: MIT */
/* keep_names - all names that the index has of a content, each looked at, for keep to choose. */
#ifndef QUERY_KEEP_NAMES_H
#define QUERY_KEEP_NAMES_H

#include "index/file.h"
#include "index/marks.h"
#include "index/presence.h"
#include "query/alias_volumes.h"
#include "query/keep.h"
#include "query/sets_groups.h"

struct content_reader;
struct index;

/** A name that is there with its signature. */
struct keep_entry {
	struct keep_name name;
	struct file_row row;    /* its name is borrowed from the path */
	bool trust_mtime;       /* its root's option */
};

/** A name, and what a look at it gave. */
struct keep_passed {
	struct file_row row;
	enum presence presence;
	uint32_t content;            /* private: its number in contents */
};

/** Names of many contents, from one pass over all rows, looked at meanwhile. */
struct keep_pass {
	struct sets_groups contents;
	VEC(struct keep_passed) v;
	VEC(uint32_t) order;         /* of v: n of a content, from first on */
	/* private */
	struct presence_view *view;
	struct arena names;
};

/** Set the first fields, keep_names_open() it, keep_names_release() it. */
struct keep_names {
	struct index *ix;
	const struct keep *keep;
	bool marking;           /* for marks: drop does not count */
	bool untried;           /* nobody tests later which names are one file */
	bool force;             /* what is marked keep may go */
	struct content_reader *reader;   /* racy files are read again; or NULL */
	struct pathset named;   /* what the user named */
	struct alias_volumes views;     /* then, and for marks: what may be one file counts once */
	struct marks marks;     /* to be loaded where the files are many */
	/* Of the content that was loaded last. */
	VEC(struct keep_entry) entries;   /* in the order of paths */
	VEC(struct keep_name *) order;    /* of these, as keep_choose() puts them */
	int64_t n_stay;         /* keep_count() */
	bool unseen;            /* a name was offline or unreadable */
	int64_t n_kept_unseen;  /* ... and is marked keep */
	/* private */
	struct presence_view view;
	struct arena paths;
	struct keep_pass pass;
};

/** Name n paths, which stay as long as k does.  Returns 0 or -1. */
int keep_names_open(struct keep_names *k, const char *const *paths, size_t n, struct err *err);
void keep_names_release(struct keep_names *k);

/**
 * Say that a content will be loaded.  Where these are many, keep_names_load_all() loads them
 * together, which costs less.
 */
void keep_names_want(struct keep_names *k, int64_t size, const uint8_t *hash);
/** Behind the last that is wanted, once each.  Returns 0 or -1. */
int keep_names_load_all(struct keep_names *k, struct err *err);

/** Load the names of a content; none is to go.  Returns 0 or -1. */
int keep_names_load(struct keep_names *k, int64_t size, const uint8_t *hash, struct err *err);
/** Whether all names that are there lead to one inode. */
bool keep_names_are_one(const struct keep_names *k);
/** The entry of a path that is there, or NULL.  Valid until the next load. */
struct keep_entry *keep_names_find(const struct keep_names *k, const char *path);
/** Ask for an entry to go. */
void keep_names_ask(struct keep_entry *e);
/** Take an entry for marked keep: its mark is yet to be written. */
void keep_names_kept(const struct keep_names *k, struct keep_entry *e);
/**
 * How many copies of the content are marked keep, each inode counted once, and each path that is
 * not there any more; what is offline or unreadable is not counted.  marks must be loaded.
 */
int64_t keep_names_promised(const struct keep_names *k, int64_t size, const uint8_t *hash);
/** Choose, once all was asked for. */
void keep_names_choose(struct keep_names *k);

#endif
