/* SPDX-License-Identifier: MIT */
#include "base/base.h"

#include "sys/reflink.h"

#include "sys/tmpfile.h"

#include <sys/ioctl.h>
#include <unistd.h>
#ifdef HAVE_LINUX_FS_H
#include <linux/fs.h>
#endif
#ifdef HAVE_LINUX_FIEMAP_H
#include <linux/fiemap.h>
#endif

#include <xxhash.h>

/* Some file systems share at most 16 MiB at a time. */
#define REFLINK_STEP ((int64_t)16 * 1024 * 1024)
/* Extents asked for in one call. */
#define REFLINK_EXTENTS 128

int
reflink_dedupe(int from, int to, int64_t size)
{
#ifdef FIDEDUPERANGE
	/* One range and its result: the struct ends with an array of results. */
	union {
		struct file_dedupe_range range;
		char room[sizeof(struct file_dedupe_range) + sizeof(struct file_dedupe_range_info)];
	} u;
	struct file_dedupe_range_info *info = u.range.info;

	for (int64_t at = 0; at < size; at += (int64_t)info->bytes_deduped) {
		memset(&u, 0, sizeof(u));
		u.range.src_offset = (uint64_t)at;
		u.range.src_length = (uint64_t)(size - at < REFLINK_STEP ? size - at : REFLINK_STEP);
		u.range.dest_count = 1;
		info->dest_fd = to;
		info->dest_offset = (uint64_t)at;
		if (ioctl(from, FIDEDUPERANGE, &u.range) < 0)
			return -1;
		if (info->status < 0)
			errno = -info->status;
		else if (info->status == FILE_DEDUPE_RANGE_DIFFERS)
			errno = EILSEQ;
		else if (info->bytes_deduped == 0)
			errno = EIO;
		else
			continue;
		return -1;
	}
	return 0;
#else
	(void)from, (void)to, (void)size;
	errno = EOPNOTSUPP;
	return -1;
#endif
}

bool
reflink_may_work(int dir)
{
	const int from = tmpfile_make(dir), to = from >= 0 ? tmpfile_make(dir) : -1;
	bool may = true;

	if (to >= 0 && reflink_clone(from, to) < 0)
		may = errno != EOPNOTSUPP && errno != ENOTTY && errno != ENOSYS;
	if (from >= 0)
		(void)close(from);
	if (to >= 0)
		(void)close(to);
	return may;
}

int
reflink_clone(int from, int to)
{
#ifdef FICLONE
	return ioctl(to, FICLONE, from);
#else
	(void)from, (void)to;
	errno = EOPNOTSUPP;
	return -1;
#endif
}

#if defined(HAVE_LINUX_FIEMAP_H) && defined(FS_IOC_FIEMAP)
/* Called for an extent.  Returns whether to go on. */
typedef bool reflink_extent_fn(void *arg, const struct fiemap_extent *e);

/*
 * Deliver the extents of a file, n in each call of the kernel; with first_only only those of the
 * first call.  Returns 0, also where fn stopped, or -1 with errno.
 */
static int
reflink_each(int fd, uint32_t flags, uint32_t n, bool first_only, reflink_extent_fn *fn, void *arg)
{
	struct fiemap *map = mem_alloc(sizeof(*map) + n * sizeof(struct fiemap_extent));
	uint64_t at = 0;
	bool last = false, stopped = false;

	while (!last) {
		memset(map, 0, sizeof(*map));
		map->fm_start = at;
		map->fm_length = FIEMAP_MAX_OFFSET - at;
		map->fm_flags = flags;
		map->fm_extent_count = n;
		if (ioctl(fd, FS_IOC_FIEMAP, map) < 0) {
			free(map);
			return -1;
		}
		last = map->fm_mapped_extents == 0 || first_only;
		for (uint32_t i = 0; i < map->fm_mapped_extents && !stopped; i++) {
			const struct fiemap_extent *e = &map->fm_extents[i];

			stopped = !fn(arg, e);
			last |= stopped || (e->fe_flags & FIEMAP_EXTENT_LAST) != 0;
			at = e->fe_logical + e->fe_length;
		}
	}
	free(map);
	return 0;
}

/* reflink_extent_fn: add up bytes that are not shared. */
static bool
reflink_add_own(void *arg, const struct fiemap_extent *e)
{
	if ((e->fe_flags & FIEMAP_EXTENT_SHARED) == 0)
		*(int64_t *)arg += (int64_t)e->fe_length;
	return true;
}

/* The extents of a file; those that are adjacent on the disk count as one. */
struct reflink_blocks {
	XXH3_state_t *hash;
	uint64_t logical, physical, length;   /* of the extent in hand; length 0: none */
	bool all;                             /* every one is shared and has a known place */
};

static void
reflink_end_extent(struct reflink_blocks *b)
{
	const uint64_t numbers[] = { b->logical, b->physical, b->length };

	if (b->length > 0)
		XXH3_128bits_update(b->hash, numbers, sizeof(numbers));
	b->length = 0;
}

/* reflink_extent_fn */
static bool
reflink_add_blocks(void *arg, const struct fiemap_extent *e)
{
	struct reflink_blocks *b = arg;

	/*
	 * Other flags: encoded, delayed, inline, tail or unwritten.  The disk does not hold the
	 * file's bytes at that address, or the address is unknown.
	 */
	b->all = (e->fe_flags & FIEMAP_EXTENT_SHARED) != 0 &&
	         (e->fe_flags & ~(uint32_t)(FIEMAP_EXTENT_SHARED | FIEMAP_EXTENT_LAST | FIEMAP_EXTENT_MERGED)) == 0;
	if (!b->all)
		return false;
	if (b->length > 0 && e->fe_logical == b->logical + b->length && e->fe_physical == b->physical + b->length)
		b->length += e->fe_length;
	else {
		reflink_end_extent(b);
		b->logical = e->fe_logical;
		b->physical = e->fe_physical;
		b->length = e->fe_length;
	}
	return true;
}
#endif

int64_t
reflink_own_bytes(int fd, bool sync)
{
#if defined(HAVE_LINUX_FIEMAP_H) && defined(FS_IOC_FIEMAP)
	int64_t own = 0;

	return reflink_each(fd, sync ? FIEMAP_FLAG_SYNC : 0, REFLINK_EXTENTS, false, reflink_add_own, &own) < 0 ? -1 : own;
#else
	(void)fd, (void)sync;
	return -1;
#endif
}

bool
reflink_blocks(int fd, const void *disk, size_t len, uint8_t digest[REFLINK_DIGEST])
{
#if defined(HAVE_LINUX_FIEMAP_H) && defined(FS_IOC_FIEMAP)
	struct reflink_blocks b = { .hash = NULL };
	XXH128_canonical_t canonical;
	bool all;

	b.hash = XXH3_createState();
	if (b.hash == NULL)
		return false;
	XXH3_128bits_reset(b.hash);
	XXH3_128bits_update(b.hash, disk, len);
	/* Most files share nothing: their first extent tells, without a sync. */
	all = reflink_each(fd, 0, 1, true, reflink_add_blocks, &b) == 0 && b.all;
	b.all = false;
	b.length = 0;
	all = all && reflink_each(fd, FIEMAP_FLAG_SYNC, REFLINK_EXTENTS, false, reflink_add_blocks, &b) == 0 && b.all;
	reflink_end_extent(&b);
	XXH128_canonicalFromHash(&canonical, XXH3_128bits_digest(b.hash));
	memcpy(digest, canonical.digest, REFLINK_DIGEST);
	XXH3_freeState(b.hash);
	return all;
#else
	(void)fd, (void)disk, (void)len, (void)digest;
	return false;
#endif
}
