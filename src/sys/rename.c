/* SPDX-License-Identifier: MIT */
#include "base/base.h"

#include "sys/rename.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>
#ifdef HAVE_SYS_SYSCALL_H
#include <sys/syscall.h>
#endif

#include "sys/fs.h"
#include "sys/random.h"

#define RENAME_PREFIX ".twindex-"
#define RENAME_DIGITS 16
/* Random numbers that random_fill gives at once: 256 bytes. */
#define RENAME_STOCK 32

#ifdef RENAME_SWAP
/* macOS. */
#define RENAME_NOREPLACE RENAME_EXCL
#define RENAME_EXCHANGE RENAME_SWAP
#endif
#ifndef RENAME_NOREPLACE
#define RENAME_NOREPLACE 1
#endif
#ifndef RENAME_EXCHANGE
#define RENAME_EXCHANGE 2
#endif

/*
 * Get 64 unpredictable bits, or where the system has none, bits that are unlikely to be used by
 * others.  Fetches RENAME_STOCK at a time.
 */
static uint64_t
rename_random(void)
{
	static _Thread_local uint64_t stock[RENAME_STOCK];
	static _Thread_local size_t left;
	uint64_t n;

	if (left == 0 && random_fill(stock, sizeof(stock)) == 0)
		left = RENAME_STOCK;
	if (left > 0)
		return stock[--left];
	n = (uint64_t)fs_clock_ns() * 0x9e3779b97f4a7c15u ^ (uint64_t)getpid() << 32 ^ (uint64_t)(uintptr_t)&n;
	return n ^ n >> 29;
}

void
rename_unused(const char *what, char name[RENAME_UNUSED_SIZE])
{
	snprintf(name, RENAME_UNUSED_SIZE, RENAME_PREFIX "%.8s-%016" PRIx64, what, rename_random());
}

bool
rename_is_unused(const char *name, const char *what)
{
	const size_t prefix = sizeof(RENAME_PREFIX) - 1, len = strlen(name);
	size_t word;

	if (strncmp(name, RENAME_PREFIX, prefix) != 0 || len < prefix + 1 + RENAME_DIGITS)
		return false;
	word = len - prefix - 1 - RENAME_DIGITS;
	if (name[prefix + word] != '-' || strspn(name + prefix + word + 1, "0123456789abcdef") != RENAME_DIGITS)
		return false;
	return what == NULL || (strlen(what) == word && strncmp(name + prefix, what, word) == 0);
}

/*
 * Rename with a flag: RENAME_NOREPLACE fails with EEXIST instead of replacing.  Returns 0 or -1
 * with errno: EINVAL where that is not supported.
 */
static int
rename_with(int from_dir, const char *from, int to_dir, const char *to, unsigned flag)
{
#if defined(RENAME_SWAP) || defined(SYS_renameat2)
#ifdef RENAME_SWAP
	const int ret = renameatx_np(from_dir, from, to_dir, to, flag);
#else
	const int ret = (int)syscall(SYS_renameat2, from_dir, from, to_dir, to, flag);
#endif

	if (ret < 0 && (errno == ENOSYS || errno == ENOTSUP))
		errno = EINVAL;
	return ret;
#else
	(void)from_dir, (void)from, (void)to_dir, (void)to, (void)flag;
	errno = EINVAL;
	return -1;
#endif
}

int
rename_keep(int from_dir, const char *from, int to_dir, const char *to)
{
	struct fs_stat st;

	if (rename_with(from_dir, from, to_dir, to, RENAME_NOREPLACE) == 0)
		return 0;
	if (errno != EINVAL)
		return -1;
	if (fs_stat_at(to_dir, to, &st) == 0) {
		errno = EEXIST;
		return -1;
	}
	return errno != ENOENT ? -1 : renameat(from_dir, from, to_dir, to);
}

/*
 * As above for a directory, which can have no hard link: it replaces an empty one made for it, and
 * rename replaces nothing else by a directory.
 */
static int
rename_directory_back(int from_dir, const char *from, int to_dir, const char *to)
{
	int error;

	if (mkdirat(to_dir, to, S_IRWXU) < 0)
		return -1;
	if (renameat(from_dir, from, to_dir, to) == 0)
		return 0;
	error = errno;
	unlinkat(to_dir, to, AT_REMOVEDIR);
	errno = error;
	return -1;
}

int
rename_back(int from_dir, const char *from, int to_dir, const char *to)
{
	struct stat st;

	if (rename_with(from_dir, from, to_dir, to, RENAME_NOREPLACE) == 0)
		return 0;
	if (errno != EINVAL)
		return -1;
	if (fstatat(from_dir, from, &st, AT_SYMLINK_NOFOLLOW) == 0 && S_ISDIR(st.st_mode))
		return rename_directory_back(from_dir, from, to_dir, to);
	if (linkat(from_dir, from, to_dir, to, 0) == 0)
		return unlinkat(from_dir, from, 0);
	if (errno != EPERM && errno != EOPNOTSUPP && errno != ENOSYS && errno != EMLINK)
		return -1;
	/*
	 * Neither renames that replace nothing nor links, as exfat by a program: somebody may make
	 * the name between look and rename, but one that is never given back is worse.
	 */
	if (fstatat(to_dir, to, &st, AT_SYMLINK_NOFOLLOW) == 0) {
		errno = EEXIST;
		return -1;
	}
	return errno != ENOENT ? -1 : renameat(from_dir, from, to_dir, to);
}

int
rename_exchange(int dir, const char *a, const char *b)
{
	return rename_with(dir, a, dir, b, RENAME_EXCHANGE);
}
