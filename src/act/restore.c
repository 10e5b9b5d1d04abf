/* SPDX-License-Identifier: MIT */
/*
 * The file has no name until it is whole (sys/tmpfile), so that a kill or a full disk leaves
 * nothing behind.  Where there are no nameless files it has an unused name from the start.
 */
#include "base/base.h"

#include "act/restore.h"

#include <fcntl.h>
#include <stdatomic.h>
#include <sys/stat.h>
#include <unistd.h>

#include "act/verdict.h"
#include "sys/attrs.h"
#include "sys/fs.h"
#include "sys/sparse.h"
#include "sys/tmpfile.h"
#include "sys/reflink.h"
#include "sys/stop.h"
#include "sys/sync.h"

/* Bytes copied at a time. */
#define RESTORE_BLOCK (1024 * 1024)

int
restore_open(struct restore *r, int dir, const char *word, struct verdict *v)
{
	*r = (struct restore)RESTORE_NONE;
	r->dir = dir;
	r->word = word;
	r->fd = tmpfile_make(dir);
	if (r->fd >= 0)
		return 0;
	rename_unused(r->word, r->name);
	r->fd = openat(dir, r->name, O_RDWR | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0600);
	if (r->fd >= 0)
		return 0;
	r->name[0] = '\0';
	return verdict_errno(v, errno, "no file can be made in its directory");
}

/* Write len bytes at an offset.  Returns 0, or -1 with errno. */
static int
restore_write(int fd, const char *data, size_t len, off_t at)
{
	while (len > 0) {
		const ssize_t n = pwrite(fd, data, len, at);

		if (n < 0 && errno != EINTR)
			return -1;
		if (n > 0) {
			data += n;
			len -= (size_t)n;
			at += n;
		}
	}
	return 0;
}

/* Copy the bytes from begin to end.  Returns 0, or -1 with errno. */
static int
restore_copy_part(int from, int to, off_t begin, off_t end, char *block, _Atomic int64_t *meter)
{
	while (begin < end) {
		const ssize_t n = pread(from, block, end - begin < RESTORE_BLOCK ? (size_t)(end - begin) : RESTORE_BLOCK, begin);

		if (stop_signal() != 0)
			errno = EINTR;
		if (stop_signal() != 0 || (n < 0 && errno != EINTR) || (n > 0 && restore_write(to, block, (size_t)n, begin) < 0))
			return -1;
		/* The file became shorter: its hash will differ. */
		if (n == 0)
			return 0;
		begin += n > 0 ? n : 0;
		if (meter != NULL && n > 0)
			atomic_fetch_add(meter, n);
	}
	return 0;
}

/* Copy size bytes, keeping holes where possible.  Returns 0, or -1 with errno. */
static int
restore_copy_all(int from, int to, int64_t size, _Atomic int64_t *meter)
{
	char *block = mem_alloc(RESTORE_BLOCK);
	off_t begin = 0, end = size;
	int ret = ftruncate(to, (off_t)size);

	for (off_t at = 0; ret == 0 && at < size; at = end) {
		begin = sparse_data(from, at);
		/* No data up to the end. */
		if (begin < 0 && errno == ENXIO)
			break;
		end = begin >= 0 ? sparse_hole(from, begin) : (off_t)size;
		if (end < 0 || end > size)
			end = (off_t)size;
		ret = restore_copy_part(from, to, begin >= 0 ? begin : at, end, block, meter);
	}
	free(block);
	return ret;
}

int
restore_copy(struct restore *r, const struct acts_line *l, int from, struct verdict *v)
{
	return reflink_clone(from, r->fd) < 0 && restore_copy_all(from, r->fd, l->size, r->meter) < 0 ?
	       verdict_errno(v, errno, "its content cannot be copied") : 0;
}

int
restore_check(struct restore *r, const struct acts_line *l, bool disk, struct content_reader *reader, struct verdict *v)
{
	struct fs_stat st;

	if (disk)
		content_from_disk(r->fd);
	if (fs_stat_fd(r->fd, &st) < 0)
		return verdict_errno(v, errno, "what was copied cannot be looked at");
	content_read_open(reader, r->fd, CONTENT_FULL, &st, &r->content);
	if (r->content.error != 0)
		return verdict_set(v, ACT_UNSURE, "what was copied cannot be read: %s",
		                   r->content.error > 0 ? strerror(r->content.error) : "it changes, or a signal came");
	return r->content.has_hash && st.size == l->size && memcmp(r->content.hash, l->hash, HASH_SIZE) == 0;
}

int
restore_fill(struct restore *r, const struct acts_line *l, int from, struct content_reader *reader, struct verdict *v)
{
	struct fs_stat st;
	int same;

	/* What begins with the content, and goes on, has another one. */
	if (fs_stat_fd(from, &st) < 0 || !S_ISREG(st.mode) || st.size != l->size)
		return 0;
	same = restore_copy(r, l, from, v) < 0 ? -1 : restore_check(r, l, false, reader, v);
	if (same == 0 && ftruncate(r->fd, 0) < 0)
		return verdict_errno(v, errno, "what was copied cannot be removed again");
	return same;
}

/* Give it the time of the act's file.  Returns 0, or -1 with the verdict. */
static int
restore_time(struct restore *r, const struct acts_line *l, struct verdict *v)
{
	const struct timespec times[2] = { { .tv_nsec = UTIME_OMIT }, { .tv_sec = (time_t)l->mtime.sec, .tv_nsec = l->mtime.nsec } };

	return futimens(r->fd, times) < 0 ? verdict_errno(v, errno, "its modification time cannot be restored") : 0;
}

int
restore_finish(struct restore *r, const struct acts_line *l, struct verdict *v)
{
	int error;

	if (attrs_set(r->fd, l->uid, l->gid, l->mode, l->attrs) < 0)
		return verdict_errno(v, errno, "its owner, mode and attributes cannot be restored");
	if (restore_time(r, l, v) < 0)
		return -1;
	error = sync_file(r->fd);
	return error != 0 ? verdict_errno(v, error, "it cannot be written to the disk") : 0;
}

int
restore_finish_most(struct restore *r, const struct acts_line *l, struct buf *lacks, struct verdict *v)
{
	attrs_set_most(r->fd, l->uid, l->gid, l->mode, l->attrs, lacks);
	return restore_time(r, l, v);
}

int
restore_put(struct restore *r, const char *name)
{
	if (r->name[0] == '\0')
		return tmpfile_put(r->fd, r->dir, name);
	if (rename_back(r->dir, r->name, r->dir, name) < 0)
		return -1;
	r->name[0] = '\0';
	return 0;
}

int
restore_exchange(struct restore *r, const char *name)
{
	if (r->name[0] == '\0') {
		char unused[RENAME_UNUSED_SIZE];

		rename_unused(r->word, unused);
		if (tmpfile_put(r->fd, r->dir, unused) < 0)
			return -1;
		memcpy(r->name, unused, sizeof(unused));
	}
	return rename_exchange(r->dir, r->name, name);
}

void
restore_close(struct restore *r)
{
	struct fs_stat st, own;

	/* Remove only our own file: another one may have its name by now. */
	if (r->fd >= 0 && r->name[0] != '\0' && fs_stat_fd(r->fd, &own) == 0 && fs_stat_at(r->dir, r->name, &st) == 0 &&
	    st.inode == own.inode && st.dev == own.dev)
		unlinkat(r->dir, r->name, 0);
	if (r->fd >= 0)
		close(r->fd);
	r->fd = -1;
}
