/* SPDX-License-Identifier: MIT */
/* displaced - directories whose place in the index another directory took, and where they went. */
#ifndef SCAN_DISPLACED_H
#define SCAN_DISPLACED_H

struct dirmap;
struct index;
struct listing;
struct volumes;

/** A directory that gave up its place. */
struct displaced_dir {
	int64_t dir, taker;     /* dir comes first: order_cmp_int64.  taker has the place now */
	int64_t parent;         /* where the taker was before; -1: nowhere */
	const char *name;       /* and its name there */
	int64_t new_parent;     /* where dir waits: 0, under its root's path; or -1 */
	const char *new_name;   /* and its name there */
};

/** All of a scan.  Zero it, displaced_release() it. */
struct displaced {
	VEC(struct displaced_dir) v;
	struct arena names;
};

/** Free what it owns. */
void displaced_release(struct displaced *p);

/**
 * Make the directory that the index has at the place of a listing give it up, if that is another
 * one.  A root waits under its path, any other directory nowhere, until it is visited itself, or
 * swept.  While threads walk; inside a transaction.  Returns 0 or -1.
 */
int displaced_take_place(struct displaced *p, const struct dirmap *map, struct index *ix, const struct listing *l, struct err *err);

/** After the walk: tell the map where they wait. */
void displaced_hang(struct displaced *p, struct dirmap *map);

/**
 * After the map has all new places: hang each that was not met at a place that became free, if it
 * lies there.  Inside a transaction.  *wrote: one was.  Returns 0 or -1.
 */
int displaced_return(struct displaced *p, struct dirmap *map, struct index *ix, struct volumes *volumes, bool *wrote,
                     struct err *err);

#endif
