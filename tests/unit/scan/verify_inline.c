/* SPDX-License-Identifier: MIT */
#include "base/base.h"

#include <fcntl.h>
#include <pthread.h>
#include <sqlite3.h>
#include <stdatomic.h>
#include <sys/stat.h>
#include <unistd.h>

#include "db/db.h"
#include "fixture.h"
#include "index/file.h"
#include "index/index.h"
#include "scan/verify_inline.h"
#include "scan/stats.h"
#include "sys/content.h"
#include "unit.h"

enum { THREADS = 8 };

static uint8_t secret[CONTENT_SECRET_SIZE];
static struct stats counts;
static struct content_reader reader;
static struct verify_inline_worker w;

/* Hashes are forged: what has the same one is what the test says has. */
static const uint8_t hash[HASH_SIZE] = { 3, 1, 4 }, other_hash[HASH_SIZE] = { 3, 1, 5 };

static void
setup(void)
{
	fixture_index_setup();
	memset(&counts, 0, sizeof(counts));
	content_reader_init(&reader, secret, (struct fs_time){ 0, 0 });
	verify_inline_worker_init(&w, verify_inline_new(&counts), &reader);
	verify_inline_enter(&w, 1, fixture_top, "", -1);
}

static void
teardown(void)
{
	verify_inline_free(w.references);
	content_reader_release(&reader);
	fixture_index_teardown();
}

/* Kept at once, kept when they are read again, read again each time, larger than the reader's block. */
static const int64_t sizes[] = { 1, 600, 1024, 4097, 8192, 1025, 4096, 8193, 200000, 262144, 262145, 700000 };
#define KEPT(size) ((size) <= 1024 || ((size) > CONTENT_WHOLE && (size) <= 8192))
#define KEPT_SIZE 1024
#define KEPT_LEADS (64 * 1024)
/* Never kept. */
#define LARGE 9000

/* A file of bytes that differ at every place; those at the given offset are others. */
static void
put(const char *name, int64_t size, int64_t differs)
{
	int fd = openat(fixture_at, name, O_WRONLY | O_CREAT | O_TRUNC, 0600);
	uint8_t *b = mem_alloc((size_t)size);

	for (int64_t i = 0; i < size; i++)
		b[i] = (uint8_t)((uint64_t)i * 2654435761u >> 13) ^ (i == differs ? 1 : 0);
	ck_assert_int_ge(fd, 0);
	ck_assert_int_eq((int)(write(fd, b, (size_t)size) == (ssize_t)size), 1);
	close(fd);
	free(b);
}

static struct fs_stat
read_file(const char *name)
{
	struct content_result res;
	struct fs_stat st;

	ck_assert_int_eq(fs_stat_at(fixture_at, name, &st), 0);
	content_read(&reader, fixture_at, name, CONTENT_FULL, &st, &res);
	ck_assert_int_eq(res.error, 0);
	return st;
}

static enum verify_inline_verdict
meet_as(const char *name, const uint8_t h[HASH_SIZE])
{
	const struct fs_stat st = read_file(name);

	return verify_inline_meet(&w, fixture_at, name, &st, 1, st.nlink > 1, h);
}

static enum verify_inline_verdict
meet(const char *name)
{
	return meet_as(name, hash);
}

START_TEST(compares)
{
	const int64_t size = sizes[_i];
	int64_t read;

	put("a", size, -1);
	put("b", size, -1);
	put("c", size, size - 1);
	put("d", size, 0);
	ck_assert_int_eq(meet("a"), VERIFY_INLINE_NONE);
	read = reader.bytes;
	ck_assert_int_eq(counts.verified_bytes, 0);
	ck_assert_int_eq(meet("b"), VERIFY_INLINE_EQUAL);
	/* Its own reading counts, not that of its reference. */
	ck_assert_int_eq(reader.bytes, 2 * read);
	ck_assert_int_eq(counts.verified_bytes, 2 * size);
	ck_assert_int_eq(meet("c"), VERIFY_INLINE_DIFFERS);
	ck_assert_int_eq(meet("d"), VERIFY_INLINE_DIFFERS);
	ck_assert_int_eq(meet("b"), VERIFY_INLINE_EQUAL);
	ck_assert_int_eq(verify_inline_left(w.references), 0);
}
END_TEST

/* Another hash or another size is another content. */
START_TEST(contents_apart)
{
	put("a", 100, -1);
	put("b", 100, -1);
	put("c", 101, -1);
	ck_assert_int_eq(meet("a"), VERIFY_INLINE_NONE);
	ck_assert_int_eq(meet_as("b", other_hash), VERIFY_INLINE_NONE);
	ck_assert_int_eq(meet("c"), VERIFY_INLINE_NONE);
	ck_assert_int_eq(verify_inline_left(w.references), 0);
	ck_assert_int_eq(counts.verified_bytes, 0);
	ck_assert_int_eq(meet_as("a", other_hash), VERIFY_INLINE_EQUAL);
}
END_TEST

/* In another directory than that which is open. */
START_TEST(elsewhere)
{
	const int64_t size = sizes[_i];

	ck_assert_int_eq(mkdirat(fixture_at, "sub", 0700), 0);
	put("sub/a", size, -1);
	put("a", size, 0);
	put("b", size, -1);
	{
		const struct fs_stat st = read_file("sub/a");
		int fd = openat(fixture_at, "sub", O_RDONLY | O_DIRECTORY);

		verify_inline_enter(&w, 2, fixture_top, "sub", -1);
		ck_assert_int_eq(verify_inline_meet(&w, fd, "a", &st, 1, false, hash), VERIFY_INLINE_NONE);
		close(fd);
	}
	verify_inline_enter(&w, 1, fixture_top, "", -1);
	ck_assert_int_eq(meet("b"), VERIFY_INLINE_EQUAL);
	ck_assert_int_eq(meet("a"), VERIFY_INLINE_DIFFERS);
}
END_TEST

/* The same with the start point open, whether or not the file's own directory is. */
START_TEST(elsewhere_below_start)
{
	const int64_t size = sizes[_i];
	const int base = fs_open_base(fixture_top);
	struct fs_stat st;

	ck_assert_int_eq(mkdirat(fixture_at, "sub", 0700), 0);
	put("sub/a", size, -1);
	put("sub/c", size, -1);
	put("b", size, -1);
	put("d", size, 0);
	st = read_file("sub/a");
	verify_inline_enter(&w, 2, fixture_top, "sub", base);
	ck_assert_int_eq(verify_inline_meet(&w, -1, "a", &st, 1, false, hash), VERIFY_INLINE_NONE);
	ck_assert_ptr_nonnull(w.reference);
	/* Beside it in its directory, which is not open. */
	st = read_file("sub/c");
	ck_assert_int_eq(verify_inline_meet(&w, -1, "c", &st, 1, false, hash), VERIFY_INLINE_EQUAL);
	for (int i = 0; i < 2; i++) {
		const int at = i == 0 ? fixture_at : -1;

		verify_inline_enter(&w, 1, fixture_top, "", base);
		st = read_file("b");
		ck_assert_int_eq(verify_inline_meet(&w, at, "b", &st, 1, false, hash), VERIFY_INLINE_EQUAL);
		st = read_file("d");
		ck_assert_int_eq(verify_inline_meet(&w, at, "d", &st, 1, false, hash), VERIFY_INLINE_DIFFERS);
	}
	ck_assert_int_eq(verify_inline_left(w.references), 0);
	close(base);
}
END_TEST

/* From one start point to another; and no way leads through a link. */
START_TEST(elsewhere_beyond_start)
{
	char start[128], longer[128];
	int base, other;
	struct fs_stat st;

	ck_assert_int_eq(mkdirat(fixture_at, "one", 0700), 0);
	ck_assert_int_eq(mkdirat(fixture_at, "one more", 0700), 0);
	ck_assert_int_eq(mkdirat(fixture_at, "one/sub", 0700), 0);
	put("one/sub/a", LARGE, -1);
	put("one more/b", LARGE, -1);
	snprintf(start, sizeof(start), "%s/one", fixture_top);
	snprintf(longer, sizeof(longer), "%s/one more", fixture_top);
	base = fs_open_base(start);
	other = fs_open_base(longer);
	st = read_file("one/sub/a");
	verify_inline_enter(&w, 2, start, "sub", base);
	ck_assert_int_eq(verify_inline_meet(&w, -1, "a", &st, 1, false, hash), VERIFY_INLINE_NONE);
	st = read_file("one more/b");
	verify_inline_enter(&w, 3, longer, "", other);
	ck_assert_int_eq(verify_inline_meet(&w, -1, "b", &st, 1, false, hash), VERIFY_INLINE_EQUAL);
	ck_assert_int_eq(renameat(fixture_at, "one/sub", fixture_at, "one/real"), 0);
	ck_assert_int_eq(symlinkat("real", fixture_at, "one/sub"), 0);
	verify_inline_enter(&w, 4, start, "", base);
	ck_assert_int_eq(verify_inline_meet(&w, -1, "b", &st, 1, false, hash), VERIFY_INLINE_NONE);
	ck_assert_int_eq(verify_inline_left(w.references), 1);
	close(base);
	close(other);
}
END_TEST

/* Nothing is compared with a reference that is gone, or another than it was, nor with any other in its place, unless its bytes are at hand. */
START_TEST(lead_lost)
{
	const int64_t size = sizes[_i];

	for (int how = 0; how < 3; how++) {
		const int64_t left = verify_inline_left(w.references);
		uint8_t h[HASH_SIZE] = { (uint8_t)how };

		put("a", size, -1);
		put("b", size, -1);
		put("c", size, -1);
		ck_assert_int_eq(meet_as("a", h), VERIFY_INLINE_NONE);
		if (how == 0)
			ck_assert_int_eq(unlinkat(fixture_at, "a", 0), 0);
		else if (how == 1)
			put("a", size, -1);
		else {
			ck_assert_int_eq(unlinkat(fixture_at, "a", 0), 0);
			ck_assert_int_eq(symlinkat("b", fixture_at, "a"), 0);
		}
		ck_assert_int_eq(meet_as("b", h), KEPT(size) ? VERIFY_INLINE_EQUAL : VERIFY_INLINE_NONE);
		ck_assert_int_eq(verify_inline_left(w.references) - left, !KEPT(size));
		ck_assert_int_eq(meet_as("c", h), KEPT(size) ? VERIFY_INLINE_EQUAL : VERIFY_INLINE_NONE);
		ck_assert_int_eq(verify_inline_left(w.references) - left, KEPT(size) ? 0 : 2);
	}
}
END_TEST

/* What was read again once is at hand from then on, up to a size. */
START_TEST(kept_when_read_again)
{
	const int64_t size = sizes[_i];

	put("a", size, -1);
	put("b", size, -1);
	put("c", size, -1);
	ck_assert_int_eq(meet("a"), VERIFY_INLINE_NONE);
	ck_assert_int_eq(meet("b"), VERIFY_INLINE_EQUAL);
	ck_assert_int_eq(unlinkat(fixture_at, "a", 0), 0);
	ck_assert_int_eq(meet("c"), size <= 8192 ? VERIFY_INLINE_EQUAL : VERIFY_INLINE_NONE);
	put("c", size, 0);
	ck_assert_int_eq(meet("c"), size <= 8192 ? VERIFY_INLINE_DIFFERS : VERIFY_INLINE_NONE);
}
END_TEST

/* A copy that changes after it was read was not compared, and its reference stays. */
START_TEST(copy_changed)
{
	const int64_t size = 700000;
	struct fs_stat st;

	put("a", size, -1);
	put("b", size, -1);
	put("c", size, -1);
	ck_assert_int_eq(meet("a"), VERIFY_INLINE_NONE);
	st = read_file("b");
	put("b", size, 5);
	ck_assert_int_eq(verify_inline_meet(&w, fixture_at, "b", &st, 1, false, hash), VERIFY_INLINE_NONE);
	ck_assert_int_eq(verify_inline_left(w.references), 1);
	ck_assert_int_eq(meet("c"), VERIFY_INLINE_EQUAL);
	ck_assert_int_eq(unlinkat(fixture_at, "b", 0), 0);
	ck_assert_int_eq(verify_inline_meet(&w, fixture_at, "b", &st, 1, false, hash), VERIFY_INLINE_NONE);
	ck_assert_int_eq(verify_inline_left(w.references), 2);
	ck_assert_int_eq(meet("c"), VERIFY_INLINE_EQUAL);
}
END_TEST

/* A hash for each number, spread as hashes are. */
static void
forge(uint8_t h[HASH_SIZE], uint32_t number)
{
	const uint64_t halves[2] = { number, number * 0x9e3779b97f4a7c15u };

	memcpy(h, halves, HASH_SIZE);
}

/* Bytes are kept up to some amount; then references are opened again: these are not there. */
START_TEST(keeps_so_much)
{
	const struct fs_stat st = { .size = KEPT_SIZE, .inode = 1 }, copy = { .size = KEPT_SIZE, .inode = 2 };
	uint8_t h[HASH_SIZE];
	int equal = 0;

	for (uint32_t i = 0; i < KEPT_LEADS + 200; i++) {
		forge(h, i);
		memcpy(reader.block, h, sizeof(h));
		if (verify_inline_meet(&w, fixture_at, "none", &st, 1, false, h) != VERIFY_INLINE_NONE)
			ck_abort_msg("content %u", (unsigned)i);
	}
	for (uint32_t i = KEPT_LEADS - 300; i < KEPT_LEADS + 200; i++) {
		forge(h, i);
		memcpy(reader.block, h, sizeof(h));
		equal += verify_inline_meet(&w, fixture_at, "none", &copy, 1, false, h) == VERIFY_INLINE_EQUAL;
	}
	ck_assert_int_eq(equal, 300);
	ck_assert_int_eq(verify_inline_left(w.references), 200);
}
END_TEST

/* Write a row of directory 1 for a file of size 100. */
static void
put_row(const char *name, const uint8_t h[HASH_SIZE])
{
	struct file_row row = { .dir = 1, .name = name, .name_len = strlen(name) };
	struct fs_stat st;
	struct err err = { 0 };

	ck_assert_int_eq(fs_stat_at(fixture_at, name, &st), 0);
	file_from_stat(&row, &st, 1);
	row.has_hash = true;
	memcpy(row.hash, h, HASH_SIZE);
	ck_assert_int_eq(file_put(fixture_ix->db, &row, &err), 0);
}

/* The names that are verified, one behind the other. */
static const char *
verified(void)
{
	static char names[64];
	sqlite3_stmt *s;

	names[0] = '\0';
	ck_assert_int_eq(sqlite3_prepare_v2(fixture_ix->db->handle,
	                                    "SELECT group_concat(name, '') FROM (SELECT name FROM file WHERE verified > 0 ORDER BY name)",
	                                    -1, &s, NULL), SQLITE_OK);
	if (sqlite3_step(s) == SQLITE_ROW && sqlite3_column_text(s, 0) != NULL)
		snprintf(names, sizeof(names), "%s", (const char *)sqlite3_column_text(s, 0));
	sqlite3_finalize(s);
	return names;
}

/* Let the references be written. */
static void
write_leads(bool links)
{
	struct err err = { 0 };

	ck_assert_int_eq(verify_inline_write(w.references, fixture_ix->db, links, &err), 0);
}

/* a and b are equal, c is a link of b, d is alone with its link e, f equals g but is not what it was any more. */
START_TEST(writes)
{
	put("a", 100, -1);
	put("b", 100, -1);
	ck_assert_int_eq(linkat(fixture_at, "b", fixture_at, "c", 0), 0);
	put("d", 100, 7);
	ck_assert_int_eq(linkat(fixture_at, "d", fixture_at, "e", 0), 0);
	put("f", 100, 8);
	put("g", 100, 8);
	for (const char *n = "a\0b\0c\0"; *n != '\0'; n += 2)
		put_row(n, hash);
	for (const char *n = "d\0e\0f\0"; *n != '\0'; n += 2)
		put_row(n, other_hash);
	ck_assert_int_eq(meet("a"), VERIFY_INLINE_NONE);
	ck_assert_ptr_nonnull(w.reference);
	ck_assert(!verify_inline_row(w.reference));
	/* Told at the end, for all names of the inode. */
	ck_assert_int_eq(meet("b"), VERIFY_INLINE_NONE);
	ck_assert_ptr_null(w.reference);
	ck_assert_int_eq(meet("c"), VERIFY_INLINE_NONE);
	ck_assert_int_eq(meet_as("d", other_hash), VERIFY_INLINE_NONE);
	ck_assert(!verify_inline_row(w.reference));
	ck_assert_int_eq(meet_as("e", other_hash), VERIFY_INLINE_NONE);
	ck_assert_int_eq(meet_as("f", (const uint8_t[HASH_SIZE]){ 9 }), VERIFY_INLINE_NONE);
	ck_assert(!verify_inline_row(w.reference));
	ck_assert_int_eq(meet_as("g", (const uint8_t[HASH_SIZE]){ 9 }), VERIFY_INLINE_EQUAL);
	ck_assert_int_eq(verify_inline_left(w.references), 0);
	ck_assert_str_eq(verified(), "");
	write_leads(false);
	ck_assert_str_eq(verified(), "a");
	write_leads(true);
	ck_assert_str_eq(verified(), "abc");
	ck_assert_int_eq(counts.verified, 3);
	/* Once is enough. */
	write_leads(true);
	ck_assert_int_eq(counts.verified, 3);
}
END_TEST

/* A reference with several names, which copies without equal; a lost one that was equal before. */
START_TEST(writes_leads)
{
	struct reference *reference;

	put("a", LARGE, -1);
	ck_assert_int_eq(linkat(fixture_at, "a", fixture_at, "b", 0), 0);
	put("c", LARGE, -1);
	put("d", LARGE, -1);
	put("e", LARGE, -1);
	put("f", LARGE, -1);
	for (const char *n = "a\0b\0c\0"; *n != '\0'; n += 2)
		put_row(n, hash);
	for (const char *n = "d\0e\0f\0"; *n != '\0'; n += 2)
		put_row(n, other_hash);
	ck_assert_int_eq(meet("b"), VERIFY_INLINE_NONE);
	ck_assert(!verify_inline_row(w.reference));
	ck_assert_int_eq(meet("c"), VERIFY_INLINE_EQUAL);
	ck_assert_int_eq(meet_as("d", other_hash), VERIFY_INLINE_NONE);
	reference = w.reference;
	ck_assert_int_eq(meet_as("e", other_hash), VERIFY_INLINE_EQUAL);
	ck_assert_int_eq(unlinkat(fixture_at, "d", 0), 0);
	ck_assert_int_eq(meet_as("f", other_hash), VERIFY_INLINE_NONE);
	ck_assert_ptr_null(w.reference);
	write_leads(true);
	/* c and e are for who was told so, d for who writes it. */
	ck_assert_str_eq(verified(), "ab");
	ck_assert(verify_inline_row(reference));
	write_leads(true);
	ck_assert_str_eq(verified(), "ab");
	ck_assert_int_eq(counts.verified, 2);
}
END_TEST

struct shared {
	struct verify_inline *references;
	_Atomic uint64_t equal;
	_Atomic int next;
	uint32_t n;
};

static void *
thread_run(void *arg)
{
	struct shared *sh = arg;
	const struct fs_stat st = { .size = 40, .inode = 1 + (uint64_t)atomic_fetch_add(&sh->next, 1) };
	struct content_reader own = { 0 };
	struct verify_inline_worker worker;

	content_reader_init(&own, secret, (struct fs_time){ 0, 0 });
	verify_inline_worker_init(&worker, sh->references, &own);
	for (uint32_t i = 0; i < sh->n; i++) {
		/* Every thread goes its own way through the contents. */
		const uint32_t key = (i * 7919 + (uint32_t)st.inode * 1000) % sh->n;
		uint8_t h[HASH_SIZE];

		memset(own.block, 0, 40);
		memcpy(own.block, &key, sizeof(key));
		forge(h, key);
		verify_inline_enter(&worker, (int64_t)st.inode, "/none", "here", -1);
		if (verify_inline_meet(&worker, AT_FDCWD, "none", &st, 1, false, h) == VERIFY_INLINE_EQUAL)
			atomic_fetch_add(&sh->equal, 1);
	}
	content_reader_release(&own);
	return NULL;
}

START_TEST(threads)
{
	struct shared sh = { .references = w.references, .n = 20000 };
	pthread_t ids[THREADS];

	for (int i = 0; i < THREADS; i++)
		ck_assert_int_eq(pthread_create(&ids[i], NULL, thread_run, &sh), 0);
	for (int i = 0; i < THREADS; i++)
		pthread_join(ids[i], NULL);
	ck_assert_uint_eq(sh.equal, (THREADS - 1) * (uint64_t)sh.n);
	ck_assert_int_eq(verify_inline_left(w.references), 0);
	ck_assert_int_eq(counts.verified_bytes, (THREADS - 1) * (int64_t)sh.n * 80);
}
END_TEST

Suite *
suite_verify_inline(void)
{
	Suite *s = suite_create("verify_inline");
	TCase *tc = tcase_create("references");

	tcase_add_checked_fixture(tc, setup, teardown);
	tcase_add_loop_test(tc, compares, 0, N_ROWS(sizes));
	tcase_add_test(tc, contents_apart);
	tcase_add_loop_test(tc, elsewhere, 0, N_ROWS(sizes));
	tcase_add_loop_test(tc, elsewhere_below_start, 0, N_ROWS(sizes));
	tcase_add_test(tc, elsewhere_beyond_start);
	tcase_add_loop_test(tc, lead_lost, 0, N_ROWS(sizes));
	tcase_add_loop_test(tc, kept_when_read_again, 0, N_ROWS(sizes));
	tcase_add_test(tc, copy_changed);
	tcase_add_test(tc, keeps_so_much);
	tcase_add_test(tc, writes);
	tcase_add_test(tc, writes_leads);
	tcase_add_test(tc, threads);
	suite_add_tcase(s, tc);
	return s;
}
