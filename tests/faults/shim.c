/* SPDX-License-Identifier: MIT */
/*
 * shim - loaded before the C library, lets one call of a program fail.
 *
 *	FAULT_CALL=read        a group of calls, as below
 *	FAULT_AT=17            the 17th of them fails; 0: none
 *	FAULT_ERRNO=5          with this errno; -9: the program is killed by this signal; 0: it does a part of its work only (read and write);
 *	                       of FAULT_CALL=link: the number that is read in the place of a page's
 *	                       number, where src/bulk reads one by itself
 *	FAULT_MARK=FILE        is made when the call failed, or, if none did, gets the number of calls
 *	FAULT_TRAP=1           stop there, for a debugger
 *
 * Output to the standard error stream never fails: what the program says of
 * the fault is read there.
 */
/* All that the C library has, whatever the program was built with. */
#define _GNU_SOURCE
#include <config.h>

/* Both names of each function, for small and large offsets. */
#undef _FILE_OFFSET_BITS
#include <dirent.h>
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <signal.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/random.h>
#include <sys/stat.h>
#include <sys/statfs.h>
#include <sys/statvfs.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <unistd.h>

void *__libc_malloc(size_t size);
void *__libc_calloc(size_t n, size_t size);
void *__libc_realloc(void *old, size_t size);

static const char *call, *mark;
static long at;
static int number;
static atomic_long n_calls;

__attribute__((constructor)) static void
shim_begin(void)
{
	mark = getenv("FAULT_MARK");
	at = getenv("FAULT_AT") != NULL ? atol(getenv("FAULT_AT")) : 0;
	number = getenv("FAULT_ERRNO") != NULL ? atoi(getenv("FAULT_ERRNO")) : EIO;
	call = getenv("FAULT_CALL");
}

__attribute__((destructor)) static void
shim_end(void)
{
	const long n = atomic_load(&n_calls);
	char text[32];
	long fd;

	if (mark == NULL || at > 0)
		return;
	call = NULL;
	fd = syscall(SYS_openat, AT_FDCWD, mark, O_CREAT | O_WRONLY, 0666);
	syscall(SYS_write, fd, text, snprintf(text, sizeof(text), "%ld", n));
	syscall(SYS_close, fd);
}

/* Whether this call of the group is the one. */
static int
shim_fails(const char *group)
{
	long fd;

	if (call == NULL || strcmp(group, call) != 0 || atomic_fetch_add(&n_calls, 1) + 1 != at)
		return 0;
	if (mark != NULL) {
		fd = syscall(SYS_openat, AT_FDCWD, mark, O_CREAT | O_WRONLY, 0666);
		syscall(SYS_close, fd);
	}
	if (getenv("FAULT_TRAP") != NULL)
		raise(SIGTRAP);
	if (number < 0)
		kill(getpid(), -number);
	errno = number;
	return 1;
}

#define REAL(name) \
	static __typeof__(&name) real; \
	if (real == NULL) \
		real = (__typeof__(&name))dlsym(RTLD_NEXT, #name)

/* A function that fails by returning `failure`. */
#define CALL(group, type, failure, name, params, args) \
	type name params \
	{ \
		REAL(name); \
		return shim_fails(group) ? failure : real args; \
	}

/* One that opens: its mode may be missing. */
#define OPEN(name, params, args) \
	int name params \
	{ \
		mode_t mode; \
		va_list ap; \
		REAL(name); \
		va_start(ap, flags); \
		mode = flags & (O_CREAT | O_TMPFILE) ? va_arg(ap, mode_t) : 0; \
		va_end(ap); \
		return shim_fails("open") ? -1 : real args; \
	}

/* One that moves bytes: it may do less than it was asked. */
#define BYTES(group, name, params, args, less) \
	ssize_t name params \
	{ \
		REAL(name); \
		if (fd == STDERR_FILENO || !shim_fails(group)) \
			return real args; \
		if (number != 0) \
			return -1; \
		return real less; \
	}

OPEN(open, (const char *path, int flags, ...), (path, flags, mode))
OPEN(open64, (const char *path, int flags, ...), (path, flags, mode))
OPEN(openat, (int dir, const char *path, int flags, ...), (dir, path, flags, mode))
OPEN(openat64, (int dir, const char *path, int flags, ...), (dir, path, flags, mode))

CALL("stat", int, -1, stat, (const char *p, struct stat *st), (p, st))
CALL("stat", int, -1, stat64, (const char *p, struct stat64 *st), (p, st))
CALL("stat", int, -1, lstat, (const char *p, struct stat *st), (p, st))
CALL("stat", int, -1, lstat64, (const char *p, struct stat64 *st), (p, st))
CALL("stat", int, -1, fstat, (int fd, struct stat *st), (fd, st))
CALL("stat", int, -1, fstat64, (int fd, struct stat64 *st), (fd, st))
CALL("stat", int, -1, fstatat, (int dir, const char *p, struct stat *st, int flags), (dir, p, st, flags))
CALL("stat", int, -1, fstatat64, (int dir, const char *p, struct stat64 *st, int flags), (dir, p, st, flags))
CALL("statfs", int, -1, fstatfs, (int fd, struct statfs *s), (fd, s))
CALL("statfs", int, -1, statvfs, (const char *p, struct statvfs *s), (p, s))
CALL("list", ssize_t, -1, getdents64, (int fd, void *b, size_t n), (fd, b, n))

BYTES("read", read, (int fd, void *b, size_t n), (fd, b, n), (fd, b, n < 2 ? n : n / 2))
BYTES("read", pread, (int fd, void *b, size_t n, off_t o), (fd, b, n, o), (fd, b, n < 2 ? n : n / 2, o))
/* Whether these bytes of a file are read for the number of a page in them: SQLite reads pages of 8192 bytes, or in the first one. */
static int
shim_is_link(int fd, size_t n, off64_t o)
{
	char name[32], path[4096];
	ssize_t len;

	if (call == NULL || strcmp(call, "link") != 0 || n < 4 || n >= 8192 || o < 8192)
		return 0;
	snprintf(name, sizeof(name), "/proc/self/fd/%d", fd);
	len = readlink(name, path, sizeof(path));
	return len > 3 && memcmp(path + len - 3, ".db", 3) == 0;
}

ssize_t
pread64(int fd, void *b, size_t n, off64_t o)
{
	REAL(pread64);
	if (shim_is_link(fd, n, o) && shim_fails("link")) {
		const ssize_t ret = real(fd, b, n, o);
		const unsigned char wrong[] = { 0, 0, (unsigned char)(number >> 8), (unsigned char)number };

		memcpy((char *)b + (o % 8192 == 0 ? 0 : n - 4), wrong, sizeof(wrong));
		return ret;
	}
	if (fd == STDERR_FILENO || !shim_fails("read"))
		return real(fd, b, n, o);
	return number != 0 ? -1 : real(fd, b, n < 2 ? n : n / 2, o);
}

BYTES("read", preadv2, (int fd, const struct iovec *v, int n, off_t o, int flags), (fd, v, n, o, flags),
      (fd, v, n < 2 ? n : n / 2, o, flags))
BYTES("write", write, (int fd, const void *b, size_t n), (fd, b, n), (fd, b, n < 2 ? n : n / 2))
BYTES("write", pwrite, (int fd, const void *b, size_t n, off_t o), (fd, b, n, o), (fd, b, n < 2 ? n : n / 2, o))
BYTES("write", pwrite64, (int fd, const void *b, size_t n, off64_t o), (fd, b, n, o), (fd, b, n < 2 ? n : n / 2, o))

CALL("sync", int, -1, fsync, (int fd), (fd))
CALL("sync", int, -1, fdatasync, (int fd), (fd))
CALL("sync", int, -1, syncfs, (int fd), (fd))
CALL("sync", int, -1, sync_file_range, (int fd, off_t o, off_t n, unsigned how), (fd, o, n, how))
CALL("truncate", int, -1, ftruncate, (int fd, off_t n), (fd, n))
CALL("truncate", int, -1, ftruncate64, (int fd, off64_t n), (fd, n))
CALL("lock", int, -1, flock, (int fd, int how), (fd, how))
CALL("name", int, -1, unlink, (const char *p), (p))
CALL("name", int, -1, rename, (const char *a, const char *b), (a, b))
CALL("name", int, -1, link, (const char *a, const char *b), (a, b))
CALL("name", int, -1, mkdir, (const char *p, mode_t mode), (p, mode))
CALL("name", int, -1, rmdir, (const char *p), (p))
CALL("name", char *, NULL, mkdtemp, (char *p), (p))
CALL("name", int, -1, mkostemp, (char *p, int flags), (p, flags))
CALL("name", int, -1, fchmod, (int fd, mode_t mode), (fd, mode))
CALL("name", int, -1, chmod, (const char *p, mode_t mode), (p, mode))
CALL("path", int, -1, access, (const char *p, int how), (p, how))
CALL("path", ssize_t, -1, readlink, (const char *p, char *b, size_t n), (p, b, n))
CALL("path", char *, NULL, realpath, (const char *p, char *b), (p, b))
CALL("path", char *, NULL, getcwd, (char *b, size_t n), (b, n))
CALL("map", void *, MAP_FAILED, mmap, (void *p, size_t n, int how, int flags, int fd, off_t o), (p, n, how, flags, fd, o))
CALL("map", void *, MAP_FAILED, mmap64, (void *p, size_t n, int how, int flags, int fd, off64_t o),
     (p, n, how, flags, fd, o))
CALL("random", ssize_t, -1, getrandom, (void *b, size_t n, unsigned flags), (b, n, flags))
CALL("stream", FILE *, NULL, fopen, (const char *p, const char *how), (p, how))
CALL("stream", FILE *, NULL, fdopen, (int fd, const char *how), (fd, how))
CALL("stream", FILE *, NULL, fopencookie, (void *cookie, const char *how, cookie_io_functions_t io), (cookie, how, io))
CALL("thread", int, number, pthread_create,
     (pthread_t *t, const pthread_attr_t *attr, void *(*fn)(void *), void *arg), (t, attr, fn, arg))

/* SQLite's locks; other fcntl never fails here. */
int
fcntl64(int fd, int what, ...)
{
	va_list ap;
	void *arg;

	REAL(fcntl64);
	va_start(ap, what);
	arg = va_arg(ap, void *);
	va_end(ap);
	return (what == F_SETLK || what == F_GETLK || what == F_SETLKW) && shim_fails("lock") ? -1 : real(fd, what, arg);
}

/* A close that fails has closed. */
int
close(int fd)
{
	REAL(close);
	if (shim_fails("close")) {
		int e = errno;

		real(fd);
		errno = e;
		return -1;
	}
	return real(fd);
}

/* The calls that the C library has no function for. */
long
syscall(long what, ...)
{
	long a[6];
	va_list ap;

	REAL(syscall);
	va_start(ap, what);
	for (int i = 0; i < 6; i++)
		a[i] = va_arg(ap, long);
	va_end(ap);
	if (what == SYS_openat2 && shim_fails("open"))
		return -1;
	return real(what, a[0], a[1], a[2], a[3], a[4], a[5]);
}

void *
malloc(size_t size)
{
	return shim_fails("memory") ? NULL : __libc_malloc(size);
}

void *
calloc(size_t n, size_t size)
{
	return shim_fails("memory") ? NULL : __libc_calloc(n, size);
}

void *
realloc(void *old, size_t size)
{
	return shim_fails("memory") ? NULL : __libc_realloc(old, size);
}
