/* SPDX-License-Identifier: MIT */
#include "base/base.h"

#include "sys/content_piece.h"

#include <sys/uio.h>
#include <unistd.h>

#include "sys/sparse.h"

ssize_t
content_pread_some(int fd, void *data, size_t enough, size_t len, int64_t at, bool *nowait)
{
	size_t done = 0;

#ifndef HAVE_PREADV2
	/* As on file systems that can't tell. */
	if (nowait != NULL)
		*nowait = false;
#endif
	while (done < enough) {
		ssize_t n;
#ifdef HAVE_PREADV2
		if (nowait != NULL && *nowait) {
			struct iovec iov = { (char *)data + done, len - done };

			n = preadv2(fd, &iov, 1, at + (int64_t)done, RWF_NOWAIT);
			if (n < 0 && errno == EOPNOTSUPP) {
				*nowait = false;
				continue;
			}
		} else
#endif
			n = pread(fd, (char *)data + done, len - done, at + (int64_t)done);
		if (n < 0 && errno == EINTR)
			continue;
		if (n < 0)
			return -1;
		if (n == 0)
			break;
		done += (size_t)n;
	}
	return (ssize_t)done;
}

ssize_t
content_pread(int fd, void *data, size_t len, int64_t at, bool *nowait)
{
	return content_pread_some(fd, data, len, len, at, nowait);
}

int
content_goes_on(int fd, int64_t size, bool *nowait)
{
	char more;

	return (int)content_pread(fd, &more, 1, size, nowait);
}

ssize_t
content_beside(const uint8_t *block, uint8_t *other, int fd, int64_t at, size_t len, bool *equal)
{
	const ssize_t got = content_pread(fd, other, len, at, NULL);

	*equal = got == (ssize_t)len && memcmp(block, other, len) == 0;
	return got;
}

void
content_run_go(struct content_run *run, int64_t at, int64_t size)
{
	int64_t data, end;

	if (at < run->end)
		return;
	run->hole = false;
	run->end = size;
	if (!run->seek)
		return;
	data = sparse_data(run->fd, at);
	if (data < 0 && errno == ENXIO)
		data = size;
	/* Where the file system can't tell, all is data. */
	if (data < at)
		return;
	run->hole = data - at >= CONTENT_HOLE_MIN;
	end = run->hole ? data : sparse_hole(run->fd, data);
	if (end > at && end < size)
		run->end = end;
}
