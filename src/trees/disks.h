/* SPDX-License-Identifier: MIT */
/* disks - on which disk each directory lies, and where one file may be seen in two places. */
#ifndef TREES_DISKS_H
#define TREES_DISKS_H

struct dirtree;
struct index;
struct indexes_other;

/** Added to the numbers of shares of other servers. */
#define DISKS_REMOTE ((int64_t)1 << 40)

/** Whether files of two disks may be one file although their inodes differ. */
static inline bool
disks_numbers_may_be_one(int64_t a, int64_t b)
{
	return a != b && (a < 0 || b < 0 || (a >= DISKS_REMOTE && b >= DISKS_REMOTE));
}

/** Whether two disks are lost together: they are one, or one is an image on the other, a view. */
static inline bool
disks_numbers_are_one(int64_t a, int64_t b)
{
	return (a < 0 ? -a : a % DISKS_REMOTE) == (b < 0 ? -b : b % DISKS_REMOTE);
}

/** Disks by number of the directory.  Zero it, disks_load() it, disks_release() it. */
struct disks {
	/**
	 * The number of its disk; subvolumes of one btrfs are one, and so are a disk and the
	 * images in files on it.  Negative: a view, an overlay or a program in user space, which
	 * may show files of any disk.  From DISKS_REMOTE on: a share of another server, which may
	 * show files of other shares.  0: the index does not tell.
	 */
	int64_t *of;
	bool *splits;            /* its files may be one by their times: alias_volumes_splits() */
	bool views;              /* there are views, and other disks besides */
};

/** Load them for the directories of t.  Returns 0 or -1. */
int disks_load(struct disks *d, struct index *ix, const struct dirtree *t, struct err *err);
void disks_release(struct disks *d);

/**
 * Whether files at and below a (absolute), of one index, may be files at and below b, of another
 * one, shown by a view: all names of one would go with the other.  NULL is this index.  If one
 * path lies in the other, in this index, it is about what is not in both.
 *
 * Returns 1 or 0, or -1.
 */
int disks_may_share(struct index *ix, const char *a, const struct indexes_other *of_a, const char *b,
                    const struct indexes_other *of_b, struct err *err);

/** The same of two directories of t, by number, neither of which lies in the other. */
bool disks_dirs_may_share(const struct disks *d, const struct dirtree *t, uint32_t a, uint32_t b);

/** Whether something is mounted at a directory now, by its number.  Returns an owned array. */
bool *disks_mounted(const struct dirtree *t);

/** Whether files of two directories may be one file although their inodes differ. */
static inline bool
disks_may_be_one(const struct disks *d, uint32_t a, uint32_t b)
{
	return disks_numbers_may_be_one(d->of[a], d->of[b]);
}

#endif
