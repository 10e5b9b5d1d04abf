/* SPDX-License-Identifier: MIT */
/* page_map - maps of directories in a page: a section for each, which links lead into. */
#ifndef UI_PAGE_MAP_H
#define UI_PAGE_MAP_H

#include "query/usage.h"

/** The directories with a map of their own.  page_map_find() it, page_map_release() it. */
struct page_map {
	const struct usage *usage;   /* borrowed */
	enum num_units units;
	uint32_t dir;                /* which all are at or below */
	uint32_t *dirs;              /* by portion, dir first; owned */
	size_t n;                    /* the caller may take off the last ones; dirs: 0 or more */
	int levels;                  /* that maps show in tiles; the caller may lower it, to 0 */
	const char *command;         /* that takes one of them; borrowed, or NULL: none is shown */
	/* private */
	size_t *rank;                /* by number from dir: the place in dirs, or SIZE_MAX; owned */
};

/**
 * Find them at and below a directory that was divided (struct usage_sum), beginning with the first
 * in which its portion lies in several places.  None, if nothing is redundant.
 */
void page_map_find(struct page_map *m, const struct usage *u, uint32_t dir, enum num_units units);
/** Append their sections: without a target the page shows the last one, of the first directory. */
void page_map_write(const struct page_map *m, struct buf *b);
/** Free what it owns. */
void page_map_release(struct page_map *m);

/** Append the beginning of a link to a directory's section.  Returns false: it has none. */
bool page_map_link(const struct page_map *m, uint32_t dir, struct buf *b);
/** Append what the colours mean. */
void page_map_legend(struct buf *b);
/** The percentage that n is of all, rounded down; 0 of nothing. */
int page_map_percent(int64_t n, int64_t all);
/** Append the path of a directory from one at or above it, where it is the same as a whole. */
void page_map_name(const struct usage *u, uint32_t above, uint32_t dir, struct buf *b);

/**
 * Append a command about a path, "" for none, to be copied as it stands.  Returns false, with
 * nothing appended, where a page can't show it.
 */
bool page_map_command(const char *command, const char *path, struct buf *b);

#endif
