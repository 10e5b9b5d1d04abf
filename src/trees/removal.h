/* SPDX-License-Identifier: MIT */
/* removal - which directories can go together so that every content keeps a name. */
#ifndef TREES_REMOVAL_H
#define TREES_REMOVAL_H

struct contents_map;
struct keepers;
struct stat_results;

/**
 * Contents, how many of their names stay, and the directories that go so far.  Set the first
 * six, removal_open() it, removal_release() it.
 */
struct removal {
	const struct contents_map *m;
	const struct stat_results *l;    /* wanted: the contents in directories that may go */
	const struct keepers *keepers;   /* which names keep their content */
	bool within;             /* ... and links outside of the index do not */
	int64_t copies;          /* inodes of a content that must stay; 0: one */
	const uint32_t *volumes; /* by name: an inode must stay on each of its content's */
	bool *going;             /* by directory: it goes */
	/* private */
	int64_t *before, *kept;  /* by content: names that keep it, before anything goes, and now */
	uint32_t *start;         /* by directory: its first in v; one more at the end */
	uint32_t *v;             /* contents of the names that are there, directory by directory */
	uint32_t *inside;        /* by content: its place in a list under way, from 1 */
	uint32_t *met;           /* by copy of a content: the count that has met it; or NULL */
	uint32_t counts;
};

/** Count. */
void removal_open(struct removal *r);
void removal_release(struct removal *r);

/** What became of a directory. */
enum removal_outcome {
	REMOVAL_GOES,
	REMOVAL_LIVE,        /* it stays: it may not go for spare copies alone (keepers_suit()) */
	REMOVAL_LOSES        /* it stays, for a content would keep too few names */
};

/** Whether a name, by its position, keeps its content as long as its directory stays. */
bool removal_keeps(const struct removal *r, uint32_t content, uint32_t name);

/** Whether a name outside of a directory would keep its content, but can't be looked at. */
bool removal_unseen(const struct removal *r, uint32_t content, uint32_t name, uint32_t dir);

/** Whether a content has links outside of the index, which keep it. */
bool removal_outside(const struct removal *r, uint32_t content);

/**
 * Let a directory go, none above or below which goes, if every content in it keeps enough names
 * then, of which one may be relied on for it.
 */
enum removal_outcome removal_try(struct removal *r, uint32_t dir);

/** A content in a directory. */
struct removal_content {
	uint32_t content;
	uint32_t files;          /* its names there */
	uint32_t keeping;        /* those of them that count */
	uint32_t staying;        /* those of these that do not go */
	bool alone;              /* too few names elsewhere keep it, whatever goes */
	bool spare;              /* enough do, but none that the directory may go for */
	bool needed;             /* too few names elsewhere keep it, for what goes */
};

/** The contents in a directory, each once, in v; release with vec_release(). */
struct removal_contents {
	struct removal_content *v;
	size_t n, cap;
};

/**
 * Whether enough inodes of a content would keep a name outside of a directory, and one that it may
 * go for, if those names counted, too, that nobody could look at.
 */
bool removal_may_keep(struct removal *r, uint32_t content, uint32_t dir);

/** Append them. */
void removal_list(struct removal *r, uint32_t dir, struct removal_contents *contents);

#endif
