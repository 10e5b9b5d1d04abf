/* SPDX-License-Identifier: MIT */
/* place - the directories by which people tell where a file lies: those in what was asked for. */
#ifndef QUERY_PLACE_H
#define QUERY_PLACE_H

#include "index/roots.h"

struct index;

/** A directory with all below it, or only the files directly in it. */
struct place {
	const char *path;     /* absolute */
	bool own;             /* only the files directly in it */
	bool asked;           /* it lies at or below a directory that was asked for */
	uint32_t whole;       /* number of that directory with all below it; else its own */
};

/** All places that were met; zero it, places_open() it, places_release() it. */
struct places {
	VEC(struct place) v;  /* a place's number is its position */
	/* private */
	const char *const *dirs;
	struct pathset asked;
	struct roots roots;
	struct table by_path;
	struct buf dir;       /* that was asked about last */
	struct arena memory;
};

/** Where a directory of files belongs. */
struct place_found {
	uint32_t place;
	bool hidden;          /* a directory below what was asked for, or its root, is hidden */
};

/**
 * Begin with n directories that are asked for, absolute, none in another, borrowed.  A file below
 * one of them belongs to the directory of it in which it lies; any other file to that of its
 * innermost root.  Returns 0 or -1.
 */
int places_open(struct places *p, struct index *ix, const char *const *dirs, size_t n, struct err *err);
/** Free what it owns. */
void places_release(struct places *p);
/** Find the place of the files directly in the directory dir, len bytes with a slash at the end. */
struct place_found places_of(struct places *p, const char *dir, size_t len);

#endif
