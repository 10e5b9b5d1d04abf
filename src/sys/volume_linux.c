/* SPDX-License-Identifier: MIT */
/*
 * Hides how Linux tells file systems apart: the table volume_types says which id of each type is
 * stable.  Indexes store keys: the way to make one must not change.  No state, no locks.
 */
#include "base/base.h"

#include "sys/volume.h"

#include <dirent.h>
#include <fcntl.h>
#include <sys/ioctl.h>
#include <sys/stat.h>
#include <sys/sysmacros.h>
#include <sys/vfs.h>
#include <unistd.h>
#ifdef HAVE_LINUX_FS_H
#include <linux/fs.h>
#endif

#include "sys/fs.h"
#include "sys/mounted.h"

/*
 * How the key of a type of file system is made.  BY_MOUNT: of a block device, by the UUID that
 * /dev/disk/by-uuid has for it and the size, else by where it is mounted.  BY_IMAGE: likewise, of
 * one that is never written to, with the number of its files and the age of its image.
 */
enum volume_identity { BY_FSID, BY_XFS_UUID, BY_MOUNT, BY_IMAGE };

/* Numbers: linux/magic.h and statfs(2). */
static const struct volume_type {
	uint32_t magic;
	const char *type;
	enum volume_identity identity;
	bool pseudo, network;
} volume_types[] = {
	{ 0xef53, "ext4", BY_FSID, false, false },
	{ 0x9123683e, "btrfs", BY_FSID, false, false },
	{ 0x794c7630, "overlay", BY_FSID, false, false },
	{ 0xf2f52010, "f2fs", BY_MOUNT, false, false },
	{ 0x2fc12fc1, "zfs", BY_FSID, false, false },
	{ 0xca451a4e, "bcachefs", BY_FSID, false, false },
	{ 0x58465342, "xfs", BY_XFS_UUID, false, false },
	{ 0x01021994, "tmpfs", BY_MOUNT, false, false },
	{ 0x858458f6, "ramfs", BY_MOUNT, false, false },
	{ 0x73717368, "squashfs", BY_IMAGE, false, false },
	{ 0x9660, "iso9660", BY_IMAGE, false, false },
	{ 0x4d44, "vfat", BY_MOUNT, false, false },
	{ 0x2011bab0, "exfat", BY_MOUNT, false, false },
	{ 0x5346544e, "ntfs", BY_MOUNT, false, false },
	{ 0x6969, "nfs", BY_MOUNT, false, true },
	{ 0xff534d42, "cifs", BY_MOUNT, false, true },
	{ 0xfe534d42, "smb2", BY_MOUNT, false, true },
	{ 0x65735546, "fuse", BY_MOUNT, false, true },
	{ 0x01021997, "9p", BY_MOUNT, false, true },
	{ 0x00c36400, "ceph", BY_MOUNT, false, true },
	{ 0x5346414f, "afs", BY_MOUNT, false, true },
	{ 0x9fa0, "proc", BY_MOUNT, true, false },
	{ 0x62656572, "sysfs", BY_MOUNT, true, false },
	{ 0x64626720, "debugfs", BY_MOUNT, true, false },
	{ 0x74726163, "tracefs", BY_MOUNT, true, false },
	{ 0x27e0eb, "cgroup", BY_MOUNT, true, false },
	{ 0x63677270, "cgroup2", BY_MOUNT, true, false },
	{ 0x1cd1, "devpts", BY_MOUNT, true, false },
	{ 0x19800202, "mqueue", BY_MOUNT, true, false },
	{ 0x6165676c, "pstore", BY_MOUNT, true, false },
	{ 0xcafe4a11, "bpf", BY_MOUNT, true, false },
	{ 0x73636673, "securityfs", BY_MOUNT, true, false },
	{ 0xf97cff8c, "selinuxfs", BY_MOUNT, true, false },
	{ 0x62656570, "configfs", BY_MOUNT, true, false },
	{ 0x65735543, "fusectl", BY_MOUNT, true, false },
	{ 0x42494e4d, "binfmt_misc", BY_MOUNT, true, false },
	{ 0x0187, "autofs", BY_MOUNT, true, false },
	{ 0xde5e81e4, "efivarfs", BY_MOUNT, true, false },
	{ 0x958458f6, "hugetlbfs", BY_MOUNT, true, false },
	{ 0x6e736673, "nsfs", BY_MOUNT, true, false },
};

/* Find the type of a file system, or NULL. */
static const struct volume_type *
volume_type(const struct statfs *fs)
{
	for (size_t i = 0; i < sizeof(volume_types) / sizeof(volume_types[0]); i++) {
		if (volume_types[i].magic == (uint32_t)fs->f_type)
			return &volume_types[i];
	}
	return NULL;
}

/* struct xfs_fsop_geom_v1 of the XFS_IOC_FSGEOMETRY_V1 call, ioctl_xfs_fsgeometry(2). */
struct volume_xfs_geometry {
	uint32_t sizes[8];
	uint64_t counts[4];
	uint8_t uuid[16];
	uint32_t rest[7];
};
/* Places in it, and the flag of a file system whose files share blocks. */
enum { VOLUME_XFS_RTBLOCKS = 1, VOLUME_XFS_FLAGS = 3, VOLUME_XFS_REFLINK = 1 << 20 };
#define VOLUME_XFS_GEOMETRY _IOR('X', 100, struct volume_xfs_geometry)

/* Append udev's name for the block device dev in a directory of links.  Returns whether found. */
static bool
volume_device_link(const char *links, uint64_t dev, struct buf *name)
{
	DIR *dir = opendir(links);
	const struct dirent *d;
	struct stat st;
	bool found = false;

	while (dir != NULL && !found && (d = readdir(dir)) != NULL) {
		found = fstatat(dirfd(dir), d->d_name, &st, 0) == 0 && S_ISBLK(st.st_mode) && (uint64_t)st.st_rdev == dev;
		if (found)
			buf_adds(name, d->d_name);
	}
	if (dir != NULL)
		closedir(dir);
	return found;
}

/* The file behind the loop device at the path at, relative to dev's in /sys; owned, or NULL. */
static char *
volume_loop_file_at(uint64_t dev, const char *at)
{
	char path[384], *line = NULL;
	size_t cap = 0;
	ssize_t len;
	FILE *f;

	snprintf(path, sizeof(path), "/sys/dev/block/%u:%u/%sloop/backing_file", major(dev), minor(dev), at);
	f = fopen(path, "re");
	len = f != NULL ? getline(&line, &cap, f) : -1;
	if (f != NULL)
		fclose(f);
	if (len <= 1) {
		free(line);
		return NULL;
	}
	line[len - 1] = '\0';
	return line;
}

/* The same of the loop device dev. */
static char *
volume_loop_file(uint64_t dev)
{
	return volume_loop_file_at(dev, "");
}

/* As above, also for a partition of a loop device, or a mapping to one (encrypted). */
static char *
volume_image_file(uint64_t dev)
{
	char *file = volume_loop_file(dev), path[96], at[300];
	const struct dirent *d;
	DIR *dir;

	if (file == NULL)
		file = volume_loop_file_at(dev, "../");
	snprintf(path, sizeof(path), "/sys/dev/block/%u:%u/slaves", major(dev), minor(dev));
	dir = file == NULL ? opendir(path) : NULL;
	while (dir != NULL && file == NULL && (d = readdir(dir)) != NULL) {
		snprintf(at, sizeof(at), "slaves/%s/", d->d_name);
		file = d->d_name[0] != '.' ? volume_loop_file_at(dev, at) : NULL;
	}
	if (dir != NULL)
		closedir(dir);
	return file;
}

/* A device to find in the mounts, and the key to append to. */
struct volume_mount {
	uint64_t dev;
	const char *loop_file;
	struct buf *key;
};

/* mounted_fn: the first mount of the device. */
static bool
volume_take_mount(void *arg, const struct mounted *m)
{
	const struct volume_mount *want = arg;

	if (m->dev != want->dev)
		return false;
	buf_addf(want->key, "%s %s", want->loop_file != NULL ? want->loop_file : m->source, m->point);
	return true;
}

/*
 * Append "source mount-point" of the mount with device number dev; of a loop device the source is
 * the file behind it.  Escapes stay.
 */
static void
volume_mount(uint64_t dev, const char *loop_file, struct buf *key)
{
	struct volume_mount want = { dev, loop_file, key };

	if (!mounted_each(volume_take_mount, &want))
		buf_addf(key, "%s %u:%u", loop_file != NULL ? loop_file : "?", major(dev), minor(dev));
}

/* The key of a file system without an id of its own. */
static void
volume_foreign(uint64_t dev, const struct statfs *fs, bool is_image, const struct volume_facts *facts, struct buf *key)
{
	/* Only block devices have a major number. */
	char *loop_file = major(dev) != 0 ? volume_loop_file(dev) : NULL;
	struct buf uuid = { 0 };
	struct stat st;

	/* The UUID of the file system on the block device, as udev has it. */
	if (major(dev) != 0 && volume_device_link("/dev/disk/by-uuid", dev, &uuid))
		buf_addf(key, "uuid=%s", buf_str(&uuid));
	else
		volume_mount(dev, loop_file, key);
	buf_release(&uuid);
	/* Network and FUSE file systems may change their size. */
	if (major(dev) != 0 && !facts->network)
		buf_addf(key, ",%llu", (unsigned long long)fs->f_blocks);
	if (is_image)
		buf_addf(key, ",%llu", (unsigned long long)fs->f_files);
	if (is_image && loop_file != NULL && stat(loop_file, &st) == 0)
		buf_addf(key, ",%lld.%09ld", (long long)st.st_mtim.tv_sec, st.st_mtim.tv_nsec);
	free(loop_file);
}

/*
 * Whether the block device below dev says that it rotates.  Virtual disks (vd*, xvd*) always do and
 * are not believed.
 */
static bool
volume_rotational(uint64_t dev)
{
	char path[96], link[256], flag = '0';
	const char *disk;
	ssize_t len;
	FILE *f;

	snprintf(path, sizeof(path), "/sys/dev/block/%u:%u", major(dev), minor(dev));
	len = readlink(path, link, sizeof(link) - 1);
	if (len < 0)
		return false;
	link[len] = '\0';
	disk = strstr(link, "/block/");
	if (disk == NULL || disk[7] == 'v' || disk[7] == 'x')
		return false;
	/* A partition has its queue in the disk above it. */
	snprintf(path, sizeof(path), "/sys/dev/block/%u:%u/queue/rotational", major(dev), minor(dev));
	f = fopen(path, "re");
	if (f == NULL) {
		snprintf(path, sizeof(path), "/sys/dev/block/%u:%u/../queue/rotational", major(dev), minor(dev));
		f = fopen(path, "re");
	}
	if (f != NULL) {
		if (fread(&flag, 1, 1, f) != 1)
			flag = '0';
		fclose(f);
	}
	return flag == '1';
}

int
volume_describe(int fd, uint64_t dev, struct volume_facts *facts, struct buf *key)
{
	enum volume_identity identity = BY_MOUNT;
	const struct volume_type *type;
	struct statfs fs;
	uint32_t id[2];
	bool done = false;

	if (fstatfs(fd, &fs) < 0)
		return -1;
	memset(facts, 0, sizeof(*facts));
	snprintf(facts->type, sizeof(facts->type), "0x%x", (unsigned)fs.f_type);
	type = volume_type(&fs);
	if (type != NULL) {
		snprintf(facts->type, sizeof(facts->type), "%s", type->type);
		facts->pseudo = type->pseudo;
		facts->network = type->network;
		facts->served = type->network && major(dev) == 0;
		identity = type->identity;
	}
	facts->rotational = volume_rotational(dev);
	buf_addf(key, "%s:", facts->type);
	memcpy(id, &fs.f_fsid, sizeof(id));
	if (identity == BY_XFS_UUID) {
		struct volume_xfs_geometry geo = { 0 };

		done = ioctl(fd, VOLUME_XFS_GEOMETRY, &geo) >= 0;
		if (done)
			buf_add_hex(key, geo.uuid, sizeof(geo.uuid));
	} else if (identity == BY_FSID && (id[0] | id[1]) != 0) {
		buf_addf(key, "%08x%08x", id[0], id[1]);
		done = true;
	}
	if (!done)
		volume_foreign(dev, &fs, identity == BY_IMAGE, facts, key);
	return 0;
}

void
volume_label(int fd, uint64_t dev, struct buf *label)
{
	struct buf name = { 0 };
#ifdef FS_IOC_GETFSLABEL
	char text[FSLABEL_MAX + 1] = "";

	if (ioctl(fd, FS_IOC_GETFSLABEL, text) == 0) {
		buf_adds(label, text);
		return;
	}
#else
	(void)fd;
#endif
	if (major(dev) != 0 && volume_device_link("/dev/disk/by-label", dev, &name)) {
		/* udev has escaped it: "\\x20" is a blank. */
		for (const char *at = buf_str(&name); *at != '\0';) {
			if (at[0] == '\\' && at[1] == 'x' && strlen(at) >= 4 && buf_add_unhex(label, at + 2, 2) == 0)
				at += 4;
			else
				buf_addc(label, *at++);
		}
	}
	buf_release(&name);
}

bool
volume_is_network(int fd)
{
	const struct volume_type *type;
	struct statfs fs;

	if (fstatfs(fd, &fs) < 0)
		return false;
	type = volume_type(&fs);
	return type != NULL && type->network;
}

bool
volume_tells_files(int fd)
{
	static const char *const telling[] = { "ext4", "xfs", "btrfs", "f2fs", "zfs", "bcachefs", "tmpfs", "ramfs" };
	const struct volume_type *type;
	struct statfs fs;

	if (fstatfs(fd, &fs) < 0)
		return false;
	type = volume_type(&fs);
	for (size_t i = 0; type != NULL && i < sizeof(telling) / sizeof(telling[0]); i++) {
		if (strcmp(telling[i], type->type) == 0)
			return true;
	}
	return false;
}

bool
volume_has_layers(int fd)
{
	const struct volume_type *type;
	struct statfs fs;

	type = fstatfs(fd, &fs) == 0 ? volume_type(&fs) : NULL;
	return type != NULL && strcmp(type->type, "overlay") == 0;
}

bool
volume_shares_blocks(int fd, uint64_t dev, struct buf *disk)
{
	struct volume_facts facts;
	struct volume_xfs_geometry geo;
	const size_t before = disk->len;

	memset(&geo, 0, sizeof(geo));
	if (volume_describe(fd, dev, &facts, disk) < 0)
		return false;
	buf_cut(disk, before + volume_id_len(disk->data + before));
	/* Addresses on the realtime device are not those on the first one. */
	return volume_type_shares_blocks(facts.type) &&
	       (strcmp(facts.type, "xfs") != 0 || (ioctl(fd, VOLUME_XFS_GEOMETRY, &geo) == 0 &&
	        (geo.rest[VOLUME_XFS_FLAGS] & VOLUME_XFS_REFLINK) != 0 && geo.counts[VOLUME_XFS_RTBLOCKS] == 0));
}

int
volume_ground(uint64_t dev, struct buf *key)
{
	const size_t before = key->len;
	struct volume_facts facts;
	struct buf at = { 0 };
	struct fs_stat st, in;
	int found = 0;
	char *file;

	/* Images that lie on each other, at most eight. */
	for (int depth = 0; found >= 0 && depth < 8 && major(dev) != 0 && (file = volume_image_file(dev)) != NULL; depth++) {
		int fd = -1;

		buf_cut(&at, 0);
		buf_add(&at, file, path_parent_len(file));
		buf_cut(key, before);
		if (fs_stat_path(file, &st) == 0)
			fd = fs_open_dir(AT_FDCWD, buf_str(&at));
		found = fd >= 0 && fs_stat_fd(fd, &in) == 0 && in.dev == st.dev && volume_describe(fd, st.dev, &facts, key) == 0 ? 1 : -1;
		dev = st.dev;
		if (fd >= 0)
			close(fd);
		free(file);
	}
	buf_release(&at);
	return found;
}

bool
volume_has_disk(uint64_t dev)
{
	return major(dev) != 0;
}

/* Whether files at a path are lost when the machine is switched off. */
static bool
volume_path_in_memory(const char *path)
{
	const struct volume_type *type;
	struct statfs fs;

	if (statfs(path, &fs) < 0)
		return false;
	type = volume_type(&fs);
	return type != NULL && (strcmp(type->type, "tmpfs") == 0 || strcmp(type->type, "ramfs") == 0);
}

bool
volume_mount_in_memory(const struct mounted *m)
{
	struct buf upper = { 0 };
	char *file;
	bool is;

	if (strncmp(m->source, "/dev/zram", strlen("/dev/zram")) == 0)
		return true;
	if (m->upper != NULL) {
		mounted_name(&upper, m->upper);
		is = volume_path_in_memory(buf_str(&upper));
		buf_release(&upper);
		return is;
	}
	file = major(m->dev) != 0 ? volume_loop_file(m->dev) : NULL;
	is = file != NULL && volume_path_in_memory(file);
	free(file);
	return is;
}
