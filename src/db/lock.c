/* SPDX-License-Identifier: MIT */
/*
 * A flock(2) lock ends with its process in any case, and belongs to the open file: no close
 * elsewhere in the process drops it.
 */
#include "base/base.h"

#include "db/lock.h"

#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "sys/fs.h"
#include "sys/stop.h"

/* Suffix of lock_acquire_beside's lock, between the index's path and "-lock". */
#define LOCK_BESIDE "-validate"
/* Poll interval of a waiter, for the lock and for a signal. */
#define LOCK_POLL_NS 100000000
/* Poll interval and count while a reader waits for a new index: 15 s in total. */
#define LOCK_AWAIT_NS 50000000
#define LOCK_AWAIT_MAX 300
/* Attempts on a lock that is held without a name in it, before it counts as busy. */
#define LOCK_LOOKS 3
/* Most bytes that the name of a process has. */
#define LOCK_HOLDER 160

/*
 * Open the lock of the index at path, or make it.  A special file is not opened, because a
 * device might notice; a link or a directory is refused by open.
 */
static int
lock_open(const char *path, int how)
{
	struct stat st;
	int fd;

	if (lstat(path, &st) == 0 && !S_ISREG(st.st_mode) && !S_ISLNK(st.st_mode) && !S_ISDIR(st.st_mode)) {
		errno = EEXIST;
		return -1;
	}
	/* Other processes may make or remove it at any moment. */
	do {
		fd = open(path, how | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC);
		if (fd < 0 && errno == ENOENT)
			fd = fs_make_file(path);
	} while (fd < 0 && errno == EEXIST);
	return fd;
}

/*
 * Whether the file is our lock: empty, exactly "<number> on <host>\n", or zeros, which a power cut
 * may leave.  Returns 1, 0, or -1 with errno.
 */
static int
lock_is_ours(int fd)
{
	/* One byte more shows that the file is longer, and one ends the string. */
	char text[LOCK_HOLDER + 2] = "";
	const ssize_t n = pread(fd, text, sizeof(text) - 1, 0);
	const size_t digits = strspn(text, "0123456789");

	if (n < 0)
		return -1;
	if (n > LOCK_HOLDER)
		return 0;
	if (text[0] == '\0') {
		for (ssize_t i = 0; i < n; i++) {
			if (text[i] != '\0')
				return 0;
		}
		return 1;
	}
	return digits > 0 && strncmp(text + digits, " on ", 4) == 0 && strcspn(text, "\n") + 1 == (size_t)n;
}

static int
lock_busy(int fd, const char *advice, struct err *err)
{
	char holder[LOCK_HOLDER];
	ssize_t n = pread(fd, holder, sizeof(holder) - 1, 0);

	holder[n > 0 ? n : 0] = '\0';
	holder[strcspn(holder, "\n")] = '\0';
	return err_set(err, ERR_BUSY, "the index is %s%s: try again later%s",
	               holder[0] != '\0' ? "being written by process " : "in use by another process", holder, advice);
}

static int
lock_foreign(const char *name, struct err *err)
{
	return err_set(err, ERR_BAD_INDEX, "'%s' is not the lock of an index: move it away, or use another --db", name);
}

int
lock_acquire(const char *path, bool wait, struct err *err)
{
	struct buf name = { 0 };
	char host[65] = "", holder[128];
	struct stat st;
	int fd, len, ours, looked = 0, ret = -1;

	buf_addf(&name, "%s-lock", path);
	fd = lock_open(buf_str(&name), O_RDWR);
	if (fd < 0 && errno == EEXIST) {
		lock_foreign(buf_str(&name), err);
		goto out;
	}
	if (fd < 0) {
		err_sys(err, "lock '%s'", buf_str(&name));
		goto out;
	}
	while (flock(fd, LOCK_EX | LOCK_NB) < 0) {
		if (errno != EWOULDBLOCK && errno != EINTR) {
			err_sys(err, "lock '%s'", buf_str(&name));
			goto out;
		}
		/* A process that only checks holds it for a moment, without a name. */
		if (!wait && ((fstat(fd, &st) == 0 && st.st_size > 0) || ++looked > LOCK_LOOKS)) {
			lock_busy(fd, ", or use --wait", err);
			goto out;
		}
		if (stop_check(err) < 0)
			goto out;
		nanosleep(&(struct timespec){ 0, LOCK_POLL_NS }, NULL);
	}
	ours = lock_is_ours(fd);
	if (ours <= 0) {
		if (ours < 0)
			err_sys(err, "read lock '%s'", buf_str(&name));
		else
			lock_foreign(buf_str(&name), err);
		goto out;
	}
	gethostname(host, sizeof(host) - 1);
	len = snprintf(holder, sizeof(holder), "%ld on %s\n", (long)getpid(), host);
	/* The name only informs others: ignore a full disk. */
	if (ftruncate(fd, 0) == 0 && pwrite(fd, holder, (size_t)len, 0) < 0)
		errno = 0;
	ret = fd;
	fd = -1;
out:
	if (fd >= 0)
		close(fd);
	buf_release(&name);
	return ret;
}

int
lock_bar(const char *path)
{
	struct buf name = { 0 };
	int fd;

	buf_addf(&name, "%s-lock", path);
	fd = lock_open(buf_str(&name), O_RDONLY);
	if (fd >= 0 && flock(fd, LOCK_SH | LOCK_NB) < 0) {
		close(fd);
		fd = -1;
	}
	buf_release(&name);
	return fd;
}

int
lock_look(const char *path, int *fd)
{
	struct buf name = { 0 };
	int ret;

	buf_addf(&name, "%s-lock", path);
	*fd = open(buf_str(&name), O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC);
	ret = *fd >= 0 ? flock(*fd, LOCK_SH | LOCK_NB) == 0 : errno == ENOENT;
	if (ret == 0 && *fd >= 0) {
		close(*fd);
		*fd = -1;
	}
	buf_release(&name);
	return ret;
}

/* Refuse an index that has a writer.  Returns 0, or -1 with ERR_BUSY naming the process. */
static int
lock_check(const char *path, struct err *err)
{
	struct buf name = { 0 };
	int fd, ret = 0;

	buf_addf(&name, "%s-lock", path);
	fd = open(buf_str(&name), O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC);
	if (fd >= 0 && flock(fd, LOCK_SH | LOCK_NB) < 0 && errno == EWOULDBLOCK)
		ret = lock_busy(fd, "", err);
	if (fd >= 0)
		close(fd);
	buf_release(&name);
	return ret;
}

int
lock_await_publish(const char *path, struct err *err)
{
	struct stat st;
	int ret;

	for (int i = 0;; i++) {
		ret = stat(path, &st) == 0 && st.st_size == 0 ? lock_check(path, err) : 0;
		if (ret == 0 || i == LOCK_AWAIT_MAX)
			return ret;
		if (stop_check(err) < 0)
			return -1;
		nanosleep(&(struct timespec){ 0, LOCK_AWAIT_NS }, NULL);
	}
}

int
lock_acquire_beside(const char *path, bool wait, struct err *err)
{
	struct buf name = { 0 };
	int fd;

	buf_addf(&name, "%s" LOCK_BESIDE, path);
	fd = lock_acquire(buf_str(&name), wait, err);
	if (fd < 0 && err->code == ERR_BUSY)
		err_set(err, ERR_BUSY, "another process validates the index: try again later, or use --wait");
	buf_release(&name);
	return fd;
}

bool
lock_is_beside(const char *path)
{
	struct buf name = { 0 };
	bool held;
	int fd;

	buf_addf(&name, "%s" LOCK_BESIDE, path);
	held = lock_look(buf_str(&name), &fd) == 0;
	lock_release(fd);
	buf_release(&name);
	return held;
}

void
lock_release(int fd)
{
	if (fd < 0)
		return;
	/* Fails, harmlessly, for a reader's descriptor. */
	if (ftruncate(fd, 0) < 0)
		errno = 0;
	close(fd);
}
