/* SPDX-License-Identifier: MIT */
/* page_map - private to page: the directories of a report as pictures that lead to each other. */
#ifndef UI_PAGE_MAP_H
#define UI_PAGE_MAP_H

struct usage;

/** The directories with a picture of their own. */
struct page_map {
	const struct usage *usage;   /* borrowed */
	enum num_units units;
	uint32_t dir;                /* which all are at or below */
	uint32_t *dirs;              /* by redundant bytes, dir first; owned */
	size_t n;                    /* fewer may be shown than were found */
	size_t *rank;                /* by number from dir: the place in dirs, or SIZE_MAX; owned */
};

/**
 * Find them at and below a directory that has something redundant, beginning with the first in
 * which that lies in several places.  Free with page_map_release().
 */
void page_map_find(struct page_map *m, const struct usage *u, uint32_t dir, enum num_units units);
/** Free what it owns. */
void page_map_release(struct page_map *m);

/** Append what the colours of both mean. */
void page_map_legend(struct buf *b);
/** Append the overview: directories as bars, each below the one that it is in. */
void page_map_overview(const struct page_map *m, struct buf *b);
/** Append the sections of all directories, each with a map; the first directory's is the last. */
void page_map_sections(const struct page_map *m, struct buf *b);

#endif
