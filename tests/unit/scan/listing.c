/* SPDX-License-Identifier: MIT */
#include "base/base.h"

#include <pthread.h>
#include <stddef.h>

#include "scan/listing.h"
#include "fixture.h"
#include "index/index.h"
#include "unit.h"

/* Listings that each of the threads gives. */
#define GIVEN 30000
#define THREADS 3

static struct listing_queue *queue;

static struct listing *
numbered(int64_t dir)
{
	struct listing *l = mem_zalloc(1, sizeof(*l));

	l->dir = dir;
	return l;
}

/* Give numbers from that at arg on. */
static void *
give(void *arg)
{
	const int64_t first = *(const int64_t *)arg;
	struct listing_batch batch = { 0 };

	for (int64_t i = 0; i < GIVEN; i++)
		listing_give(queue, &batch, numbered(first + i));
	listing_flush(queue, &batch);
	listing_end(queue);
	return NULL;
}

/* Those of each thread come all, in order, more than the queue has room for; then it is done. */
START_TEST(all_arrive)
{
	pthread_t threads[THREADS];
	int64_t first[THREADS], next[THREADS];
	struct listing *l;
	bool done = false;

	queue = listing_queue_new(THREADS);
	for (int i = 0; i < THREADS; i++) {
		next[i] = first[i] = (int64_t)i * GIVEN;
		ck_assert_int_eq(pthread_create(&threads[i], NULL, give, &first[i]), 0);
	}
	while (!done) {
		l = listing_take(queue, &done);
		if (l != NULL && (done || l->dir != next[l->dir / GIVEN]++))
			ck_abort_msg("listing %lld", (long long)l->dir);
		listing_free(l);
	}
	for (int i = 0; i < THREADS; i++) {
		ck_assert_int_eq(next[i], first[i] + GIVEN);
		ck_assert_int_eq(pthread_join(threads[i], NULL), 0);
	}
	ck_assert_ptr_null(listing_take(queue, &done));
	ck_assert(done);
	listing_queue_free(queue);
}
END_TEST

/* A batch waits until it is large, or is sent; nothing is done before its thread has ended. */
START_TEST(waits_for_the_end)
{
	struct listing_batch batch = { 0 };
	struct listing *l;
	bool done = true;

	queue = listing_queue_new(1);
	listing_give(queue, &batch, numbered(7));
	ck_assert_ptr_null(listing_take(queue, &done));
	ck_assert(!done);
	listing_flush(queue, &batch);
	listing_flush(queue, &batch);
	l = listing_take(queue, &done);
	ck_assert_ptr_nonnull(l);
	ck_assert_int_eq(l->dir, 7);
	ck_assert(!done);
	listing_free(l);
	/* One with that many files is enough. */
	l = numbered(8);
	l->n_files = 600;
	listing_give(queue, &batch, l);
	listing_give(queue, &batch, numbered(9));
	listing_flush(queue, &batch);
	listing_end(queue);
	l = listing_take(queue, &done);
	ck_assert_int_eq(l->dir, 8);
	ck_assert(!done);
	listing_free(l);
	listing_drain(queue);
	listing_queue_free(queue);
}
END_TEST

#define OF_FILE(field) { #field, offsetof(struct listing_file, field), sizeof(((struct listing_file *)NULL)->field), 0, true }

/* A number of a file, by its place and width; which of two files; whether a digest tells a change of it. */
static const struct {
	const char *name;
	size_t at, size;
	int file;
	bool told;
} numbers[] = {
	OF_FILE(volume),
	OF_FILE(st.inode),
	OF_FILE(st.size),
	OF_FILE(st.blocks),
	OF_FILE(st.nlink),
	OF_FILE(st.mtime.sec),
	OF_FILE(st.mtime.nsec),
	OF_FILE(st.ctime.sec),
	OF_FILE(st.ctime.nsec),
	{ "st.inode of the second", offsetof(struct listing_file, st.inode), sizeof(uint64_t), 1, true },
	/* Nobody stores these. */
	{ "st.dev", offsetof(struct listing_file, st.dev), sizeof(uint64_t), 0, false },
	{ "st.mode", offsetof(struct listing_file, st.mode), sizeof(mode_t), 0, false },
	{ "st.uid", offsetof(struct listing_file, st.uid), sizeof(uint32_t), 0, false },
};

/* The digest of two files by the names ab and c, which lie one behind the other. */
static void
digest_of(struct listing_file files[2], bool trust_mtime, char *names, size_t first_len, uint8_t digest[DIGEST_SIZE])
{
	static uint8_t secret[CONTENT_SECRET_SIZE];
	const struct listing l = { .trust_mtime = trust_mtime, .files = files, .n_files = 2, .names = names };

	for (size_t i = 0; i < sizeof(secret); i++)
		secret[i] = (uint8_t)(i * 7);
	files[0].name = 0;
	files[0].name_len = files[1].name = (uint32_t)first_len;
	files[1].name_len = (uint32_t)(3 - first_len);
	listing_digest(&l, secret, digest);
}

START_TEST(digest_tells)
{
	struct listing_file files[2] = { 0 };
	uint8_t before[DIGEST_SIZE], after[DIGEST_SIZE];
	char names[] = "abc";
	const bool is_ctime = strncmp(numbers[_i].name, "st.ctime", 8) == 0;

	for (int trust = 0; trust < 2; trust++) {
		uint8_t *number = (uint8_t *)&files[numbers[_i].file] + numbers[_i].at;

		digest_of(files, trust, names, 2, before);
		/* The lowest bit of the lowest byte, whichever end that is at. */
		number[0] ^= 1;
		digest_of(files, trust, names, 2, after);
		ck_assert_msg((memcmp(before, after, DIGEST_SIZE) != 0) == (numbers[_i].told && !(trust && is_ctime)), "%s", numbers[_i].name);
		number[0] ^= 1;
		digest_of(files, trust, names, 2, after);
		ck_assert_mem_eq(before, after, DIGEST_SIZE);
	}
}
END_TEST

START_TEST(digest_tells_names)
{
	struct listing_file files[2] = { 0 };
	uint8_t before[DIGEST_SIZE], after[DIGEST_SIZE];
	char names[] = "abc", other[] = "abd";

	digest_of(files, false, names, 2, before);
	digest_of(files, false, other, 2, after);
	ck_assert_mem_ne(before, after, DIGEST_SIZE);
	/* The same bytes with another end of the first. */
	digest_of(files, false, names, 1, after);
	ck_assert_mem_ne(before, after, DIGEST_SIZE);
}
END_TEST

/* Of a mount point that somebody else has claimed a listing becomes one of a new directory; else it is that one. */
START_TEST(settles)
{
	struct err err = { 0 };
	struct dirmap *dirs;
	struct listing first = { .dir = 2, .unclaimed = true, .offline = true };
	struct listing second = { .dir = 2, .unclaimed = true, .offline = true, .covered = true };
	struct listing third = { .dir = 2, .offline = true };

	fixture_dir(1, 0, "/top", 1, 1);
	fixture_dir(2, 1, "mount", 1, 2);
	ck_assert_int_eq(dirmap_load(&dirs, fixture_ix->db, &err), 0);
	listing_settle(&first, dirs);
	ck_assert_int_eq(first.dir, 2);
	ck_assert(!first.unclaimed && !first.is_new && first.offline);
	listing_settle(&second, dirs);
	ck_assert_int_eq(second.dir, 3);
	ck_assert(!second.unclaimed && second.is_new && second.place_changed && !second.offline && !second.covered);
	listing_settle(&third, dirs);
	ck_assert_int_eq(third.dir, 2);
	ck_assert(!third.is_new && third.offline);
	dirmap_free(dirs);
}
END_TEST

Suite *
suite_listing(void)
{
	Suite *s = suite_create("listing");
	TCase *tc = tcase_create("queue"), *index = tcase_create("index");

	tcase_add_test(tc, all_arrive);
	tcase_add_test(tc, waits_for_the_end);
	tcase_add_loop_test(tc, digest_tells, 0, N_ROWS(numbers));
	tcase_add_test(tc, digest_tells_names);
	suite_add_tcase(s, tc);
	tcase_add_checked_fixture(index, fixture_index_setup, fixture_index_teardown);
	tcase_add_test(index, settles);
	suite_add_tcase(s, index);
	return s;
}
