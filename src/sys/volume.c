/* SPDX-License-Identifier: MIT */
/* Interprets the keys that volume_linux.c or volume_posix.c makes. */
#include "base/base.h"

#include "sys/volume.h"

#include <arpa/inet.h>
#include <fcntl.h>
#include <ifaddrs.h>
#include <netinet/in.h>
#include <strings.h>
#include <sys/socket.h>
#include <sys/statvfs.h>
#include <unistd.h>

#include "sys/fs.h"

int
volume_room(int fd, int64_t *capacity, int64_t *available)
{
	struct statvfs fs;

	if (fstatvfs(fd, &fs) < 0)
		return -1;
	*capacity = num_mul((int64_t)fs.f_blocks, (int64_t)fs.f_frsize);
	*available = num_mul((int64_t)fs.f_bavail, (int64_t)fs.f_frsize);
	return 0;
}

size_t
volume_id_len(const char *key)
{
	/* A key made from a mount has a blank.  An overlay's id changes with its layers. */
	if (strchr(key, ' ') != NULL || strncmp(key, "overlay:", strlen("overlay:")) == 0)
		return 0;
	/*
	 * The second half of a btrfs id tells subvolumes apart: snapshots may replace each other.
	 */
	if (strncmp(key, "btrfs:", strlen("btrfs:")) == 0)
		return strlen("btrfs:") + 8;
	return strcspn(key, ",#");
}

bool
volume_keys_differ(const char *a, const char *b)
{
	const size_t a_len = volume_id_len(a), b_len = volume_id_len(b);

	return a_len > 0 && b_len > 0 && (a_len != b_len || strncmp(a, b, a_len) != 0);
}

/* Whether a numeric address is one of this machine. */
static bool
volume_host_has_address(const char *address)
{
	struct ifaddrs *all = NULL;
	char text[INET6_ADDRSTRLEN];
	bool is = false;

	if (getifaddrs(&all) < 0)
		return false;
	for (const struct ifaddrs *a = all; a != NULL && !is; a = a->ifa_next) {
		const void *number = a->ifa_addr == NULL ? NULL :
		                     a->ifa_addr->sa_family == AF_INET ? (const void *)&((const struct sockaddr_in *)(const void *)a->ifa_addr)->sin_addr :
		                     a->ifa_addr->sa_family == AF_INET6 ? (const void *)&((const struct sockaddr_in6 *)(const void *)a->ifa_addr)->sin6_addr :
		                                                          NULL;

		is = number != NULL && inet_ntop(a->ifa_addr->sa_family, number, text, sizeof(text)) != NULL && strcmp(text, address) == 0;
	}
	freeifaddrs(all);
	return is;
}

/*
 * Whether the server whose name or address is the first len bytes of host may be this machine: by
 * its own name, with a domain or not, and the addresses of its interfaces.  No name is looked up,
 * because a name server may not answer.  An empty one may be.
 */
static bool
volume_host_is_own(const char *host, size_t len)
{
	char name[256], own[256] = "";

	if (len == 0 || len >= sizeof(name))
		return true;
	memcpy(name, host, len);
	name[len] = '\0';
	if (gethostname(own, sizeof(own) - 1) < 0)
		return true;
	if (strcasecmp(name, own) == 0 || strncmp(name, "127.", 4) == 0 || strcmp(name, "::1") == 0 || strncasecmp(name, "localhost", 9) == 0)
		return true;
	own[strcspn(own, ".")] = '\0';
	name[strcspn(name, ".")] = '\0';
	if (own[0] != '\0' && strcasecmp(name, own) == 0)
		return true;
	memcpy(name, host, len);
	return volume_host_has_address(name);
}

/* Whether the server of "nas:/export /mnt" or "//nas/share /mnt" may be this machine. */
static bool
volume_share_is_own(const char *share)
{
	const char *host = share;
	size_t len;

	if (strncmp(host, "//", 2) == 0) {
		host += 2;
		len = strcspn(host, "/ ");
	} else if (*host == '[') {
		host++;
		len = strcspn(host, "] ");
	} else
		len = strcspn(host, ": ");
	return host[len] == ' ' || host[len] == '\0' || volume_host_is_own(host, len);
}

enum volume_view
volume_key_view(const char *key)
{
	static const char *const shares[] = { "nfs:", "cifs:", "smb2:", "ceph:", "afs:", "9p:" };

	if (strncmp(key, "overlay:", strlen("overlay:")) == 0)
		return VOLUME_VIEW;
	if (strchr(key, ' ') == NULL)
		return VOLUME_NO_VIEW;
	if (strncmp(key, "fuse:", strlen("fuse:")) == 0)
		return VOLUME_VIEW;
	for (size_t i = 0; i < sizeof(shares) / sizeof(shares[0]); i++) {
		const size_t len = strlen(shares[i]);

		if (strncmp(key, shares[i], len) == 0)
			return volume_share_is_own(key + len) ? VOLUME_VIEW : VOLUME_VIEW_REMOTE;
	}
	return VOLUME_NO_VIEW;
}

bool
volume_key_is_view(const char *key)
{
	return volume_key_view(key) == VOLUME_VIEW;
}

bool
volume_key_mirrors(const char *key)
{
	return strncmp(key, "fuse:", strlen("fuse:")) == 0;
}

bool
volume_key_in_memory(const char *key)
{
	return strncmp(key, "tmpfs:", strlen("tmpfs:")) == 0 || strncmp(key, "ramfs:", strlen("ramfs:")) == 0;
}

bool
volume_type_shares_blocks(const char *type)
{
	return strcmp(type, "btrfs") == 0 || strcmp(type, "xfs") == 0;
}

enum volume_ctime
volume_type_ctime(const char *type)
{
	static const char *const none[] = { "vfat", "exfat" };
	static const char *const perhaps[] = { "fuse", "nfs", "cifs", "smb2", "9p", "ceph", "afs" };

	for (size_t i = 0; i < sizeof(none) / sizeof(none[0]); i++) {
		if (strcmp(type, none[i]) == 0)
			return VOLUME_CTIME_NONE;
	}
	for (size_t i = 0; i < sizeof(perhaps) / sizeof(perhaps[0]); i++) {
		if (strcmp(type, perhaps[i]) == 0)
			return VOLUME_CTIME_PERHAPS;
	}
	return VOLUME_CTIME_OWN;
}

bool
volume_keys_share_disk(const char *a, const char *b)
{
	const size_t len = strncmp(a, "btrfs:", strlen("btrfs:")) == 0 ? volume_id_len(a) : 0;

	return strcmp(a, b) == 0 || (len > 0 && strncmp(a, b, len) == 0);
}

size_t
volume_key_identity(const char *key)
{
	const char *hash = strrchr(key, '#');

	return hash != NULL && hash[1] != '\0' && hash[1 + strspn(hash + 1, "0123456789")] == '\0' ? (size_t)(hash - key) : strlen(key);
}

bool
volume_key_fits(const char *known, const char *key)
{
	const size_t len = strlen(key);

	return strncmp(known, key, len) == 0 && (known[len] == '\0' || known[len] == '#');
}

bool
volume_is_served_from(const char *from, const char *path)
{
	const char *const paths[] = { path, from };
	bool served[] = { false, false };
	struct volume_facts facts;
	struct buf key = { 0 };
	struct fs_stat st;

	for (size_t i = 0; i < 2 && (i == 0 || served[0]); i++) {
		const int fd = fs_open_dir(AT_FDCWD, paths[i]);

		served[i] = fd >= 0 && fs_stat_fd(fd, &st) == 0 && volume_describe(fd, st.dev, &facts, &key) == 0 && facts.served;
		if (fd >= 0)
			close(fd);
	}
	buf_release(&key);
	return served[0] && !served[1];
}

bool
volume_is_at(const char *path, int64_t inode, const char *known, uint64_t *dev, struct volume_facts *facts)
{
	struct volume_facts now;
	struct buf key = { 0 };
	struct fs_stat st;
	bool is;
	int fd;

	if (fs_stat_path(path, &st) < 0 || (int64_t)st.inode != inode)
		return false;
	fd = fs_open_dir(AT_FDCWD, path);
	is = fd >= 0 && fs_stat_fd(fd, &st) == 0 && (int64_t)st.inode == inode && volume_describe(fd, st.dev, &now, &key) == 0 &&
	     volume_key_fits(known, buf_str(&key));
	if (is && dev != NULL)
		*dev = st.dev;
	if (is && facts != NULL)
		*facts = now;
	if (fd >= 0)
		close(fd);
	buf_release(&key);
	return is;
}
