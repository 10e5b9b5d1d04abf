/* SPDX-License-Identifier: MIT */
/*
 * Hides how the block of a reader is divided: a piece of the file that others are compared with,
 * and behind it the same piece of each of these in turn.
 */
#include "base/base.h"

#include "sys/content_equal.h"

#include "sys/stop.h"

/*
 * Compare a piece of a file, of which the block has got bytes, with another one.  Returns as
 * content_equal.
 */
static int
content_equal_block(struct content_reader *r, int fd, int64_t at, int64_t len, int64_t got)
{
	ssize_t other;
	bool equal;

	if (stop_signal() != 0) {
		errno = EINTR;
		return -1;
	}
	other = content_beside(r->block, r->block + CONTENT_LARGE, fd, at, (size_t)len, &equal);
	if (other < 0)
		return -1;
	r->bytes += other;
	return equal && got == len;
}

int
content_equal_last(struct content_reader *r, int fd, int64_t size)
{
	return content_equal_block(r, fd, 0, size, size);
}

/*
 * Compare a piece of a file with those that are equal so far.  Returns its length, 0 when none is
 * equal any more, -1 with errno when the file can't be read.
 */
static int64_t
content_equal_piece(struct content_reader *r, struct content_run *x, struct content_other *others, size_t n, int64_t at, int64_t size)
{
	bool holes, any = false;
	int64_t len;
	ssize_t got;

	content_run_go(x, at, size);
	holes = x->hole;
	len = x->end - at;
	/* A hole is not read where it is one in both: others matter in holes of the first. */
	for (size_t i = 0; i < n && x->hole; i++) {
		struct content_run *y = &others[i].run;

		if (others[i].equal <= 0)
			continue;
		content_run_go(y, at, size);
		len = y->end - at < len ? y->end - at : len;
		holes &= y->hole;
	}
	if (holes)
		return len;
	len = len < CONTENT_LARGE ? len : CONTENT_LARGE;
	got = content_pread(x->fd, r->block, (size_t)len, at, NULL);
	if (got < 0)
		return -1;
	r->bytes += got;
	for (size_t i = 0; i < n; i++) {
		struct content_other *o = &others[i];

		if (o->equal > 0 && !(x->hole && o->run.hole))
			o->equal = content_equal_block(r, o->fd, at, len, got);
		any |= o->equal > 0;
	}
	return any ? len : 0;
}

void
content_equal_each(struct content_reader *r, int fd, struct content_other *others, size_t n, int64_t size)
{
	const bool seek = size >= CONTENT_HOLE_MIN;
	struct content_run run = { .fd = fd, .seek = seek };
	int64_t len = 1;

	for (size_t i = 0; i < n; i++) {
		others[i].equal = 1;
		others[i].run = (struct content_run){ .fd = others[i].fd, .seek = seek };
	}
	for (int64_t at = 0; at < size && len > 0; at += len)
		len = content_equal_piece(r, &run, others, n, at, size);
	for (size_t i = 0; i < n && len < 0; i++) {
		if (others[i].equal > 0)
			others[i].equal = -1;
	}
}

int
content_equal(struct content_reader *r, int fd_a, int fd_b, int64_t size)
{
	struct content_other other = { .fd = fd_b };

	content_equal_each(r, fd_a, &other, 1, size);
	return other.equal;
}
