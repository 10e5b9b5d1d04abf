/* SPDX-License-Identifier: MIT */
#include "base/base.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>
#include <xxhash.h>

#include "fixture.h"
#include "sys/content.h"
#include "sys/content_equal.h"
#include "unit.h"

static char dir[64];
static int at;
static uint8_t secret[CONTENT_SECRET_SIZE];
static struct content_reader reader;

static void
setup(void)
{
	fixture_temp_dir(dir, sizeof(dir));
	at = open(dir, O_RDONLY | O_DIRECTORY);
	ck_assert_int_ge(at, 0);
	for (int i = 0; i < CONTENT_SECRET_SIZE; i++)
		secret[i] = (uint8_t)(i * 37 + 11);
	content_reader_init(&reader, secret, (struct fs_time){ 60, 0 });
}

static void
teardown(void)
{
	content_reader_release(&reader);
	unlinkat(at, "f", 0);
	unlinkat(at, "g", 0);
	close(at);
	rmdir(dir);
}

/* Bytes that differ at every place. */
static uint8_t *
bytes(size_t size)
{
	uint8_t *b = mem_alloc(size + 1);

	for (size_t i = 0; i < size; i++)
		b[i] = (uint8_t)(i * 2654435761u >> 13);
	return b;
}

static void
put(const char *name, const void *data, size_t size)
{
	int fd = openat(at, name, O_WRONLY | O_CREAT | O_TRUNC, 0600);

	ck_assert_int_ge(fd, 0);
	ck_assert_int_eq((int)(write(fd, data, size) == (ssize_t)size), 1);
	close(fd);
}

static struct fs_stat
look(const char *name)
{
	struct fs_stat st;

	ck_assert_int_eq(fs_stat_at(at, name, &st), 0);
	return st;
}

static const int64_t sizes[] = {
	1, 4095, 4096, 4097, CONTENT_WHOLE - 1, CONTENT_WHOLE, CONTENT_WHOLE + 1, 131071, 131072, 131073,
	262143, 262144, 262145, 524288, 1000003,
};

/* The full hash is the keyed XXH3-128 of the whole, big-endian; the head that of its edges. */
START_TEST(hashes)
{
	const size_t size = (size_t)sizes[_i];
	uint8_t *data = bytes(size), edges[8192];
	XXH128_canonical_t want;
	struct content_result res;
	struct fs_stat st;

	put("f", data, size);
	st = look("f");
	XXH128_canonicalFromHash(&want, XXH3_128bits_withSecret(data, size, secret, sizeof(secret)));
	content_read(&reader, at, "f", CONTENT_FULL, &st, &res);
	ck_assert_int_eq(res.error, 0);
	ck_assert(res.has_hash);
	ck_assert_mem_eq(res.hash, want.digest, HASH_SIZE);
	ck_assert_int_eq(res.has_head, size > CONTENT_WHOLE);
	ck_assert(res.racy);
	if (size > CONTENT_WHOLE) {
		const size_t len = size > 131072 ? 8192 : 4096;
		const int64_t full_head = res.head;

		memcpy(edges, data, 4096);
		memcpy(edges + 4096, data + size - 4096, 4096);
		ck_assert_int_eq(res.head, (int64_t)XXH3_128bits_withSecret(edges, len, secret, sizeof(secret)).low64);
		content_read(&reader, at, "f", CONTENT_HEAD, &st, &res);
		ck_assert_int_eq(res.error, 0);
		ck_assert(res.has_head && !res.has_hash);
		ck_assert_int_eq(res.head, full_head);
		content_read(&reader, at, "f", CONTENT_HEAD | CONTENT_NOWAIT, &st, &res);
		ck_assert(res.error == CONTENT_COLD || (res.error == 0 && res.head == full_head));
	} else {
		content_read(&reader, at, "f", CONTENT_FULL | CONTENT_NOWAIT, &st, &res);
		ck_assert(res.error == CONTENT_COLD || (res.error == 0 && memcmp(res.hash, want.digest, 16) == 0));
	}
	free(data);
}
END_TEST

/* Another secret, another hash. */
START_TEST(secret_matters)
{
	struct content_result a, b;
	struct fs_stat st;

	put("f", "content", 7);
	st = look("f");
	content_read(&reader, at, "f", CONTENT_FULL, &st, &a);
	for (int i = 0; i < CONTENT_SECRET_SIZE; i++)
		secret[i] ^= (uint8_t)(i + 1);
	content_read(&reader, at, "f", CONTENT_FULL, &st, &b);
	ck_assert_int_eq(b.error, 0);
	ck_assert_mem_ne(a.hash, b.hash, HASH_SIZE);
}
END_TEST

/* A file that changed since the caller's stat is read in its new state, and the stat is updated. */
static const struct {
	int64_t before, after;
} changes[] = {
	{ 100, 100 }, { 100, 50 }, { 100, 40000 }, { 40000, 100 }, { 40000, 40000 }, { 300000, 299999 }, { 300000, 1000000 },
	{ 1000000, 300000 }, { 100, 0 },
};

START_TEST(changed_since_stat)
{
	const size_t before = (size_t)changes[_i].before, after = (size_t)changes[_i].after;
	uint8_t *data = bytes(before + after + 1);
	XXH128_canonical_t want;
	struct content_result res;
	struct fs_stat st;

	put("f", data + 1, before);
	st = look("f");
	nanosleep(&(struct timespec){ 0, 20000000 }, NULL);
	put("f", data, after);
	content_read(&reader, at, "f", CONTENT_FULL, &st, &res);
	ck_assert_int_eq(res.error, 0);
	ck_assert_int_eq(st.size, (int64_t)after);
	ck_assert(res.has_hash);
	XXH128_canonicalFromHash(&want, XXH3_128bits_withSecret(data, after, secret, sizeof(secret)));
	ck_assert_mem_eq(res.hash, want.digest, HASH_SIZE);
	free(data);
}
END_TEST

START_TEST(replaced_since_stat)
{
	struct content_result res;
	struct fs_stat st, now;

	put("f", "one", 3);
	st = look("f");
	put("g", "two", 3);
	ck_assert_int_eq(renameat(at, "g", at, "f"), 0);
	now = look("f");
	content_read(&reader, at, "f", CONTENT_FULL, &st, &res);
	ck_assert_int_eq(res.error, 0);
	ck_assert_uint_eq(st.inode, now.inode);
}
END_TEST

/* What is no regular file (any more) is said to be none, at once. */
START_TEST(no_file)
{
	struct content_result res;
	struct fs_stat st;

	put("f", "one", 3);
	st = look("f");
	ck_assert_int_eq(unlinkat(at, "f", 0), 0);
	content_read(&reader, at, "f", CONTENT_FULL, &st, &res);
	ck_assert_int_eq(res.error, ENOENT);
	if (_i == 0)
		ck_assert_int_eq(mkfifoat(at, "f", 0600), 0);
	else if (_i == 1)
		ck_assert_int_eq(symlinkat("/etc/passwd", at, "f"), 0);
	else
		ck_assert_int_eq(mkdirat(at, "f", 0700), 0);
	content_read(&reader, at, "f", CONTENT_FULL, &st, &res);
	ck_assert_int_eq(res.error, CONTENT_NO_FILE);
	ck_assert(!res.has_hash && !res.has_head);
	if (_i == 2)
		unlinkat(at, "f", AT_REMOVEDIR);
}
END_TEST

/* Old times are not racy, future ones are, and the change time counts too. */
START_TEST(racy)
{
	struct content_result res;
	struct fs_stat st;
	struct content_reader strict;

	content_reader_init(&strict, secret, (struct fs_time){ 0, 1000000 });
	put("f", "one", 3);
	nanosleep(&(struct timespec){ 0, 30000000 }, NULL);
	st = look("f");
	content_read(&strict, at, "f", CONTENT_FULL, &st, &res);
	ck_assert_int_eq(res.racy, 0);
	content_read(&reader, at, "f", CONTENT_FULL, &st, &res);
	ck_assert_int_eq(res.racy, 1);
	/* Long ago by its mtime, now by its ctime. */
	ck_assert_int_eq(utimensat(at, "f", (struct timespec[]){ { 1, 0 }, { 1, 0 } }, 0), 0);
	st = look("f");
	content_read(&reader, at, "f", CONTENT_FULL, &st, &res);
	ck_assert_int_eq(res.racy, 1);
	ck_assert_int_eq(utimensat(at, "f", (struct timespec[]){ { 1, 0 }, { 4102444800, 0 } }, 0), 0);
	nanosleep(&(struct timespec){ 0, 30000000 }, NULL);
	st = look("f");
	content_read(&strict, at, "f", CONTENT_FULL, &st, &res);
	ck_assert_int_eq(res.racy, 1);
	content_reader_release(&strict);
}
END_TEST

START_TEST(equal)
{
	const size_t size = (size_t)sizes[_i];
	uint8_t *data = bytes(size);
	const size_t places[] = { 0, size / 2, size - 1 };
	int a, b;

	put("f", data, size);
	put("g", data, size);
	a = openat(at, "f", O_RDONLY);
	b = openat(at, "g", O_RDWR);
	ck_assert_int_eq(content_equal(&reader, a, b, (int64_t)size), 1);
	for (int i = 0; i < 3; i++) {
		const uint8_t other = data[places[i]] ^ 1;

		ck_assert_int_eq((int)pwrite(b, &other, 1, (off_t)places[i]), 1);
		ck_assert_int_eq(content_equal(&reader, a, b, (int64_t)size), 0);
		ck_assert_int_eq((int)pwrite(b, &data[places[i]], 1, (off_t)places[i]), 1);
	}
	/* One that ends early is not equal. */
	ck_assert_int_eq(ftruncate(b, (off_t)size - 1), 0);
	ck_assert_int_eq(content_equal(&reader, a, b, (int64_t)size), 0);
	close(a);
	close(b);
	free(data);
}
END_TEST

/* What is beside the file "f": equal; other at the first, middle, last byte; shorter; not to be read. */
enum { OTHER_EQUAL, OTHER_FIRST, OTHER_MIDDLE, OTHER_LAST, OTHER_SHORTER, OTHER_UNREADABLE, OTHER_AGAIN, OTHERS };

/* Files are compared side by side: each has the answer that it has by itself, and is read once. */
START_TEST(equal_each)
{
	const size_t size = (size_t)sizes[_i];
	const size_t changed[OTHERS] = { [OTHER_FIRST] = 0, [OTHER_MIDDLE] = size / 2, [OTHER_LAST] = size - 1 };
	struct content_other others[OTHERS];
	uint8_t *data = bytes(size);
	int64_t before;
	int fd;

	for (int i = 0; i < OTHERS; i++) {
		const bool other = i >= OTHER_FIRST && i <= OTHER_LAST;

		data[changed[i]] ^= other;
		put("g", data, i == OTHER_SHORTER ? size - 1 : size);
		data[changed[i]] ^= other;
		others[i].fd = openat(at, "g", i == OTHER_UNREADABLE ? O_WRONLY : O_RDONLY);
		ck_assert_int_ge(others[i].fd, 0);
		unlinkat(at, "g", 0);
	}
	put("f", data, size);
	fd = openat(at, "f", O_RDONLY);
	before = reader.bytes;
	content_equal_each(&reader, fd, others, OTHERS, (int64_t)size);
	ck_assert_int_le(reader.bytes - before, OTHERS * (int64_t)size);  /* one is not read */
	for (int i = 0; i < OTHERS; i++) {
		const bool same = i == OTHER_EQUAL || i == OTHER_AGAIN;

		ck_assert_int_eq(others[i].equal, i == OTHER_UNREADABLE ? -1 : same);
	}
	close(fd);
	/* Nothing is known of any that equals what can't be read. */
	fd = openat(at, "f", O_WRONLY);
	content_equal_each(&reader, fd, others, OTHERS, (int64_t)size);
	for (int i = 0; i < OTHERS; i++) {
		ck_assert_int_eq(others[i].equal, -1);
		close(others[i].fd);
	}
	close(fd);
	free(data);
}
END_TEST

/* Holes beside data: zeros are zeros, and what is a hole in all is not read. */
START_TEST(equal_each_holes)
{
	const int64_t mib = 1024 * 1024, size = 8 * mib;
	struct content_other others[3];
	uint8_t *zeros = mem_zalloc(1, (size_t)(2 * mib));
	int fd;

	for (int i = 0; i < 4; i++) {
		fd = openat(at, i == 3 ? "f" : "g", O_RDWR | O_CREAT | O_TRUNC, 0600);
		ck_assert_int_ge(fd, 0);
		ck_assert_int_eq(ftruncate(fd, size), 0);
		/* The first has zeros in the middle, the last but one has another byte there. */
		if (i == 0)
			ck_assert_int_eq((int)(pwrite(fd, zeros, (size_t)(2 * mib), 3 * mib) == 2 * mib), 1);
		if (i == 2)
			ck_assert_int_eq((int)pwrite(fd, "x", 1, 4 * mib + 1), 1);
		if (i < 3) {
			others[i].fd = fd;
			unlinkat(at, "g", 0);
		}
	}
	content_equal_each(&reader, fd, others, 3, size);
	ck_assert_int_eq(others[0].equal, 1);
	ck_assert_int_eq(others[1].equal, 1);
	ck_assert_int_eq(others[2].equal, 0);
	for (int i = 0; i < 3; i++)
		close(others[i].fd);
	close(fd);
	free(zeros);
}
END_TEST

/* Where a twin differs from the file "f": nowhere; first, middle and last byte; it is sparse, longer. */
enum { TWIN_EQUAL, TWIN_FIRST, TWIN_MIDDLE, TWIN_LAST, TWIN_SPARSE, TWIN_LONGER, TWIN_STALE, TWINS };

static const int64_t twin_sizes[] = { 262145, 524288, 1000003 };

/* Files that are read beside another one have the results that each has by itself, or none. */
START_TEST(twins)
{
	const size_t size = (size_t)twin_sizes[_i];
	const size_t changed[TWINS] = { [TWIN_FIRST] = 0, [TWIN_MIDDLE] = size / 2, [TWIN_LAST] = size - 1 };
	uint8_t *data = bytes(size);
	struct content_twin t[TWINS];
	struct content_result res, alone[TWINS];
	struct fs_stat st;

	put("f", data, size);
	for (int i = 0; i < TWINS; i++) {
		struct fs_stat own;
		int error;

		memset(&t[i], 0, sizeof(t[i]));
		if (i >= TWIN_FIRST && i <= TWIN_LAST)
			data[changed[i]] ^= 1;
		put("g", data, i == TWIN_LONGER ? size + 1 : size);
		if (i >= TWIN_FIRST && i <= TWIN_LAST)
			data[changed[i]] ^= 1;
		t[i].fd = content_open(at, "g", &t[i].st, &error);
		ck_assert_int_ge(t[i].fd, 0);
		content_read(&reader, at, "g", CONTENT_FULL, &own, &alone[i]);
		ck_assert_int_eq(alone[i].error, 0);
		if (i == TWIN_SPARSE)
			t[i].st.blocks = 0;
		if (i == TWIN_STALE)
			t[i].st.mtime.nsec ^= 1;
		unlinkat(at, "g", 0);
		/* The times of an inode change when it loses its name. */
		if (i != TWIN_STALE && i != TWIN_SPARSE)
			ck_assert_int_eq(fs_stat_fd(t[i].fd, &t[i].st), 0);
	}
	reader.twins = t;
	reader.n_twins = TWINS;
	content_read(&reader, at, "f", CONTENT_FULL, &st, &res);
	ck_assert_int_eq(res.error, 0);
	ck_assert_int_eq((int)reader.n_twins, 0);
	for (int i = 0; i < TWINS; i++) {
		const struct content_result *c = &t[i].content;

		close(t[i].fd);
		ck_assert_int_eq(t[i].equal, i == TWIN_EQUAL);
		if (i >= TWIN_SPARSE) {
			ck_assert_int_eq(c->error, CONTENT_ALONE);
			ck_assert_int_eq(c->has_hash, false);
			continue;
		}
		ck_assert_int_eq(c->error, 0);
		ck_assert_int_eq(c->has_hash && c->has_head, 1);
		ck_assert_int_eq(c->racy, true);
		ck_assert_int_eq(c->head == alone[i].head, 1);
		ck_assert_mem_eq(c->hash, alone[i].hash, HASH_SIZE);
	}
	ck_assert_mem_eq(res.hash, alone[TWIN_EQUAL].hash, HASH_SIZE);
	/* The next file is read by itself; beside one that has no result nothing is read. */
	reader.twins = t;
	reader.n_twins = 1;
	content_read_open(&reader, -1, CONTENT_FULL, &st, &res);
	ck_assert_int_ne(res.error, 0);
	ck_assert_int_eq(t[0].content.error, CONTENT_ALONE);
	ck_assert_int_eq(t[0].equal, false);
	free(data);
}
END_TEST

START_TEST(plain)
{
	const size_t size = (size_t)sizes[_i];
	uint8_t *data = bytes(size), hash[HASH_SIZE];
	XXH128_canonical_t want;
	int fd;

	put("f", data, size);
	fd = openat(at, "f", O_RDONLY);
	ck_assert_int_eq(content_plain_hash(&reader, fd, hash), 0);
	XXH128_canonicalFromHash(&want, XXH3_128bits(data, size));
	ck_assert_mem_eq(hash, want.digest, HASH_SIZE);
	close(fd);
	free(data);
}
END_TEST

/* A hash of a part of a file is none: after the deadline there is an error, also in a hole. */
START_TEST(plain_late)
{
	const size_t size = 1024 * 1024;
	uint8_t *data = bytes(size), hash[HASH_SIZE];
	int fd;

	put("f", data, _i == 0 ? size : 0);
	fd = openat(at, "f", O_RDWR);
	ck_assert_int_eq(ftruncate(fd, 64 * (off_t)size), 0);
	reader.deadline_ns = 1;
	ck_assert_int_eq(content_plain_hash(&reader, fd, hash), -1);
	ck_assert_int_eq(errno, ETIMEDOUT);
	reader.deadline_ns = fs_clock_ns() + INT64_C(600000000000);
	ck_assert_int_eq(content_plain_hash(&reader, fd, hash), 0);
	close(fd);
	free(data);
}
END_TEST

Suite *
suite_content(void)
{
	Suite *s = suite_create("content");
	TCase *tc = tcase_create("content");

	tcase_add_checked_fixture(tc, setup, teardown);
	tcase_add_loop_test(tc, hashes, 0, N_ROWS(sizes));
	tcase_add_test(tc, secret_matters);
	tcase_add_loop_test(tc, changed_since_stat, 0, N_ROWS(changes));
	tcase_add_test(tc, replaced_since_stat);
	tcase_add_loop_test(tc, no_file, 0, 3);
	tcase_add_test(tc, racy);
	tcase_add_loop_test(tc, equal, 0, N_ROWS(sizes));
	tcase_add_loop_test(tc, equal_each, 0, N_ROWS(sizes));
	tcase_add_test(tc, equal_each_holes);
	tcase_add_loop_test(tc, twins, 0, N_ROWS(twin_sizes));
	tcase_add_loop_test(tc, plain, 0, N_ROWS(sizes));
	tcase_add_loop_test(tc, plain_late, 0, 2);
	suite_add_tcase(s, tc);
	return s;
}
