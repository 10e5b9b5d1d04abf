/* SPDX-License-Identifier: MIT */
/* place_rank - which of two places should rather hold the copy that stays: one rule everywhere. */
#ifndef QUERY_PLACE_RANK_H
#define QUERY_PLACE_RANK_H

/** What a path says of a copy there; zeroed: "/".  Less is better, field by field. */
struct place_rank {
	bool backup;         /* it is in a declared backup; the caller sets it */
	/*
	 * Components named like a backup or a download (base/backup_name), and the top directories
	 * below which disks that come and go are mounted: /media, /mnt, /run, /Volumes.
	 */
	uint32_t spare;
	uint32_t hidden;     /* components that begin with a dot */
	uint32_t depth;      /* components */
};

/** The rank of an entry of a directory that has the rank above; its name has len bytes. */
struct place_rank place_rank_below(struct place_rank above, const char *name, size_t len);
/** The rank of an absolute path. */
struct place_rank place_rank_path(const char *path);

/**
 * Compare two places of one content: what is in a declared backup comes last; live ones before
 * spare ones, visible before hidden ones, the less deep before the deeper.  Names that both paths
 * have count for both, and tell none apart.
 * Returns a negative number if a copy should rather stay in a, a positive one if in b, or 0: the
 * caller goes by the order of paths, the first stays.
 */
int place_rank_cmp(const struct place_rank *a, const struct place_rank *b);
/** The same without the depth. */
int place_rank_cmp_kind(const struct place_rank *a, const struct place_rank *b);

#endif
