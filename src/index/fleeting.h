/* SPDX-License-Identifier: MIT */
/* fleeting - why files in a directory may disappear by themselves, and copies there not count. */
#ifndef INDEX_FLEETING_H
#define INDEX_FLEETING_H

struct db;

/**
 * The rule: a copy counts unless something may remove it and not the file.  Each directory has a
 * set of these reasons; a copy counts for a file if its reasons are among the file's own
 * (fleeting_keeps).  So copies in a cache count for a file in a cache, and not for one elsewhere.
 */
enum fleeting_why {
	FLEETING_TRASH = 1,      /* it will be emptied */
	FLEETING_MEMORY = 2,     /* tmpfs, ramfs and what lies on them: gone at the next boot */
	FLEETING_CACHE = 4,      /* .cache, or below a CACHEDIR.TAG: programs empty it */
	FLEETING_TEMPORARY = 8,  /* /tmp, /var/tmp, $TMPDIR: emptied at boot, or by age */
	FLEETING_SNAPSHOT = 16,  /* of snapper, ZFS, timeshift: the next ones push it out */
	FLEETING_SHARED = 32     /* sticky, writable by others, with files of other users */
};

/** The number of reasons: a set of sets of them fits in 64 bits. */
#define FLEETING_REASONS 6

/** Reasons that a typed path shows: the user has named the place on purpose. */
#define FLEETING_NAMED (FLEETING_TRASH | FLEETING_CACHE | FLEETING_SNAPSHOT)

/** A volume of which all files are fleeting. */
struct fleeting_volume {
	int64_t volume;
	unsigned why;
};

/** The fleeting directories of an index.  Zero it, fleeting_load() it, fleeting_release() it. */
struct fleeting {
	struct db *db;           /* borrowed */
	VEC(struct fleeting_volume) volumes;
	bool one_by_one;         /* no order of names yet: each directory is asked for its tag */
	VEC(int64_t) tagged;     /* else directories with a CACHEDIR.TAG, ascending */
	VEC(int64_t) shared;     /* directories that this user shares with others, ascending */
};

/** Returns 0 or -1.  db outlives f. */
int fleeting_load(struct fleeting *f, struct db *db, struct err *err);
void fleeting_release(struct fleeting *f);

/**
 * Append the key of a volume that is made up for the members of an archive (absolute path), which
 * go for the reasons that the archive has.
 */
void fleeting_archive_key(struct buf *key, const char *archive, unsigned why);

/** The reasons that a directory inherits from its parent. */
#define FLEETING_INHERITED (~(unsigned)(FLEETING_MEMORY | FLEETING_SHARED))

/**
 * The reasons of a directory of the index: by its number and its volume's, or -1; by its name and
 * its parent's; by its absolute path, which may end in a slash.  Together with the inherited ones
 * they are all of its reasons.
 */
int fleeting_of_row(const struct fleeting *f, int64_t dir, int64_t volume, struct err *err);
unsigned fleeting_of_name(const char *name, size_t len, const char *parent, size_t parent_len);
unsigned fleeting_of_path(const char *path);

/** The i-th temporary directory, an absolute path; NULL behind the last. */
const char *fleeting_temporary(size_t i);

/** Whether users share a directory of this mode: all may write, each may remove only own files. */
bool fleeting_mode_is_shared(unsigned mode);

/** The reasons of a file that the index does not have, by its path and its file system. */
unsigned fleeting_of_outside(const char *path);

/** Whether a copy with these reasons counts for a file with those. */
static inline bool
fleeting_keeps(unsigned copy, unsigned file)
{
	return (copy & ~file) == 0;
}

/**
 * The rule for all copies of a content.  present has bit r for each set of reasons r that a copy
 * has.  Returns the bits of the sets of which one copy must stay, because no other lasts as long.
 * A copy in a trash never must.
 */
uint64_t fleeting_staying(uint64_t present);

/** Whether a copy with one of these sets of reasons, a bit each, counts for such a file. */
bool fleeting_any_keeps(uint64_t copies, unsigned file);

/** Whether a copy with these reasons may go, because one that stays lasts longer. */
static inline bool
fleeting_outlasted(uint64_t staying, unsigned why)
{
	return fleeting_any_keeps(staying & ~(UINT64_C(1) << why), why);
}

/**
 * Say why the n other copies of a file, which have these reasons, do not count; NULL without
 * reasons.
 */
const char *fleeting_only(unsigned why, int64_t n);

/** Count the reasons: of two names of a content the one with fewer may last longer. */
int fleeting_count(unsigned why);

/** The place in words, "in a cache" ...; of several reasons the one that removes it first. */
const char *fleeting_where(unsigned why);

#endif
