/* SPDX-License-Identifier: MIT */
/*
 * wholes - directories that belong together: git work trees, virtual environments, mail stores.  A
 * file in one of them that has a copy elsewhere is needed there all the same.
 */
#ifndef INDEX_WHOLES_H
#define INDEX_WHOLES_H

struct db;

/** A directory that is a whole. */
struct whole {
	const char *path;        /* absolute; lives as long as its struct wholes */
	size_t number;           /* from 0 on, of its struct wholes */
	unsigned kind;           /* a bit: wholes_name() */
};

/** What is known of a directory. */
struct wholes_dir {
	const char *path;
	size_t len;
	unsigned kind;           /* 0: it is no whole */
};

/** Directories by their paths. */
struct wholes_dirs {
	VEC(struct wholes_dir) v;
	struct table by_path;
};

/** Set the first fields, ask, wholes_release() it.  Each directory is looked at once. */
struct wholes {
	struct db *db;
	const char *const *more; /* wholes besides: what holds such an entry; "*.x": is named so */
	size_t n_more;
	bool as_indexed;         /* ask the index alone, else the disk first */
	/* private */
	struct wholes_dirs looked;   /* that were asked about */
	struct wholes_dirs indexed;  /* all wholes of the index, once one had to be found there */
	bool loaded;
	struct arena memory;
	struct buf dir, entries; /* the path of the directory in hand; its entries in the index */
};

/**
 * Find the outermost whole that is a directory above path and lies below base, which is not one
 * itself for this: who named it, meant it.  A path that ends in a slash may itself be the whole.
 * Each directory is looked at on the disk, and where it is not there, in the index, which is read
 * as a whole for that, once.
 * Returns 1 with *found, 0, or -1.
 */
int wholes_find(struct wholes *w, const char *base, const char *path, struct whole *found, struct err *err);
void wholes_release(struct wholes *w);

/** Whether an entry or pattern can be one of wholes.more: no path, and not empty. */
bool wholes_marker_is_valid(const char *marker);

/** The name of one kind: "git work tree". */
const char *wholes_name(unsigned kind);
/** Append the plurals of all kinds of a set of bits: "git work trees and Maildirs". */
void wholes_show(struct buf *b, unsigned kinds);

#endif
