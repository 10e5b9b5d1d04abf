/* SPDX-License-Identifier: MIT */
/*
 * Hashes: XXH3-128 with the index's secret (xxhash.h), in canonical, that is
 * big-endian, form.  A head is the low half of the same hash over the first
 * CONTENT_EDGE bytes and, of files above CONTENT_TAIL_FROM, the last ones too:
 * formats with a fixed header then differ in their heads already.  A head is
 * one page, the least that a read costs.
 */
#include <config.h>

#include "sys/content.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/uio.h>
#include <unistd.h>
#ifdef HAVE_XXH3_DISPATCH
/* With the widest instructions that the processor has, not that the library was built for. */
#include <xxh_x86dispatch.h>
#else
#include <xxhash.h>
#endif

#include "base/mem.h"
#include "sys/stop.h"

/* Large enough for a disk, small enough for a second-level cache. */
#define CONTENT_BLOCK (256 * 1024)
#define CONTENT_EDGE CONTENT_WHOLE
#define CONTENT_TAIL_FROM (128 * 1024)

void
content_reader_init(struct content_reader *r, const uint8_t *secret, struct fs_time racy_window)
{
	memset(r, 0, sizeof(*r));
	r->secret = secret;
	r->racy_window = racy_window;
	r->block = mem_alloc(2 * CONTENT_BLOCK);
	r->state = XXH3_createState();
	if (r->state == NULL)
		abort();
}

void
content_reader_release(struct content_reader *r)
{
	free(r->block);
	XXH3_freeState(r->state);
	memset(r, 0, sizeof(*r));
}

/* pread until len bytes or the end of the file.  Returns the bytes read, or -1 with errno; EAGAIN when nowait and not in memory. */
static ssize_t
content_pread(int fd, void *data, size_t len, int64_t at, bool nowait)
{
	size_t done = 0;

	while (done < len) {
		ssize_t n;
#ifdef HAVE_PREADV2
		if (nowait) {
			struct iovec iov = { (char *)data + done, len - done };

			n = preadv2(fd, &iov, 1, at + (int64_t)done, RWF_NOWAIT);
			if (n < 0 && errno == EOPNOTSUPP) {
				nowait = false;
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

static void
content_canonical(XXH128_hash_t h, uint8_t hash[CONTENT_HASH_SIZE])
{
	XXH128_canonical_t c;

	XXH128_canonicalFromHash(&c, h);
	memcpy(hash, c.digest, CONTENT_HASH_SIZE);
}

/* The outcome of a read that was to give want bytes: 0, an errno or a CONTENT_* code. */
static int
content_outcome(ssize_t got, size_t want, enum content_want how)
{
	if (got < 0)
		return errno == EAGAIN && (how & CONTENT_NOWAIT) != 0 ? CONTENT_COLD : errno;
	/* The end before its time: the file shrank, and is tried again. */
	return (size_t)got == want ? 0 : CONTENT_CHANGING;
}

static int
content_head(struct content_reader *r, int fd, int64_t size, enum content_want how, struct content_result *res)
{
	const bool nowait = (how & CONTENT_NOWAIT) != 0;
	const size_t len = size > CONTENT_TAIL_FROM ? 2 * CONTENT_EDGE : CONTENT_EDGE;
	ssize_t got;
	int error;

#ifdef HAVE_POSIX_FADVISE
	/* Kernels read 128 KiB ahead for 4 KiB otherwise. */
	if (!nowait && (how & CONTENT_FULL) == 0)
		posix_fadvise(fd, 0, 0, POSIX_FADV_RANDOM);
#endif
	got = content_pread(fd, r->block, CONTENT_EDGE, 0, nowait);
	error = content_outcome(got, CONTENT_EDGE, how);
	if (error == 0 && len > CONTENT_EDGE) {
		got = content_pread(fd, r->block + CONTENT_EDGE, CONTENT_EDGE, size - CONTENT_EDGE, nowait);
		error = content_outcome(got, CONTENT_EDGE, how);
	}
	if (error != 0)
		return error;
	r->bytes += (int64_t)len;
	res->head = (int64_t)XXH3_128bits_withSecret(r->block, len, r->secret, CONTENT_SECRET_SIZE).low64;
	res->has_head = true;
	return 0;
}

static bool
content_late(const struct content_reader *r)
{
	return r->deadline_ns != 0 && fs_clock_ns() > r->deadline_ns;
}

static int
content_full(struct content_reader *r, int fd, int64_t size, enum content_want how, struct content_result *res)
{
	int64_t at = 0;
	ssize_t got;
	int error;

	if (size <= CONTENT_BLOCK) {
		/* A head that was just read is in the block; with a tail behind it it is not alone there. */
		const int64_t have = res->has_head && size <= CONTENT_TAIL_FROM ? CONTENT_EDGE : 0;

		got = content_pread(fd, r->block + have, (size_t)(size - have), have, (how & CONTENT_NOWAIT) != 0);
		error = content_outcome(got, (size_t)(size - have), how);
		if (error != 0)
			return error;
		r->bytes += size - have;
		content_canonical(XXH3_128bits_withSecret(r->block, (size_t)size, r->secret, CONTENT_SECRET_SIZE),
		                  res->hash);
		res->has_hash = true;
		return 0;
	}
#ifdef HAVE_POSIX_FADVISE
	posix_fadvise(fd, 0, 0, POSIX_FADV_SEQUENTIAL);
#endif
	XXH3_128bits_reset_withSecret(r->state, r->secret, CONTENT_SECRET_SIZE);
	while (at < size) {
		const size_t len = size - at < CONTENT_BLOCK ? (size_t)(size - at) : CONTENT_BLOCK;

		if (stop_signal() != 0 || content_late(r))
			return CONTENT_STOPPED;
		got = content_pread(fd, r->block, len, at, false);
		error = content_outcome(got, len, how);
		if (error != 0)
			return error;
		XXH3_128bits_update(r->state, r->block, len);
		at += (int64_t)len;
		r->bytes += (int64_t)len;
	}
	content_canonical(XXH3_128bits_digest(r->state), res->hash);
	res->has_hash = true;
	return 0;
}

/* git calls such files racy: a change in the same tick of the clock would leave no trace. */
static bool
content_is_racy(const struct fs_stat *st, struct fs_time start, struct fs_time window)
{
	struct fs_time safe = { start.sec - window.sec, start.nsec - window.nsec };

	if (safe.nsec < 0) {
		safe.sec--;
		safe.nsec += 1000000000;
	}
	return fs_time_cmp(st->mtime, safe) >= 0 || fs_time_cmp(st->ctime, safe) >= 0;
}

/* Read as far as is wanted of the state that st describes. */
static int
content_pieces(struct content_reader *r, int fd, enum content_want want, const struct fs_stat *st,
               struct content_result *res)
{
	int error = 0;

	if ((want & (CONTENT_HEAD | CONTENT_FULL)) != 0 && st->size > CONTENT_WHOLE)
		error = content_head(r, fd, st->size, want, res);
	if (error == 0 && ((want & CONTENT_FULL) != 0 ||
	                   ((want & CONTENT_MAYBE) != 0 && r->go_on(r->arg, st->size, res->head))))
		error = content_full(r, fd, st->size, want, res);
	return error;
}

int
content_open(int at, const char *path, struct fs_stat *st, int *error)
{
	const int fd = fs_open_file(at, path);

	/* O_NOFOLLOW says ELOOP for a link, O_NONBLOCK ENXIO for some special files. */
	if (fd < 0)
		*error = errno == ELOOP || errno == ENXIO ? CONTENT_NO_FILE : errno;
	else if (fs_stat_fd(fd, st) < 0)
		*error = errno;
	else if (!S_ISREG(st->mode))
		*error = CONTENT_NO_FILE;
	else
		return fd;
	if (fd >= 0)
		close(fd);
	return -1;
}

void
content_read_open(struct content_reader *r, int fd, enum content_want want, struct fs_stat *st,
                  struct content_result *res)
{
	for (int attempt = 0; attempt < 2; attempt++) {
		const struct fs_time start = fs_time_now();
		struct fs_stat after;

		memset(res, 0, sizeof(*res));
		if (attempt > 0 && fs_stat_fd(fd, st) < 0)
			res->error = errno;
		else
			res->error = content_pieces(r, fd, want, st, res);
		/* What takes a moment to read may have changed meanwhile. */
		if (res->error == 0 && st->size > CONTENT_BLOCK) {
			if (fs_stat_fd(fd, &after) < 0)
				res->error = errno;
			else if (!fs_stat_same(&after, st))
				res->error = CONTENT_CHANGING;
		}
		if (res->error == 0)
			res->racy = content_is_racy(st, start, r->racy_window);
		if (res->error != CONTENT_CHANGING)
			break;
	}
	if (res->error != 0)
		res->has_head = res->has_hash = false;
}

void
content_ahead(int fd, enum content_want want, int64_t size)
{
#ifdef HAVE_POSIX_FADVISE
	const bool full = (want & CONTENT_FULL) != 0 || size <= CONTENT_WHOLE;
	const int64_t most = full ? CONTENT_BLOCK : CONTENT_EDGE;

	posix_fadvise(fd, 0, size < most ? size : most, POSIX_FADV_WILLNEED);
	if (!full && size > CONTENT_TAIL_FROM)
		posix_fadvise(fd, size - CONTENT_EDGE, CONTENT_EDGE, POSIX_FADV_WILLNEED);
#else
	(void)fd;
	(void)want;
	(void)size;
#endif
}

void
content_read(struct content_reader *r, int at, const char *path, enum content_want want,
             struct fs_stat *st, struct content_result *res)
{
	int error, fd = content_open(at, path, st, &error);

	if (fd < 0) {
		memset(res, 0, sizeof(*res));
		res->error = error;
		return;
	}
	content_read_open(r, fd, want, st, res);
	close(fd);
}

const uint8_t *
content_last(const struct content_reader *r, int64_t size)
{
	return size <= CONTENT_BLOCK ? r->block : NULL;
}

int
content_equal_last(struct content_reader *r, int fd, int64_t size)
{
	uint8_t *other = r->block + CONTENT_BLOCK;
	const ssize_t got = content_pread(fd, other, (size_t)size, 0, false);

	if (got < 0)
		return -1;
	r->bytes += got;
	return (int64_t)got == size && memcmp(r->block, other, (size_t)size) == 0;
}

int
content_equal(struct content_reader *r, int fd_a, int fd_b, int64_t size)
{
	uint8_t *a = r->block, *b = r->block + CONTENT_BLOCK;

	for (int64_t at = 0; at < size; at += CONTENT_BLOCK) {
		const size_t len = size - at < CONTENT_BLOCK ? (size_t)(size - at) : CONTENT_BLOCK;
		ssize_t got_a = content_pread(fd_a, a, len, at, false);
		ssize_t got_b = content_pread(fd_b, b, len, at, false);

		if (got_a < 0 || got_b < 0)
			return -1;
		r->bytes += got_a + got_b;
		if ((size_t)got_a != len || (size_t)got_b != len || memcmp(a, b, len) != 0)
			return 0;
		if (stop_signal() != 0) {
			errno = EINTR;
			return -1;
		}
	}
	return 1;
}

int
content_plain_hash(struct content_reader *r, int fd, uint8_t hash[CONTENT_HASH_SIZE])
{
	int64_t at = 0;
	ssize_t got;

	XXH3_128bits_reset(r->state);
	while ((got = content_pread(fd, r->block, CONTENT_BLOCK, at, false)) > 0) {
		XXH3_128bits_update(r->state, r->block, (size_t)got);
		at += got;
		if (stop_signal() != 0) {
			errno = EINTR;
			return -1;
		}
	}
	if (got < 0)
		return -1;
	content_canonical(XXH3_128bits_digest(r->state), hash);
	return 0;
}
