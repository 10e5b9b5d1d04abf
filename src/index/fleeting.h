/* SPDX-License-Identifier: MIT */
/* fleeting - why what lies in a directory may go by itself: is it a copy that may be relied on. */
#ifndef INDEX_FLEETING_H
#define INDEX_FLEETING_H

struct db;

/**
 * The rule: a copy may be relied on unless something may take it away that would leave the file.
 * Each directory has a set of these reasons; a copy counts for a file if its reasons are among the
 * file's own (fleeting_keeps).  So in one cache copies count, and beside it the cache does not.
 */
enum fleeting_why {
	FLEETING_TRASH = 1,      /* it will be emptied */
	FLEETING_MEMORY = 2,     /* tmpfs, ramfs and what lies on them: gone at the next boot */
	FLEETING_CACHE = 4,      /* .cache, or below a CACHEDIR.TAG: programs empty it */
	FLEETING_TEMPORARY = 8,  /* /tmp, /var/tmp, $TMPDIR: emptied at boot, or by age */
	FLEETING_SNAPSHOT = 16,  /* of snapper, ZFS, timeshift: the next ones push it out */
	FLEETING_SHARED = 32     /* sticky, others may write, and not all is ours */
};

/** How many there are: a set of sets of them has a bit for each set, 64 at most. */
#define FLEETING_REASONS 6

/** Reasons that a path shows to the person who types it: what is named is meant. */
#define FLEETING_NAMED (FLEETING_TRASH | FLEETING_CACHE | FLEETING_SNAPSHOT)

/** What the index knows of this.  Zero it, fleeting_load() it, fleeting_release() it. */
struct fleeting {
	VEC(int64_t) memory;     /* volumes that lie in memory */
	VEC(int64_t) tagged;     /* directories with a CACHEDIR.TAG, ascending */
	VEC(int64_t) shared;     /* directories that this user shares with others, ascending */
};

/** Returns 0 or -1. */
int fleeting_load(struct fleeting *f, struct db *db, struct err *err);
void fleeting_release(struct fleeting *f);

/** What a directory has of the one above it. */
#define FLEETING_INHERITED (~(unsigned)(FLEETING_MEMORY | FLEETING_SHARED))

/**
 * The reasons of a directory of the index: by the numbers of it and its volume; by its name, in one
 * named parent; by its absolute path, which may have a slash at the end.  All of them together with
 * what it inherits are its own.
 */
unsigned fleeting_of_row(const struct fleeting *f, int64_t dir, int64_t volume);
unsigned fleeting_of_name(const char *name, size_t len, const char *parent, size_t parent_len);
unsigned fleeting_of_path(const char *path);

/** The i-th temporary directory, an absolute path; NULL behind the last. */
const char *fleeting_temporary(size_t i);

/** Whether users share a directory of this mode: each may write, and remove what is his own. */
bool fleeting_mode_is_shared(unsigned mode);

/** The reasons of a file that the index does not have, by its path and its file system. */
unsigned fleeting_of_outside(const char *path);

/** Whether a copy with these reasons may be relied on for a file with those. */
static inline bool
fleeting_keeps(unsigned copy, unsigned file)
{
	return (copy & ~file) == 0;
}

/**
 * The rule for all copies of a content.  present has bit r for each set of reasons r that a copy
 * has: returns the bits of those sets of which one copy has to stay, for no other copy lasts as
 * long.  What lies in a trash never has to.
 */
uint64_t fleeting_staying(uint64_t present);

/** Whether a copy of one of these sets of reasons, a bit each, may be relied on for such a file. */
bool fleeting_any_keeps(uint64_t copies, unsigned file);

/** Whether a copy with these reasons may go, for one of those that stay lasts longer. */
static inline bool
fleeting_outlasted(uint64_t staying, unsigned why)
{
	return fleeting_any_keeps(staying & ~(UINT64_C(1) << why), why);
}

/**
 * Why a file whose n other copies have such reasons has none to rely on, for people; NULL where
 * there are no reasons.
 */
const char *fleeting_only(unsigned why, int64_t n);

/** How many of them hold: of two names of a content the one with fewer may last longer. */
int fleeting_count(unsigned why);

/** Where that is, for people: "in a cache" ...; of several reasons the one that strikes first. */
const char *fleeting_where(unsigned why);

#endif
