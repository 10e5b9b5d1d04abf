/* SPDX-License-Identifier: MIT */
/*
 * The file: one line each, oldest first, only ever appended to, under a lock,
 * so that no session loses another one's lines.  Repeats are dropped when it
 * is read; when there are many it is written anew and renamed into place.
 * A session that waited for the lock meanwhile holds that of the old file, so
 * the inode is compared again once the lock is held.
 */
#include "base/base.h"

#include "shell/history.h"

#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>
#include <xxhash.h>

#include "sys/fs.h"
#include "sys/replace.h"
#include "sys/resolve.h"

/* Lines beyond HISTORY_MAX at which the file is written anew. */
#define HISTORY_SLACK 1000
/* Of a larger file only the end is read. */
#define HISTORY_MAX_FILE (INT64_C(64) << 20)
/* Tries to get the lock, 10 ms apart: 1 s, after which lines stay in memory only. */
#define HISTORY_LOCK_TRIES 100

/*
 * Whether the line may be in a history: it is shown on terminals and is one line of a text file.
 */
static bool
history_fits(const char *line, size_t len)
{
	if (len == 0 || len > HISTORY_MAX_LINE || line[0] == ' ' || line[0] == '\t' || !name_is_utf8(line, len))
		return false;
	for (size_t i = 0; i < len; i++) {
		if (((unsigned char)line[i] < 0x20 && line[i] != '\t') || line[i] == 0x7f)
			return false;
	}
	return true;
}

static int
history_flock(int fd)
{
	const struct timespec pause = { 0, 10 * 1000 * 1000 };

	for (int i = 0; i < HISTORY_LOCK_TRIES; i++) {
		/* Where there are no locks the lines still go to the end. */
		if (flock(fd, LOCK_EX | LOCK_NB) == 0 || errno == ENOLCK || errno == EOPNOTSUPP || errno == EBADF)
			return 0;
		if (errno != EWOULDBLOCK && errno != EINTR)
			return -1;
		nanosleep(&pause, NULL);
	}
	return -1;
}

/*
 * Open the file and lock it.  Returns a descriptor, -1 with *err, or -2: there is no file, and
 * flags do not make one.
 */
static int
history_lock(const char *path, int flags, struct err *err)
{
	for (;;) {
		int fd = open(path, flags | O_NOFOLLOW | O_NONBLOCK | O_NOCTTY | O_CLOEXEC, 0600);
		struct stat st, now;

		if (fd < 0 && errno == ENOENT && (flags & O_CREAT) == 0)
			return -2;
		if (fd < 0)
			return err_sys(err, "open history '%s'", path);
		if (fstat(fd, &st) < 0 || !S_ISREG(st.st_mode)) {
			close(fd);
			return err_set(err, ERR_SYS, "history '%s' is not a regular file", path);
		}
		if (history_flock(fd) < 0) {
			err_sys(err, "lock history '%s'", path);
			close(fd);
			return -1;
		}
		/* Lines name files: nobody but the owner is to read them. */
		if ((st.st_mode & 077) != 0 && st.st_uid == geteuid())
			(void)fchmod(fd, 0600);
		if (lstat(path, &now) == 0 && now.st_dev == st.st_dev && now.st_ino == st.st_ino)
			return fd;
		close(fd);
	}
}

/* Read the end of the file; the first line may have lost its beginning then. */
static int
history_read(int fd, struct buf *text)
{
	struct stat st;
	char chunk[16384];
	off_t at;
	ssize_t n;

	if (fstat(fd, &st) < 0)
		return -1;
	at = st.st_size > HISTORY_MAX_FILE ? st.st_size - HISTORY_MAX_FILE : 0;
	while ((n = pread(fd, chunk, sizeof(chunk), at)) != 0) {
		if (n < 0 && errno != EINTR)
			return -1;
		if (n > 0) {
			buf_add(text, chunk, (size_t)n);
			at += n;
		}
	}
	return 0;
}

/* Take the newest different lines of the file's text.  Returns how many lines it has. */
static size_t
history_take(struct history *h, const struct buf *text)
{
	struct table by_line = { 0 };
	size_t lines = 0, end = text->len;

	while (end > 0) {
		const size_t stop = text->data[end - 1] == '\n' ? end - 1 : end;
		const char *newline = stop > 0 ? mem_last(text->data, '\n', stop) : NULL;
		const char *begin = newline != NULL ? newline + 1 : text->data;
		const size_t len = stop - (size_t)(begin - text->data);

		lines++;
		if (h->n < HISTORY_MAX && history_fits(begin, len)) {
			const uint64_t hash = XXH3_64bits(begin, len);
			char *line = mem_dup(begin, len);
			bool has = false;

			TABLE_EACH(i, &by_line, hash)
				has = has || strcmp(h->v[i], line) == 0;
			if (has)
				free(line);
			else {
				vec_push(h, line);
				table_add(&by_line, hash, h->n - 1);
			}
		}
		end = (size_t)(begin - text->data);
	}
	table_release(&by_line);
	/* The oldest comes first. */
	for (size_t i = 0; i < h->n / 2; i++) {
		char *other = h->v[h->n - 1 - i];

		h->v[h->n - 1 - i] = h->v[i];
		h->v[i] = other;
	}
	return lines;
}

/* Write the file anew, while its lock is held.  On failure the old file stays. */
static void
history_compact(const struct history *h)
{
	struct buf text = { 0 }, path = { 0 };
	struct err ignored;

	for (size_t i = 0; i < h->n; i++) {
		buf_adds(&text, h->v[i]);
		buf_addc(&text, '\n');
	}
	if (resolve_path_of_file(&path, h->path, &ignored) == 0)
		(void)replace_file(buf_str(&path), buf_str(&text), text.len, 0600);
	buf_release(&text);
	buf_release(&path);
}

int
history_open(struct history *h, const char *path, struct err *err)
{
	struct buf text = { 0 };
	bool writable;
	int fd, ret = 0;

	if (path == NULL)
		return 0;
	fd = history_lock(path, O_RDWR, err);
	writable = fd != -1;
	if (fd == -1 && (err->sys == EACCES || err->sys == EROFS || err->sys == EPERM))
		fd = history_lock(path, O_RDONLY, err);
	if (fd == -1)
		return -1;
	h->path = mem_str(path);
	if (fd >= 0 && history_read(fd, &text) < 0) {
		ret = err_sys(err, "read history '%s'", path);
		free(h->path);
		h->path = NULL;
	} else if (fd >= 0 && history_take(h, &text) >= h->n + HISTORY_SLACK && writable)
		history_compact(h);
	if (fd >= 0)
		close(fd);
	buf_release(&text);
	return ret;
}

/* Append a line to the file, after a newline if somebody's line was cut off. */
static int
history_append(const struct history *h, const char *line, struct err *err)
{
	struct buf text = { 0 };
	char last = '\n';
	off_t size;
	int fd, ret;

	if (fs_make_parents(h->path) < 0)
		return err_sys(err, "make the directory of history '%s'", h->path);
	fd = history_lock(h->path, O_RDWR | O_APPEND | O_CREAT, err);
	if (fd < 0)
		return -1;
	size = lseek(fd, 0, SEEK_END);
	if (size > 0 && pread(fd, &last, 1, size - 1) == 1 && last != '\n')
		buf_addc(&text, '\n');
	buf_adds(&text, line);
	buf_addc(&text, '\n');
	ret = fs_write_all(fd, text.data, text.len) < 0 ? err_sys(err, "write history '%s'", h->path) : 0;
	close(fd);
	buf_release(&text);
	return ret;
}

int
history_add(struct history *h, const char *line, struct err *err)
{
	/* An equal line, else the oldest one where there is no room. */
	size_t dropped = h->n == HISTORY_MAX ? 0 : h->n;

	if (!history_fits(line, strlen(line)))
		return 0;
	for (size_t i = 0; i < h->n; i++) {
		if (strcmp(h->v[i], line) == 0)
			dropped = i;
	}
	if (dropped < h->n) {
		free(h->v[dropped]);
		memmove(h->v + dropped, h->v + dropped + 1, (h->n - dropped - 1) * sizeof(*h->v));
		h->n--;
	}
	vec_push(h, mem_str(line));
	if (h->path == NULL)
		return 1;
	if (history_append(h, line, err) == 0)
		return 1;
	free(h->path);
	h->path = NULL;
	return -1;
}

void
history_release(struct history *h)
{
	for (size_t i = 0; i < h->n; i++)
		free(h->v[i]);
	vec_release(h);
	free(h->path);
	h->path = NULL;
}
