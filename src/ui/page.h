/* SPDX-License-Identifier: MIT */
/* page - a report as one HTML page: nothing in it runs, or is fetched from anywhere. */
#ifndef UI_PAGE_H
#define UI_PAGE_H

struct set_answer;
struct set_totals;
struct similar_answer;
struct usage;

/** The largest page, in bytes: of a larger one the last places, sets and pairs are left out. */
enum { PAGE_MAX = 2000000 };

/** Directories in the table of those with the largest portions (usage_top). */
enum { PAGE_PLACES = 20 };

/** Rows of a table as HTML, in order: owned. */
struct page_rows {
	char **v;
	size_t n, cap;
};

/** What a page says.  Set its first part, add to the others, page_write() it, page_release() it. */
struct page {
	const struct usage *usage;      /* borrowed, with the directory asked for, divided */
	uint32_t dir;
	size_t n_roots;                 /* more than 1: all of these */
	enum num_units units;
	bool checked;                   /* members of sets were looked at */
	int64_t scanned;                /* end of the last finished run, seconds since 1970, or 0 */
	int64_t n_pairs;                /* of directories, of which some were added */
	const char *command;            /* to be shown with each directory; borrowed, or NULL */
	/* private */
	struct page_rows sets, pairs, notes, steps;
	int64_t most;                   /* that a set has redundant */
};

/** Add a set of duplicates: the one with most redundant bytes first. */
void page_set(struct page *p, const struct set_answer *s);
/** Add a pair of directories: the one that shares most first. */
void page_pair(struct page *p, const struct similar_answer *s);
/** Add what could not be judged, in a sentence without its end. */
void page_note(struct page *p, const char *text);
/** Add what to do next, a command about a path or "", unless a page can't show that to be typed. */
void page_step(struct page *p, const char *command, const char *path, const char *what);
/** Append the page; totals are those of the sets, of which not all need to have been added. */
void page_write(struct page *p, const struct set_totals *totals, struct buf *b);
/** Free what it owns. */
void page_release(struct page *p);

#endif
