/* SPDX-License-Identifier: MIT */
/* content_walk - all contents of the index, one after another, each with all of its names. */
#ifndef QUERY_CONTENT_WALK_H
#define QUERY_CONTENT_WALK_H

#include "index/inode.h"
#include "sys/content.h"

struct dirtree;
struct index;

/** An inode with several links. */
struct content_walk_link {
	struct inode inode;
	int64_t size;
	int64_t names, nlink;    /* rows, and the greatest link count of one */
	int64_t met;             /* rows that the walk met, also those without other links */
	int64_t known;           /* the same, and of any size */
	int64_t ctime;           /* of its rows, in nanoseconds; private */
	/** Its rows are of different scans, and the older are no longer true. */
	bool overtaken;
	bool excluded;           /* some of the names are in excluded directories */
	uint32_t content, copy;  /* the caller's; at first CONTENT_WALK_NONE and 0 */
	uint32_t waiting, n_waiting;  /* private: its names that wait for a content */
};

/** In content_walk_link.content. */
#define CONTENT_WALK_NONE UINT32_MAX

/** Inodes, to be found by number.  Zero it, content_walk_links_release() it. */
struct content_walk_links {
	struct content_walk_link *v;
	size_t n, cap;
	/* private */
	struct table by_inode;
};

/** The inode with this number and size, or NULL. */
struct content_walk_link *content_walk_links_find(const struct content_walk_links *t, struct inode inode, int64_t size);
/** The same, added if it was not there.  Valid until the next one is added. */
struct content_walk_link *content_walk_links_add(struct content_walk_links *t, struct inode inode, int64_t size);
/** Free what it owns. */
void content_walk_links_release(struct content_walk_links *t);

/** A name of a content. */
struct content_walk_name {
	struct inode inode;
	struct content_walk_link *link;  /* the inode, if it has several links; else NULL */
	int64_t id;              /* of its directory */
	uint32_t dir;            /* the number of that in the tree, if there is one */
	uint32_t copy;           /* which of the content's inodes: 0 .. copies - 1 */
	bool read;               /* by this name, not only by others of its inode */
	const char *text;        /* as the index stores it; NULL unless texts were asked for */
	size_t len;
};

/** A name that was not read.  Private. */
struct content_walk_unread {
	int64_t size;
	struct inode inode;
	int64_t dir;
	const char *text;
	size_t len;
};

/** A content: what was read has a hash, all else is one inode, whose bytes nobody knows. */
struct content_walk_content {
	int64_t size;            /* 0: an empty file */
	bool has_hash;
	uint8_t hash[HASH_SIZE];
	uint32_t n, copies;      /* names and inodes: 1 or more */
};

/** Called for a content; names of one inode are together.  Returns 0, or -1 with *err. */
typedef int content_walk_fn(void *arg, const struct content_walk_content *c, const struct content_walk_name *names, struct err *err);

/** Zero it, set all from ix to arg, content_walk() once, content_walk_release(). */
struct content_walk {
	struct index *ix;
	const struct dirtree *dirs;  /* what is excluded there is left out; or NULL */
	bool read_only;          /* leave out names that were not read */
	bool texts;              /* the names are wanted as well */
	int64_t min_size;        /* of contents that were read */
	content_walk_fn *fn;
	void *arg;
	/** All inodes with several links: complete before the first call of fn. */
	struct content_walk_links links;
	/* private */
	struct content_walk_content c;       /* in hand, none if it has no names */
	VEC(struct content_walk_name) names; /* of it */
	VEC(struct content_walk_unread) unread;
	VEC(struct content_walk_name) waiting; /* of inodes with links: these may have a content */
	struct arena memory, unread_memory;  /* of texts */
	int64_t id;                          /* of the row before */
	uint32_t dir;
	bool excluded;
	uint8_t *linked;                     /* bits by hash: those of links are set */
};

/** Look up a directory: sets dir and excluded.  Returns 0, or -1: ERR_BAD_INDEX. */
int content_walk_dir(struct content_walk *w, int64_t id, struct err *err);
/**
 * Walk over all contents.  Returns 0, or -1: ERR_INTERRUPTED, ERR_BAD_INDEX, ERR_DB, or what fn
 * failed with.
 */
int content_walk(struct content_walk *w, struct err *err);
/** Free what it owns. */
void content_walk_release(struct content_walk *w);

#endif
