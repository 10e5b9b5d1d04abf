/* SPDX-License-Identifier: MIT */
/*
 * disk - loaded before the C library, logs what a program does to the files of an index: each write, truncation and sync, and
 * each name that is made or removed.
 *
 *	DISK_INDEX=/DIR/i.db   the index; files whose names begin so are logged, and syncs of /DIR
 *	DISK_LOG=FILE          where to: "CALL NAME OFFSET LENGTH\n", and behind a write its bytes
 *	DISK_CLOCK=500         each look at the clock that counts intervals finds 500 ms more: so what is done every five
 *	                       seconds is done after some calls
 */
/* All that the C library has, whatever the program was built with. */
#define _GNU_SOURCE
#include <config.h>

/* Both names of each function, for small and large offsets. */
#undef _FILE_OFFSET_BITS
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <time.h>
#include <unistd.h>

static const char *indexed;
static size_t indexed_len;
static long log_fd = -1;
static int64_t clock_step_ns;
static atomic_long n_looks;

__attribute__((constructor)) static void
disk_begin(void)
{
	const char *log = getenv("DISK_LOG"), *step = getenv("DISK_CLOCK");

	indexed = getenv("DISK_INDEX");
	if (indexed == NULL || log == NULL)
		abort();
	indexed_len = strlen(indexed);
	clock_step_ns = step != NULL ? atol(step) * INT64_C(1000000) : 0;
	log_fd = syscall(SYS_openat, AT_FDCWD, log, O_CREAT | O_WRONLY | O_APPEND | O_CLOEXEC, 0666);
	if (log_fd < 0)
		abort();
}

/* One record, in one write: threads do not mix theirs. */
static void
disk_log(const char *what, const char *name, int64_t at, const void *bytes, size_t len)
{
	char head[NAME_MAX + 64];
	const struct iovec v[] = {
		{ head, (size_t)snprintf(head, sizeof(head), "%s %s %lld %zu\n", what, name, (long long)at, len) },
		{ (void *)(uintptr_t)bytes, bytes != NULL ? len : 0 }
	};
	const int failed = errno;

	if (syscall(SYS_writev, log_fd, v, 2) != (long)(v[0].iov_len + v[1].iov_len))
		abort();
	errno = failed;
}

/* The name of a file of the index, "." for its directory, or NULL for anything else. */
static const char *
disk_name(const char *path)
{
	const char *name = strrchr(indexed, '/') + 1;
	const size_t dir = (size_t)(name - indexed) - 1;

	if (strncmp(path, indexed, indexed_len) == 0)
		return path + (name - indexed);
	return strlen(path) == dir && memcmp(path, indexed, dir) == 0 ? "." : NULL;
}

static const char *
disk_name_of(int fd, char path[PATH_MAX])
{
	char link[64];
	const int failed = errno;
	ssize_t len;

	snprintf(link, sizeof(link), "/proc/self/fd/%d", fd);
	len = readlink(link, path, PATH_MAX - 1);
	errno = failed;
	if (len < 0)
		return NULL;
	path[len] = '\0';
	return strstr(path, " (deleted)") != NULL ? NULL : disk_name(path);
}

/* Log a call of an open file that returned ret. */
static void
disk_did(const char *what, int fd, int64_t at, const void *bytes, ssize_t ret)
{
	char path[PATH_MAX];
	const char *name = ret < 0 ? NULL : disk_name_of(fd, path);

	if (name != NULL)
		disk_log(what, name, at, bytes, (size_t)ret);
}

#define REAL(name) \
	static __typeof__(&name) real; \
	if (real == NULL) \
		real = (__typeof__(&name))dlsym(RTLD_NEXT, #name)

/* One that opens: its mode may be missing. */
#define OPEN(name, params, args) \
	int name params \
	{ \
		const char *made = (flags & O_CREAT) != 0 ? disk_name(path) : NULL; \
		mode_t mode; \
		va_list ap; \
		int fd; \
		REAL(name); \
		va_start(ap, flags); \
		mode = flags & (O_CREAT | O_TMPFILE) ? va_arg(ap, mode_t) : 0; \
		va_end(ap); \
		if (made != NULL && access(path, F_OK) == 0) \
			made = NULL; \
		fd = real args; \
		if (fd >= 0 && made != NULL) \
			disk_log("make", made, 0, NULL, 0); \
		return fd; \
	}

OPEN(open, (const char *path, int flags, ...), (path, flags, mode))
OPEN(open64, (const char *path, int flags, ...), (path, flags, mode))
OPEN(openat, (int dir, const char *path, int flags, ...), (dir, path, flags, mode))
OPEN(openat64, (int dir, const char *path, int flags, ...), (dir, path, flags, mode))

/* One on an open file: at is asked before the call. */
#define DONE(what, type, name, params, at, bytes, args) \
	type name params \
	{ \
		const int64_t began = at; \
		type ret; \
		REAL(name); \
		ret = real args; \
		disk_did(what, fd, began, bytes, ret); \
		return ret; \
	}

DONE("write", ssize_t, write, (int fd, const void *b, size_t n), lseek(fd, 0, SEEK_CUR), b, (fd, b, n))
DONE("write", ssize_t, pwrite, (int fd, const void *b, size_t n, off_t o), o, b, (fd, b, n, o))
DONE("write", ssize_t, pwrite64, (int fd, const void *b, size_t n, off64_t o), o, b, (fd, b, n, o))
DONE("sync", int, fsync, (int fd), 0, NULL, (fd))
DONE("sync", int, fdatasync, (int fd), 0, NULL, (fd))
DONE("truncate", int, ftruncate, (int fd, off_t n), n, NULL, (fd, n))
DONE("truncate", int, ftruncate64, (int fd, off64_t n), n, NULL, (fd, n))

int
unlink(const char *path)
{
	int ret;

	REAL(unlink);
	ret = real(path);
	if (ret == 0 && disk_name(path) != NULL)
		disk_log("remove", disk_name(path), 0, NULL, 0);
	return ret;
}

int
rename(const char *from, const char *to)
{
	/* A new kind of call: power.py must learn it first. */
	if (disk_name(from) != NULL || disk_name(to) != NULL)
		abort();
	REAL(rename);
	return real(from, to);
}

int
clock_gettime(clockid_t clock, struct timespec *t)
{
	int64_t more;
	const int ret = (int)syscall(SYS_clock_gettime, clock, t);

	if (ret < 0 || clock != CLOCK_MONOTONIC || clock_step_ns == 0)
		return ret;
	more = (atomic_fetch_add(&n_looks, 1) + 1) * clock_step_ns + t->tv_nsec;
	t->tv_sec += (time_t)(more / 1000000000);
	t->tv_nsec = (long)(more % 1000000000);
	return ret;
}
