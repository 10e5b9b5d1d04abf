/* SPDX-License-Identifier: MIT */
/* inode - an inode as the index knows it, whatever device its volume has now. */
#ifndef INDEX_INODE_H
#define INDEX_INODE_H

/** An inode.  Names with the same one are links to each other. */
struct inode {
	int64_t volume;      /* the number that volumes gives a file system; 0: not known */
	int64_t number;      /* st_ino, its bits as signed */
};

/** Whether two are the same. */
static inline bool
inode_same(struct inode a, struct inode b)
{
	return a.volume == b.volume && a.number == b.number;
}

/**
 * The order by volume and number, that of SQLite's indexes:
 * negative, 0 or positive as with memcmp.
 */
static inline int
inode_cmp(struct inode a, struct inode b)
{
	if (a.volume != b.volume)
		return a.volume < b.volume ? -1 : 1;
	return (a.number > b.number) - (a.number < b.number);
}

/** A hash for base/table. */
static inline uint64_t
inode_hash(struct inode i)
{
	return table_hash((uint64_t)i.volume, (uint64_t)i.number);
}

#endif
