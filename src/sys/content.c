/* SPDX-License-Identifier: MIT */
/*
 * Hides what a hash is made of, holes, and changes while reading.  A reader belongs to one thread;
 * struct content_zeros is shared, behind a lock held while zeros are hashed, so threads poll it.
 *
 * Hashes: XXH3-128 with the index's secret (xxhash.h), in canonical, that is
 * big-endian, form.  A head is the low half of the same hash over the first
 * CONTENT_EDGE bytes and, of files above CONTENT_TAIL_FROM, the last ones too:
 * formats with a fixed header then differ in their heads already.  A head is
 * one page, the least that a read costs.
 */
#include "base/base.h"

#include "sys/content.h"

#include <fcntl.h>
#include <pthread.h>
#include <stdatomic.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>
#ifdef HAVE_XXH3_DISPATCH
/* Uses the widest instructions of the processor, not those the library was built for. */
#include <xxh_x86dispatch.h>
#else
#include <xxhash.h>
#endif

#include "sys/content_piece.h"
#include "sys/digest.h"
#include "sys/racy_window.h"
#include "sys/stop.h"
#include "sys/stall.h"

/* Bytes of one read: large enough for a disk, small enough for a second-level cache. */
#define CONTENT_BLOCK CONTENT_LARGE
#define CONTENT_EDGE CONTENT_WHOLE
#define CONTENT_TAIL_FROM (128 * 1024)
/* A file system that gives a whole number of these may have more. */
#define CONTENT_PAGE 4096
/* Least leading zeros whose hash state is kept, and the number of states kept. */
#define CONTENT_ZEROS_MIN (64 * 1024 * 1024)
#define CONTENT_ZEROS_MOST 64
/* Zeros fed to the hash at a time: they stay in a first-level cache. */
#define CONTENT_ZEROS_PIECE (16 * 1024)

static XXH3_state_t *
content_state_new(void)
{
	XXH3_state_t *state = XXH3_createState();

	if (state == NULL)
		mem_out();
	return state;
}

void
content_reader_init(struct content_reader *r, const uint8_t *secret, struct fs_time racy_window)
{
	memset(r, 0, sizeof(*r));
	r->secret = secret;
	r->racy_window = racy_window;
	r->block = mem_alloc(2 * CONTENT_BLOCK);
	r->state = content_state_new();
}

void
content_reader_release(struct content_reader *r)
{
	free(r->block);
	XXH3_freeState(r->state);
	memset(r, 0, sizeof(*r));
}

static void
content_canonical(XXH128_hash_t h, uint8_t hash[HASH_SIZE])
{
	XXH128_canonical_t c;

	XXH128_canonicalFromHash(&c, h);
	memcpy(hash, c.digest, HASH_SIZE);
}

void
content_hash(const uint8_t *secret, const void *data, size_t len, uint8_t hash[HASH_SIZE])
{
	content_canonical(XXH3_128bits_withSecret(data, len, secret, CONTENT_SECRET_SIZE), hash);
}

struct content_sum {
	XXH3_state_t *state;
};

struct content_sum *
content_sum_new(const uint8_t *secret)
{
	struct content_sum *s = mem_alloc(sizeof(*s));

	s->state = content_state_new();
	XXH3_128bits_reset_withSecret(s->state, secret, CONTENT_SECRET_SIZE);
	return s;
}

void
content_sum_add(struct content_sum *s, const void *data, size_t len)
{
	XXH3_128bits_update(s->state, data, len);
}

void
content_sum_end(struct content_sum *s, uint8_t hash[HASH_SIZE])
{
	content_canonical(XXH3_128bits_digest(s->state), hash);
	XXH3_freeState(s->state);
	free(s);
}

/* The outcome of a read of want bytes: 0, an errno or a CONTENT_* code. */
static int
content_outcome(ssize_t got, size_t want, enum content_want how)
{
	if (got < 0)
		return errno == EAGAIN && (how & CONTENT_NOWAIT) != 0 ? CONTENT_COLD : errno;
	/* Fewer or more bytes: the file shrank or grew, and is tried again. */
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
	/* Otherwise the kernel reads 128 KiB ahead for 4 KiB. */
	if (!nowait && (how & CONTENT_FULL) == 0)
		posix_fadvise(fd, 0, 0, POSIX_FADV_RANDOM);
#endif
	got = content_pread(fd, r->block, CONTENT_EDGE, 0, &r->nowait);
	error = content_outcome(got, CONTENT_EDGE, how);
	if (error == 0 && len > CONTENT_EDGE) {
		got = content_pread(fd, r->block + CONTENT_EDGE, CONTENT_EDGE, size - CONTENT_EDGE, &r->nowait);
		error = content_outcome(got, CONTENT_EDGE, how);
	}
	if (error != 0)
		return error;
	r->bytes += (int64_t)len;
	res->head = (int64_t)XXH3_128bits_withSecret(r->block, len, r->secret, CONTENT_SECRET_SIZE).low64;
	res->has_head = true;
	return 0;
}

/* Count bytes of a large file that were read. */
static void
content_count(struct content_reader *r, int64_t len)
{
	r->bytes += len;
	if (r->meter != NULL) {
		atomic_fetch_add_explicit(r->meter, len, memory_order_relaxed);
		r->metered += len;
	}
}

/* Whether a signal or the deadline stops reading. */
static bool
content_is_stopped(const struct content_reader *r)
{
	return stop_signal() != 0 || (r->deadline_ns != 0 && fs_clock_ns() > r->deadline_ns);
}

/* Hash states after leading zeros of sparse files, by the number of zeros. */
struct content_zeros {
	pthread_mutex_t lock;
	VEC(struct { int64_t len; XXH3_state_t *state; }) known;
};

struct content_zeros *
content_zeros_new(void)
{
	struct content_zeros *z = mem_zalloc(1, sizeof(*z));

	pthread_mutex_init(&z->lock, NULL);
	return z;
}

void
content_zeros_free(struct content_zeros *z)
{
	if (z == NULL)
		return;
	for (size_t i = 0; i < z->known.n; i++)
		XXH3_freeState(z->known.v[i].state);
	vec_release(&z->known);
	pthread_mutex_destroy(&z->lock);
	free(z);
}

/* Hash zeros from at to end.  Returns 0 or CONTENT_STOPPED. */
static int
content_add_zeros(const struct content_reader *r, int64_t at, int64_t end)
{
	static const uint8_t zeros[CONTENT_ZEROS_PIECE];

	for (int64_t n = 0; at < end; n++) {
		const size_t len = end - at < CONTENT_ZEROS_PIECE ? (size_t)(end - at) : CONTENT_ZEROS_PIECE;

		if (n % 1024 == 0 && content_is_stopped(r))
			return CONTENT_STOPPED;
		stall_step(r->post);
		XXH3_128bits_update(r->state, zeros, len);
		if (r->digests != NULL)
			digest_add(r->digests, zeros, len);
		at += (int64_t)len;
	}
	return 0;
}

/*
 * Hash the len leading zeros of a file.  One thread computes the state; others wait and copy it.
 */
static int
content_begin_zeros(const struct content_reader *r, int64_t len)
{
	struct content_zeros *z = r->zeros;
	int64_t have = 0;
	int error;

	/* Digests have no state that is kept. */
	if (z == NULL || len < CONTENT_ZEROS_MIN || r->digests != NULL)
		return content_add_zeros(r, 0, len);
	while (pthread_mutex_trylock(&z->lock) != 0) {
		if (content_is_stopped(r))
			return CONTENT_STOPPED;
		nanosleep(&(struct timespec){ .tv_nsec = 10000000 }, NULL);
		stall_step(r->post);
	}
	for (size_t i = 0; i < z->known.n; i++) {
		if (z->known.v[i].len > len || z->known.v[i].len <= have)
			continue;
		have = z->known.v[i].len;
		XXH3_copyState(r->state, z->known.v[i].state);
	}
	error = content_add_zeros(r, have, len);
	if (error == 0 && have < len && z->known.n < CONTENT_ZEROS_MOST) {
		XXH3_state_t *copy = content_state_new();

		XXH3_copyState(copy, r->state);
		vec_add(&z->known);
		z->known.v[z->known.n - 1].len = len;
		z->known.v[z->known.n - 1].state = copy;
	}
	pthread_mutex_unlock(&z->lock);
	return error;
}

/* Hash a file of up to one block, whose head may be there already. */
static int
content_full_small(struct content_reader *r, int fd, int64_t size, enum content_want how, struct content_result *res)
{
	/* The block still has the head just read, unless a tail was read, too. */
	const int64_t have = res->has_head && size <= CONTENT_TAIL_FROM ? CONTENT_EDGE : 0;
	const size_t want = (size_t)(size - have);
	/* Ask for one byte more: some file systems have more than stat says. */
	ssize_t got = content_pread_some(fd, r->block + have, want, want + 1, have, &r->nowait);
	int error;

	if (got == (ssize_t)want && size % CONTENT_PAGE == 0) {
		const int more = content_goes_on(fd, size, &r->nowait);

		got = more < 0 ? -1 : got + more;
	}
	error = content_outcome(got, want, how);
	if (error != 0)
		return error;
	r->bytes += size - have;
	content_canonical(XXH3_128bits_withSecret(r->block, (size_t)size, r->secret, CONTENT_SECRET_SIZE), res->hash);
	res->has_hash = true;
	if (r->digests != NULL) {
		digest_start(r->digests);
		digest_add(r->digests, r->block, (size_t)size);
	}
	return 0;
}

/* Have all twins read by themselves. */
static void
content_twins_give_up(const struct content_reader *r)
{
	for (size_t i = 0; i < r->n_twins; i++) {
		struct content_twin *t = &r->twins[i];

		XXH3_freeState(t->state);
		t->state = NULL;
		t->equal = false;
		t->content = (struct content_result){ .error = CONTENT_ALONE };
	}
}

/* Begin to read all twins of a file without holes.  Whether they are racy is known. */
static void
content_twins_begin(const struct content_reader *r, int64_t size)
{
	for (size_t i = 0; i < r->n_twins; i++) {
		struct content_twin *t = &r->twins[i];

#ifdef HAVE_POSIX_FADVISE
		posix_fadvise(t->fd, 0, 0, POSIX_FADV_SEQUENTIAL);
#endif
		t->equal = t->st.size == size && t->st.blocks >= size / 512;
		t->content.error = t->equal ? 0 : CONTENT_ALONE;
	}
}

/*
 * Read a piece of all twins, of which the block has that of the file, whose hash is of all before
 * it: from the first difference on a twin goes on with that.
 */
static void
content_twins_piece(struct content_reader *r, int64_t at, size_t len)
{
	uint8_t *piece = r->block + CONTENT_BLOCK;

	for (size_t i = 0; i < r->n_twins; i++) {
		struct content_twin *t = &r->twins[i];
		bool equal;

		if (t->content.error != 0)
			continue;
		if (content_beside(r->block, piece, t->fd, at, len, &equal) != (ssize_t)len) {
			t->content.error = CONTENT_ALONE;
			continue;
		}
		stall_step(r->post);
		content_count(r, (int64_t)len);
		if (t->equal && !equal) {
			t->equal = false;
			t->state = content_state_new();
			XXH3_copyState(t->state, r->state);
		}
		if (!t->equal)
			XXH3_128bits_update(t->state, piece, len);
	}
}

/* The file was read, with a result: give each twin its own. */
static void
content_twins_end(struct content_reader *r, const struct content_result *res)
{
	for (size_t i = 0; i < r->n_twins; i++) {
		struct content_twin *t = &r->twins[i];
		struct content_result *c = &t->content;
		struct fs_stat after;

		if (c->error == 0 && t->equal) {
			c->has_head = res->has_head;
			c->head = res->head;
			memcpy(c->hash, res->hash, HASH_SIZE);
		} else if (c->error == 0) {
			content_canonical(XXH3_128bits_digest(t->state), c->hash);
			c->error = content_head(r, t->fd, t->st.size, CONTENT_FULL, c);
		}
		if (c->error != 0 || content_goes_on(t->fd, t->st.size, NULL) != 0 || fs_stat_fd(t->fd, &after) < 0 || !fs_stat_same(&after, &t->st)) {
			*c = (struct content_result){ .error = CONTENT_ALONE };
			t->equal = false;
		} else
			c->has_hash = true;
		XXH3_freeState(t->state);
		t->state = NULL;
	}
}

/* Hash one piece of a larger file.  Returns its length, or -1 with *error. */
static int64_t
content_piece(struct content_reader *r, struct content_run *run, int64_t at, int64_t size, int *error)
{
	int64_t len;
	ssize_t got;

	content_run_go(run, at, size);
	len = run->end - at;
	if (run->hole)
		*error = at == 0 ? content_begin_zeros(r, len) : content_add_zeros(r, at, run->end);
	else {
		len = len < CONTENT_BLOCK ? len : CONTENT_BLOCK;
		got = content_pread(run->fd, r->block, (size_t)len, at, NULL);
		*error = content_outcome(got, (size_t)len, CONTENT_FULL);
		if (*error == 0) {
			content_twins_piece(r, at, (size_t)len);
			XXH3_128bits_update(r->state, r->block, (size_t)len);
			if (r->digests != NULL)
				digest_add(r->digests, r->block, (size_t)len);
			content_count(r, len);
		}
	}
	return *error == 0 ? len : -1;
}

static int
content_full(struct content_reader *r, int fd, const struct fs_stat *st, enum content_want how,
             struct content_result *res)
{
	const int64_t size = st->size;
	struct content_run run = { .fd = fd, .seek = st->blocks < size / 512 };
	int64_t at = 0, len;
	int error = 0;

	if (size <= CONTENT_BLOCK)
		return content_full_small(r, fd, size, how, res);
	if (!run.seek)
		content_twins_begin(r, size);
#ifdef HAVE_POSIX_FADVISE
	posix_fadvise(fd, 0, 0, POSIX_FADV_SEQUENTIAL);
#endif
	XXH3_128bits_reset_withSecret(r->state, r->secret, CONTENT_SECRET_SIZE);
	if (r->digests != NULL)
		digest_start(r->digests);
	while (at < size) {
		if (content_is_stopped(r))
			return CONTENT_STOPPED;
		len = content_piece(r, &run, at, size, &error);
		stall_step(r->post);
		if (len < 0)
			return error;
		at += len;
	}
	error = content_outcome(content_goes_on(fd, size, NULL), 0, how);
	if (error != 0)
		return error;
	content_canonical(XXH3_128bits_digest(r->state), res->hash);
	res->has_hash = true;
	return 0;
}

/* Read the wanted parts of the state that st describes. */
static int
content_pieces(struct content_reader *r, int fd, enum content_want want, const struct fs_stat *st,
               struct content_result *res)
{
	/* Else one call of two would fail, for every file. */
	const bool nowait = (want & CONTENT_NOWAIT) != 0 && !(r->waits && r->waits_dev == st->dev);
	int error = 0;

	r->nowait = nowait;
	if ((want & (CONTENT_HEAD | CONTENT_FULL)) != 0 && st->size > CONTENT_WHOLE)
		error = content_head(r, fd, st->size, want, res);
	if (error == 0 && ((want & CONTENT_FULL) != 0 ||
	                   ((want & CONTENT_MAYBE) != 0 && r->go_on(r->arg, st->size, res->head))))
		error = content_full(r, fd, st, want, res);
	if (nowait && !r->nowait) {
		r->waits = true;
		r->waits_dev = st->dev;
	}
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

/* Whether a file may have changed unseen since its stat was taken. */
static bool
content_is_racy(struct content_reader *r, int fd, const struct fs_stat *st, struct fs_time start)
{
	return racy_window_has(st, start, r->racy_window) && !(r->settles && racy_window_settles(&r->settle, fd, st));
}

void
content_read_open(struct content_reader *r, int fd, enum content_want want, struct fs_stat *st,
                  struct content_result *res)
{
	for (int attempt = 0; attempt < 2; attempt++) {
		const struct fs_time start = fs_time_now();
		struct fs_stat after;

		bool racy = false;

		memset(res, 0, sizeof(*res));
		content_twins_give_up(r);
		if (attempt > 0 && fs_stat_fd(fd, st) < 0)
			res->error = errno;
		else {
			racy = content_is_racy(r, fd, st, start);
			for (size_t i = 0; i < r->n_twins; i++)
				r->twins[i].content.racy = content_is_racy(r, r->twins[i].fd, &r->twins[i].st, start);
			res->error = content_pieces(r, fd, want, st, res);
		}
		/* A large file may have changed while it was read. */
		if (res->error == 0 && st->size > CONTENT_BLOCK) {
			if (fs_stat_fd(fd, &after) < 0)
				res->error = errno;
			else if (!fs_stat_same(&after, st))
				res->error = CONTENT_CHANGING;
		}
		if (res->error == 0)
			res->racy = racy;
		if (res->error != CONTENT_CHANGING)
			break;
	}
	if (res->error != 0) {
		res->has_head = res->has_hash = false;
		content_twins_give_up(r);
	} else
		content_twins_end(r, res);
	r->twins = NULL;
	r->n_twins = 0;
}

void
content_from_disk(int fd)
{
#ifdef HAVE_POSIX_FADVISE
	(void)posix_fadvise(fd, 0, 0, POSIX_FADV_DONTNEED);
#else
	(void)fd;
#endif
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
content_plain_hash(struct content_reader *r, int fd, uint8_t hash[HASH_SIZE])
{
	struct content_run run = { .fd = fd };
	int64_t at = 0, size;
	struct fs_stat st;
	ssize_t got = 1;

	if (fs_stat_fd(fd, &st) < 0)
		return -1;
	size = st.size;
	run.seek = st.blocks < size / 512;
	XXH3_128bits_reset(r->state);
	while (got > 0) {
		bool stopped = content_is_stopped(r);

		if (at < size)
			content_run_go(&run, at, size);
		if (run.hole && at < run.end) {
			stopped |= content_add_zeros(r, at, run.end) != 0;
			at = run.end;
		} else {
			got = content_pread(fd, r->block, CONTENT_BLOCK, at, NULL);
			if (got > 0) {
				XXH3_128bits_update(r->state, r->block, (size_t)got);
				at += got;
			}
		}
		/* A part's hash must not pass for the file's. */
		if (stopped) {
			errno = stop_signal() != 0 ? EINTR : ETIMEDOUT;
			return -1;
		}
	}
	if (got < 0)
		return -1;
	content_canonical(XXH3_128bits_digest(r->state), hash);
	return 0;
}
