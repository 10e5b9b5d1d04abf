/* SPDX-License-Identifier: MIT */
/*
 * Hides system calls on paths: openat2 where the kernel has it, which lets no component be a link;
 * paths longer than PATH_MAX, opened piece by piece (fs_open_long); O_NOATIME.
 *
 * Threads share fs_shunned, the files of open databases, behind its lock, a leaf.  fs_apart is
 * thread-local: the thread has a descriptor table of its own.
 */
#include "base/base.h"

#include "sys/fs.h"

#include <fcntl.h>
#include <pthread.h>
#include <stdatomic.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/statvfs.h>
#include <time.h>
#include <unistd.h>
#ifdef HAVE_SYS_SYSMACROS_H
#include <sys/sysmacros.h>
#endif
#ifdef HAVE_LINUX_OPENAT2_H
#include <linux/openat2.h>
#include <sys/syscall.h>
#endif

#include "sys/stop.h"

#ifndef O_NOATIME
#define O_NOATIME 0
#endif
#ifndef HAVE_STRUCT_STAT_ST_MTIM
#define st_mtim st_mtimespec
#define st_ctim st_ctimespec
#endif
#ifndef O_PATH
#define O_PATH O_RDONLY
#endif

/* A file that must not be opened, and its database. */
struct fs_shunned_file {
	const void *owner;
	uint64_t dev, inode;
};

/* One for the process, as are the POSIX locks that it protects. */
static struct {
	pthread_mutex_t lock;
	VEC(struct fs_shunned_file) files;
	VEC(int) kept;             /* descriptors of such files, which must not be closed */
} fs_shunned = { .lock = PTHREAD_MUTEX_INITIALIZER };

static _Thread_local bool fs_apart;

int64_t
fs_time_key(struct fs_time t)
{
	return (int64_t)((uint64_t)t.sec * 1000000000 + (uint64_t)t.nsec);
}

int
fs_time_cmp(struct fs_time a, struct fs_time b)
{
	if (a.sec != b.sec)
		return a.sec < b.sec ? -1 : 1;
	return (a.nsec > b.nsec) - (a.nsec < b.nsec);
}

struct fs_time
fs_time_now(void)
{
	struct timespec ts;

	clock_gettime(CLOCK_REALTIME, &ts);
	return (struct fs_time){ ts.tv_sec, (int32_t)ts.tv_nsec };
}

int64_t
fs_clock_ns(void)
{
	struct timespec ts;

	clock_gettime(CLOCK_MONOTONIC, &ts);
	return (int64_t)ts.tv_sec * 1000000000 + ts.tv_nsec;
}

static void
fs_stat_fill(struct fs_stat *st, const struct stat *s)
{
	st->dev = (uint64_t)s->st_dev;
	st->inode = (uint64_t)s->st_ino;
	st->size = (int64_t)s->st_size;
	st->blocks = (int64_t)s->st_blocks;
	st->mtime = (struct fs_time){ s->st_mtim.tv_sec, (int32_t)s->st_mtim.tv_nsec };
	st->ctime = (struct fs_time){ s->st_ctim.tv_sec, (int32_t)s->st_ctim.tv_nsec };
	st->nlink = (uint32_t)s->st_nlink;
	st->mode = s->st_mode;
	st->uid = (uint32_t)s->st_uid;
	st->gid = (uint32_t)s->st_gid;
}

int
fs_stat_at(int at, const char *name, struct fs_stat *st)
{
	struct stat s;

	if (fstatat(at, name, &s, AT_SYMLINK_NOFOLLOW) < 0)
		return -1;
	fs_stat_fill(st, &s);
	return 0;
}

int
fs_stat_through(int at, const char *name, struct fs_stat *st)
{
	struct stat s;

	if (fstatat(at, name, &s, 0) < 0)
		return -1;
	fs_stat_fill(st, &s);
	return 0;
}

int
fs_stat_fd(int fd, struct fs_stat *st)
{
	struct stat s;

	if (fstat(fd, &s) < 0)
		return -1;
	fs_stat_fill(st, &s);
	return 0;
}

int
fs_stat_fresh(int at, const char *name, struct fs_stat *st)
{
#if defined(HAVE_STATX) && defined(AT_STATX_FORCE_SYNC)
	const int flags = AT_SYMLINK_NOFOLLOW | (*name == '\0' ? AT_EMPTY_PATH : 0);
	struct statx s;

	if (statx(at, name, flags | AT_STATX_FORCE_SYNC, STATX_BASIC_STATS, &s) == 0) {
		*st = (struct fs_stat){
			.dev = (uint64_t)makedev(s.stx_dev_major, s.stx_dev_minor), .inode = s.stx_ino, .size = (int64_t)s.stx_size,
			.blocks = (int64_t)s.stx_blocks, .mtime = { s.stx_mtime.tv_sec, (int32_t)s.stx_mtime.tv_nsec },
			.ctime = { s.stx_ctime.tv_sec, (int32_t)s.stx_ctime.tv_nsec }, .nlink = s.stx_nlink, .mode = s.stx_mode,
			.uid = s.stx_uid, .gid = s.stx_gid,
		};
		return 0;
	}
	if (errno != ENOSYS && errno != EPERM)
		return -1;
#endif
	return *name == '\0' ? fs_stat_fd(at, st) : fs_stat_at(at, name, st);
}

int
fs_is_read_only(int fd)
{
	struct statvfs v;

	return fstatvfs(fd, &v) < 0 ? -1 : (v.f_flag & ST_RDONLY) != 0;
}

bool
fs_stat_same(const struct fs_stat *a, const struct fs_stat *b)
{
	return a->inode == b->inode && a->dev == b->dev && a->size == b->size &&
	       fs_time_cmp(a->mtime, b->mtime) == 0 && fs_time_cmp(a->ctime, b->ctime) == 0;
}

/* Open a relative path component by component, none of which may be a link. */
static int
fs_open_steps(int at, const char *path, int flags)
{
	char step[PATH_MAX];
	int dir = at, fd = -1, saved;

	for (;;) {
		const size_t len = strcspn(path, "/"), next = len + strspn(path + len, "/");

		memcpy(step, path, len);
		step[len] = '\0';
		if (path[next] == '\0') {
			fd = openat(dir, step, flags | O_NOFOLLOW);
			break;
		}
		fd = openat(dir, step, O_PATH | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
		if (fd < 0)
			break;
		if (dir != at)
			close(dir);
		dir = fd;
		path += next;
	}
	saved = errno;
	if (dir != at)
		close(dir);
	errno = saved;
	return fd;
}

/*
 * Open a path shorter than PATH_MAX, no component of which may be a link.  Returns whether the
 * kernel supports that; *fd becomes a descriptor, or -1 with errno.
 */
static bool
fs_open_linkless(int at, const char *path, int flags, int *fd)
{
#ifdef HAVE_LINUX_OPENAT2_H
	struct open_how how = { .flags = (uint64_t)flags, .resolve = RESOLVE_NO_SYMLINKS | RESOLVE_NO_MAGICLINKS };

	*fd = (int)syscall(SYS_openat2, at, path, &how, sizeof(how));
	/* Older kernels and some sandboxes do not have it. */
	return *fd >= 0 || (errno != ENOSYS && errno != EPERM && errno != E2BIG);
#else
	(void)at, (void)path, (void)flags;
	*fd = -1;
	return false;
#endif
}

/* Open a piece of a path, shorter than PATH_MAX; no component of a relative one may be a link. */
static int
fs_open_piece(int at, const char *path, int flags)
{
	int fd;

	if (path[0] != '/' && fs_open_linkless(at, path, flags, &fd))
		return fd;
	return path[0] == '/' ? openat(at, path, flags) : fs_open_steps(at, path, flags);
}

/*
 * Open path with flags, in pieces that the kernel accepts: the part up to the last slash within
 * PATH_MAX is opened as a directory, which becomes the next at.
 */
static int
fs_open_long(int at, const char *path, int flags)
{
	char piece[PATH_MAX];
	int dir = at, fd, saved;

	for (;;) {
		size_t len = strlen(path), cut = PATH_MAX - 1;

		if (len < PATH_MAX) {
			fd = fs_open_piece(dir, path, flags);
			break;
		}
		while (cut > 0 && path[cut] != '/')
			cut--;
		if (cut == 0) {
			errno = ENAMETOOLONG;
			fd = -1;
			break;
		}
		memcpy(piece, path, cut);
		piece[cut] = '\0';
		fd = fs_open_piece(dir, piece, O_PATH | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
		if (fd < 0)
			break;
		if (dir != at)
			close(dir);
		dir = fd;
		path += cut + 1;
	}
	saved = errno;
	if (dir != at)
		close(dir);
	errno = saved;
	return fd;
}

/*
 * Root leaves the access times of directories alone, too: on btrfs a new one would pass for a
 * change (sys/changes), and all directories would be listed once more by the next scan.
 */
int
fs_open_dir(int at, const char *path)
{
	static _Atomic int is_root = -1;
	int flags = O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC, fd;

	if (atomic_load_explicit(&is_root, memory_order_relaxed) < 0)
		atomic_store_explicit(&is_root, geteuid() == 0, memory_order_relaxed);
	if (atomic_load_explicit(&is_root, memory_order_relaxed))
		flags |= O_NOATIME;
	fd = fs_open_long(at, *path != '\0' ? path : ".", flags);
	/* Root of a namespace does not own everything. */
	if (fd < 0 && errno == EPERM && (flags & O_NOATIME) != 0)
		fd = fs_open_long(at, *path != '\0' ? path : ".", flags & ~O_NOATIME);
	return fd;
}

void
fs_shun(const void *owner, uint64_t dev, uint64_t inode)
{
	bool known = false;

	pthread_mutex_lock(&fs_shunned.lock);
	for (size_t i = 0; i < fs_shunned.files.n; i++) {
		const struct fs_shunned_file *f = &fs_shunned.files.v[i];

		known |= f->owner == owner && f->inode == inode && f->dev == dev;
	}
	if (!known)
		vec_push(&fs_shunned.files, ((struct fs_shunned_file){ owner, dev, inode }));
	pthread_mutex_unlock(&fs_shunned.lock);
}

void
fs_unshun(const void *owner)
{
	size_t kept = 0;

	pthread_mutex_lock(&fs_shunned.lock);
	for (size_t i = 0; i < fs_shunned.files.n; i++) {
		if (fs_shunned.files.v[i].owner != owner)
			fs_shunned.files.v[kept++] = fs_shunned.files.v[i];
	}
	fs_shunned.files.n = kept;
	if (kept == 0) {
		vec_release(&fs_shunned.files);
		for (size_t i = 0; i < fs_shunned.kept.n; i++)
			close(fs_shunned.kept.v[i]);
		vec_release(&fs_shunned.kept);
	}
	pthread_mutex_unlock(&fs_shunned.lock);
}

bool
fs_is_shunned(uint64_t dev, uint64_t inode)
{
	bool shunned = false;

	pthread_mutex_lock(&fs_shunned.lock);
	for (size_t i = 0; i < fs_shunned.files.n; i++)
		shunned |= fs_shunned.files.v[i].inode == inode && fs_shunned.files.v[i].dev == dev;
	pthread_mutex_unlock(&fs_shunned.lock);
	return shunned;
}

void
fs_set_apart(void)
{
	fs_apart = true;
}

bool
fs_is_apart(void)
{
	return fs_apart;
}

int
fs_open_any_file(int at, const char *path)
{
	const int flags = O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_NOCTTY | O_CLOEXEC;
	int fd;

	/* A file whose directory is not open. */
	if (strlen(path) >= PATH_MAX || (path[0] != '/' && strchr(path, '/') != NULL)) {
		/* EPERM counts as no support: who may not use O_NOATIME tries once more without. */
		if (strlen(path) < PATH_MAX && fs_open_linkless(at, path, flags | O_NOATIME, &fd))
			return fd;
		return fs_open_long(at, path, flags);
	}
	/* The common case, a name in an open directory, goes straight to the kernel. */
	fd = openat(at, path, flags | O_NOATIME);
	/* Only the owner and root may use O_NOATIME. */
	if (fd < 0 && errno == EPERM)
		fd = openat(at, path, flags);
	return fd;
}

int
fs_open_file(int at, const char *path)
{
	struct fs_stat st;

	if (!fs_is_apart() && (path[0] == '/' ? fs_stat_path(path, &st) : fs_stat_at(at, path, &st)) == 0 &&
	    fs_is_shunned(st.dev, st.inode)) {
		errno = EBUSY;
		return -1;
	}
	return fs_open_any_file(at, path);
}

void
fs_keep_open(int fd)
{
	pthread_mutex_lock(&fs_shunned.lock);
	vec_push(&fs_shunned.kept, fd);
	pthread_mutex_unlock(&fs_shunned.lock);
}

/* Open a path with flags; behind the first base_len bytes no component may be a link. */
static int
fs_open_below(const char *path, size_t base_len, int flags)
{
	const char *rest = path + base_len + strspn(path + base_len, "/");
	int dir, fd, saved;
	char *base;

	if (base_len == 1 && strlen(path) < PATH_MAX && fs_open_linkless(AT_FDCWD, path, flags, &fd))
		return fd;
	base = mem_dup(path, base_len);
	dir = fs_open_base(base);
	free(base);
	if (dir < 0)
		return -1;
	fd = fs_open_long(dir, *rest != '\0' ? rest : ".", flags);
	saved = errno;
	close(dir);
	errno = saved;
	return fd;
}

int
fs_open_dir_below(const char *path, size_t base_len)
{
	return fs_open_below(path, base_len, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
}

int
fs_open_base(const char *path)
{
	return fs_open_long(AT_FDCWD, path, O_PATH | O_DIRECTORY | O_CLOEXEC);
}

int
fs_enter_dir(const char *path)
{
	return fs_open_below(path, 1, O_PATH | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
}

int
fs_enter_dir_at(int at, const char *path)
{
	return fs_open_long(at, *path != '\0' ? path : ".", O_PATH | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
}

int
fs_open_file_below(const char *path, size_t base_len)
{
	const char *name = strrchr(path, '/') + 1;
	const size_t len = name - path > 1 ? (size_t)(name - path - 1) : 1;
	char *parent = mem_dup(path, len);
	const int dir = fs_open_dir_below(parent, base_len < len ? base_len : len);
	int fd = -1, saved = errno;

	free(parent);
	if (dir >= 0) {
		fd = fs_open_file(dir, name);
		saved = errno;
		close(dir);
	}
	errno = saved;
	return fd;
}

int
fs_make_room(int n)
{
	struct rlimit limit, raised;
	int most = n, fd, last;

	/* Raise the soft limit, if it is lower. */
	if (getrlimit(RLIMIT_NOFILE, &limit) == 0 && limit.rlim_cur < (rlim_t)n) {
		raised = limit;
		raised.rlim_cur = limit.rlim_max < (rlim_t)n ? limit.rlim_max : (rlim_t)n;
		most = (int)(setrlimit(RLIMIT_NOFILE, &raised) == 0 ? raised.rlim_cur : limit.rlim_cur);
	}
	fd = open("/", O_PATH | O_DIRECTORY | O_CLOEXEC);
	last = fd >= 0 ? fcntl(fd, F_DUPFD_CLOEXEC, most - 1) : -1;
	if (last >= 0)
		close(last);
	if (fd >= 0)
		close(fd);
	return most;
}

bool
fs_is_absent(int error)
{
	return error == ENOENT || error == ENOTDIR || error == ELOOP;
}

int
fs_stat_path(const char *path, struct fs_stat *st)
{
	size_t len = strlen(path);
	const char *base;
	char *parent;
	int fd, ret, saved;

	if (len < PATH_MAX)
		return fs_stat_at(AT_FDCWD, path, st);
	base = strrchr(path, '/');
	if (base == NULL) {
		errno = ENAMETOOLONG;
		return -1;
	}
	parent = mem_dup(path, (size_t)(base - path));
	fd = fs_open_long(AT_FDCWD, parent, O_PATH | O_DIRECTORY | O_CLOEXEC);
	free(parent);
	if (fd < 0)
		return -1;
	ret = fs_stat_at(fd, base + 1, st);
	saved = errno;
	close(fd);
	errno = saved;
	return ret;
}

int
fs_write_all(int fd, const char *data, size_t len)
{
	while (len > 0) {
		const ssize_t n = write(fd, data, len);

		if (n < 0 && errno == EINTR && stop_signal() == 0)
			continue;
		if (n < 0)
			return -1;
		data += n;
		len -= (size_t)n;
	}
	return 0;
}

int
fs_make_parents(const char *path)
{
	for (const char *slash = strchr(path + 1, '/'); slash != NULL; slash = strchr(slash + 1, '/')) {
		char *dir = mem_dup(path, (size_t)(slash - path));
		/* The umask may have removed the owner's bits. */
		int failed = mkdir(dir, 0700) < 0 || chmod(dir, 0700) < 0 ? errno : 0;

		free(dir);
		if (failed != 0 && failed != EEXIST && failed != EISDIR && failed != EROFS && failed != EACCES) {
			errno = failed;
			return -1;
		}
	}
	return 0;
}

int
fs_make_file(const char *path)
{
	int fd = open(path, O_RDWR | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0600);

	if (fd >= 0)
		(void)fchmod(fd, 0600);
	return fd;
}
