/* SPDX-License-Identifier: MIT */
/*
 * Replaces volume_linux.c: POSIX has only a number for a file system, which may change at the next
 * mount.  So keys here contain no id (they have a blank, see volume_id_len), and no volume is known
 * to be a disk of its own.  On the BSDs and macOS the type is known.
 */
#include "base/base.h"

#include "sys/volume.h"

#include <sys/statvfs.h>
#ifdef HAVE_STRUCT_STATFS_F_FSTYPENAME
#include <sys/param.h>
#include <sys/mount.h>
#endif

/* Fill in facts that the system knows beyond POSIX. */
static void
volume_type(int fd, struct volume_facts *facts)
{
#ifdef HAVE_STRUCT_STATFS_F_FSTYPENAME
	struct statfs s;

	if (fstatfs(fd, &s) < 0)
		return;
	snprintf(facts->type, sizeof(facts->type), "%s", s.f_fstypename);
	facts->network = facts->served = (s.f_flags & MNT_LOCAL) == 0;
#else
	(void)fd, (void)facts;
#endif
}

int
volume_describe(int fd, uint64_t dev, struct volume_facts *facts, struct buf *key)
{
	struct statvfs v;

	(void)dev;
	if (fstatvfs(fd, &v) < 0)
		return -1;
	*facts = (struct volume_facts){ .type = "posix" };
	volume_type(fd, facts);
	buf_addf(key, "%s:? %llx,%llu", facts->type, (unsigned long long)v.f_fsid, (unsigned long long)v.f_blocks);
	return 0;
}

void
volume_label(int fd, uint64_t dev, struct buf *label)
{
	(void)fd, (void)dev, (void)label;
}

bool
volume_is_network(int fd)
{
	struct volume_facts facts = { .network = false };

	volume_type(fd, &facts);
	return facts.network;
}

bool
volume_tells_files(int fd)
{
	(void)fd;
	return false;
}

bool
volume_has_layers(int fd)
{
	(void)fd;
	return false;
}

bool
volume_shares_blocks(int fd, uint64_t dev, struct buf *disk)
{
	(void)fd, (void)dev, (void)disk;
	return false;
}

int
volume_ground(uint64_t dev, struct buf *key)
{
	(void)dev, (void)key;
	return 0;
}

bool
volume_has_disk(uint64_t dev)
{
	(void)dev;
	return false;
}

bool
volume_mount_in_memory(const struct mounted *m)
{
	(void)m;
	return false;
}
