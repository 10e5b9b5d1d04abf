/* SPDX-License-Identifier: MIT */
/* volume - which file system an open directory lies on, by a key that survives a remount. */
#ifndef SYS_VOLUME_H
#define SYS_VOLUME_H

struct mounted;

/** Facts about a file system. */
struct volume_facts {
	char type[32];   /* "ext4", "xfs", "tmpfs" ...; "0x..." when it has no name here */
	bool pseudo;     /* /proc, /sys and the like: nothing to index */
	bool network;    /* NFS, CIFS, FUSE and the like: no shared memory, few requests */
	bool served;     /* network, with no disk of this machine behind it */
	bool rotational; /* a disk that says so; virtual disks are not believed */
};

/**
 * Describe the file system of the open directory fd, whose device number is
 * dev, and append its key to b.
 *
 * The key is the file system's own id where that is stable (f_fsid on ext4,
 * btrfs, overlay and others; the UUID on xfs, whose f_fsid is the device
 * number), else of a block device the UUID that /dev/disk/by-uuid has for it,
 * else its mount source and mount point from /proc/self/mountinfo; the last
 * two with the size, and of images that are never written to, with the number
 * of files and the time of the image.  Sources: statfs(2); ioctl_xfs_fsgeometry(2).
 *
 * Returns 0, or -1 with errno.
 */
int volume_describe(int fd, uint64_t dev, struct volume_facts *facts, struct buf *key);

/**
 * Append the label of the file system of the open directory fd with device number dev, as bytes;
 * nothing if it has none or it is unknown.  Sources: ioctl_getfslabel(2); udev.
 */
void volume_label(int fd, uint64_t dev, struct buf *label);

/**
 * Get the capacity of the file system of an open file, and the bytes available to any user.
 * Returns 0, or -1 with errno.
 */
int volume_room(int fd, int64_t *capacity, int64_t *available);

/** Whether the file system of the open directory fd is a network one: volume_facts.network. */
bool volume_is_network(int fd);

/** Whether the directory at path is served (volume_facts.served), and the one at from is not. */
bool volume_is_served_from(const char *from, const char *path);

/**
 * Whether on the file system of the open file fd two inode numbers are certainly two files.  False
 * for FUSE, network, overlay and unknown file systems, which may show one file twice.
 */
bool volume_tells_files(int fd);

/**
 * Whether the file system of the open file fd is an overlay, where a removed file may stay on the
 * disk, in a lower layer.
 */
bool volume_has_layers(int fd);

/**
 * Whether files of the file system of the open file fd, with device number dev, may share blocks,
 * as sys/reflink tells: btrfs, and xfs with reflinks on one device.  Appends an id of the disk to
 * disk: subvolumes have the same.
 */
bool volume_shares_blocks(int fd, uint64_t dev, struct buf *disk);

/**
 * Whether the device dev is an image in a file (a loop device, a partition of one, or what is
 * mapped to one); appends the key of the file system on which that file lies, below all images.
 * Returns 1: it is an image; 0: it is not; -1: its file can't be found.
 */
int volume_ground(uint64_t dev, struct buf *key);

/** Whether a device number is that of a block device: others are made up at each mount. */
bool volume_has_disk(uint64_t dev);

/** The length of the part of a key that is made from its file system's own id, or 0. */
size_t volume_id_len(const char *key);

/** Whether files on a file system of that type may share blocks. */
bool volume_type_shares_blocks(const char *type);

/** Whether two keys are certainly of two file systems: each has an id of its own. */
bool volume_keys_differ(const char *a, const char *b);

/**
 * Whether two keys are of one volume, or of subvolumes of one btrfs, which live and die together
 * though each has inodes of its own.
 */
bool volume_keys_share_disk(const char *a, const char *b);

/** Which other volumes' files a volume may show under other inode numbers. */
enum volume_view {
	VOLUME_NO_VIEW,      /* none */
	VOLUME_VIEW,         /* any volume's */
	VOLUME_VIEW_REMOTE   /* other network shares', but no disk's of this machine */
};

/**
 * Classify a key: an overlay, a program in user space (not a disk behind one, which is known by
 * its UUID), and a share of a server that may be this machine are VOLUME_VIEW; a share of another
 * server, of which others may overlap it, is VOLUME_VIEW_REMOTE.
 */
enum volume_view volume_key_view(const char *key);
/** Whether volume_key_view() is VOLUME_VIEW. */
bool volume_key_is_view(const char *key);

/**
 * Whether names of one file may have different inodes on a volume with this key: FUSE programs
 * choose inode numbers, may follow symbolic links, and may ignore case.
 */
bool volume_key_mirrors(const char *key);

/** Whether a key is of a file system that is lost when the machine goes off: tmpfs, ramfs. */
bool volume_key_in_memory(const char *key);

/**
 * Whether a mount lies in memory although its type does not say so: an overlay over a tmpfs (live
 * systems), a zram disk, an image on a tmpfs.
 */
bool volume_mount_in_memory(const struct mounted *m);

/** Whether files of a type of file system have a ctime of their own. */
enum volume_ctime {
	VOLUME_CTIME_OWN,        /* yes */
	VOLUME_CTIME_NONE,       /* no, or it is not stored: FAT, exFAT */
	VOLUME_CTIME_PERHAPS     /* the server or program decides */
};
enum volume_ctime volume_type_ctime(const char *type);

/** The length of the key without the #N that tells two of one key apart. */
size_t volume_key_identity(const char *key);

/** Whether known, a key of the index, is key, or key with a #N. */
bool volume_key_fits(const char *known, const char *key);

/**
 * Whether the directory at path has this inode and lies on the volume whose key in the index is
 * known.  Sets *dev and *facts if so; they may be NULL.
 */
bool volume_is_at(const char *path, int64_t inode, const char *known, uint64_t *dev, struct volume_facts *facts);

#endif
