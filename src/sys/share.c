/* SPDX-License-Identifier: MIT */
#include <config.h>

#include "sys/share.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#ifdef HAVE_LINUX_FS_H
#include <linux/fs.h>
#endif
#ifdef HAVE_LINUX_FIEMAP_H
#include <linux/fiemap.h>
#endif

#include "base/mem.h"

/* Some file systems share at most 16 MiB at a time. */
#define SHARE_STEP ((int64_t)16 * 1024 * 1024)
/* Extents asked for in one call. */
#define SHARE_EXTENTS 128

int
share_equal(int from, int to, int64_t size)
{
#ifdef FIDEDUPERANGE
	/* One range and what comes of it: the struct ends with an array of the latter. */
	union {
		struct file_dedupe_range range;
		char room[sizeof(struct file_dedupe_range) + sizeof(struct file_dedupe_range_info)];
	} u;
	struct file_dedupe_range_info *info = u.range.info;

	for (int64_t at = 0; at < size; at += (int64_t)info->bytes_deduped) {
		memset(&u, 0, sizeof(u));
		u.range.src_offset = (uint64_t)at;
		u.range.src_length = (uint64_t)(size - at < SHARE_STEP ? size - at : SHARE_STEP);
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

int
share_clone(int from, int to)
{
#ifdef FICLONE
	return ioctl(to, FICLONE, from);
#else
	(void)from, (void)to;
	errno = EOPNOTSUPP;
	return -1;
#endif
}

int64_t
share_own_bytes(int fd)
{
#if defined(HAVE_LINUX_FIEMAP_H) && defined(FS_IOC_FIEMAP)
	struct fiemap *map = mem_alloc(sizeof(*map) + SHARE_EXTENTS * sizeof(struct fiemap_extent));
	int64_t own = 0;
	uint64_t at = 0;
	bool last = false;

	while (!last) {
		memset(map, 0, sizeof(*map));
		map->fm_start = at;
		map->fm_length = FIEMAP_MAX_OFFSET - at;
		map->fm_flags = FIEMAP_FLAG_SYNC;
		map->fm_extent_count = SHARE_EXTENTS;
		if (ioctl(fd, FS_IOC_FIEMAP, map) < 0) {
			free(map);
			return -1;
		}
		last = map->fm_mapped_extents == 0;
		for (uint32_t i = 0; i < map->fm_mapped_extents; i++) {
			const struct fiemap_extent *e = &map->fm_extents[i];

			if ((e->fe_flags & FIEMAP_EXTENT_SHARED) == 0)
				own += (int64_t)e->fe_length;
			last |= (e->fe_flags & FIEMAP_EXTENT_LAST) != 0;
			at = e->fe_logical + e->fe_length;
		}
	}
	free(map);
	return own;
#else
	(void)fd;
	return -1;
#endif
}
