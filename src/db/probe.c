/* SPDX-License-Identifier: MIT */
#include <config.h>

#include "db/probe.h"

#include <errno.h>
#include <fcntl.h>
#include <stdint.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/statvfs.h>
#include <unistd.h>

#include "base/buf.h"
#include "base/err.h"

/* The shared memory of a short log (sqlite.org/walformat.html). */
#define PROBE_SHARED_SIZE 32768

/* Whether a first page that is not written yet belongs to a new file with a journal: its writer is at it, or was killed. */
static bool
probe_unfinished(const char *path, const unsigned char *head, size_t n)
{
	struct buf journal = { 0 };
	bool ret = true;

	for (size_t i = 0; i < n; i++)
		ret = ret && head[i] == 0;
	buf_addf(&journal, "%s-journal", path);
	ret = ret && access(buf_str(&journal), F_OK) == 0;
	buf_release(&journal);
	return ret;
}

int
probe_index(const char *path, bool write, bool create, struct err *err)
{
	unsigned char head[108];
	struct stat st;
	ssize_t n;
	int fd;

	if (lstat(path, &st) < 0 && errno == ENOENT) {
		if (!create)
			return err_set(err, ERR_NO_INDEX, "no index at '%s': run twindex scan first", path);
		return 0;
	}
	if (lstat(path, &st) < 0)
		return err_sys(err, "index '%s'", path);
	if (!S_ISREG(st.st_mode))
		return err_set(err, ERR_BAD_INDEX, "'%s' is no index: not a regular file", path);
	fd = open(path, (write ? O_RDWR : O_RDONLY) | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC);
	if (fd < 0)
		return err_sys(err, "open index '%s'", path);
	n = pread(fd, head, sizeof(head), 0);
	/* Closing it is safe: no SQLite connection of this process has the file open yet. */
	close(fd);
	if (n < 0)
		return err_sys(err, "read index '%s'", path);
	if (n == 0)
		return write ? 0 :
		       err_set(err, ERR_NO_INDEX, "index '%s' is empty: run twindex scan first", path);
	if (probe_unfinished(path, head, (size_t)n))
		return 0;
	if (n < (ssize_t)sizeof(head) || memcmp(head, "SQLite format 3", 16) != 0)
		return err_set(err, ERR_BAD_INDEX, "'%s' is no index", path);
	/*
	 * sqlite.org/fileformat2.html: bytes 68 to 71 are the application id.  A
	 * first scan that was cut off may have left 0 there, and then a first page
	 * whose table, the schema, has no row (bytes 103 and 104).
	 */
	if (memcmp(head + 68, "Twdx", 4) != 0 &&
	    (memcmp(head + 68, "\0\0\0", 4) != 0 || head[103] != 0 || head[104] != 0))
		return err_set(err, ERR_BAD_INDEX, "'%s' is another program's database", path);
	return 0;
}

bool
probe_log_is_empty(const char *path)
{
	static const char *const suffixes[] = { "-wal", "-journal" };
	struct buf name = { 0 };
	struct stat st;
	bool ret = true;

	for (size_t i = 0; i < sizeof(suffixes) / sizeof(suffixes[0]); i++) {
		buf_cut(&name, 0);
		buf_addf(&name, "%s%s", path, suffixes[i]);
		/* One that can't be looked at may hold anything. */
		ret = ret && (stat(buf_str(&name), &st) == 0 ? st.st_size == 0 : errno == ENOENT);
	}
	buf_release(&name);
	return ret;
}

bool
probe_no_room(const char *path)
{
	struct statvfs fs;

	return statvfs(path, &fs) == 0 && (uint64_t)fs.f_bavail * fs.f_frsize < PROBE_SHARED_SIZE;
}
